extension MessageDigest {
  /// The digest of an array's bytes.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { update($0) }
    return finish()
  }
}
