import BulkgetSystem

/// Turns ids into names. One that is kept for many ids is much cheaper than one for each. Confined to one thread.
final class KeyHasher {
  private let digest: MessageDigest

  init() {
    guard let digest = MessageDigest(.md5) else {
      preconditionFailure("opening a cache checks that the cryptographic library offers MD5")
    }
    self.digest = digest
  }

  /// Whether names can be made at all: a library in FIPS mode may offer no MD5.
  static var isAvailable: Bool { MessageDigest(.md5) != nil }

  /// The MD5 of an id in hexadecimal digits.
  func name(of id: String) -> String {
    hexadecimalText(digest.digest(of: id))
  }

  /// What stands for namespace and id where one number or name has to.
  func fingerprint(of key: FileKey) -> KeyFingerprint {
    // Neither may have a NUL, so no two keys give one text.
    KeyFingerprint(bytes: digest.digest(of: key.namespace + "\0" + key.id))
  }
}

/// The MD5 of a key: it names the partial file and chooses the byte that is locked, so that either is found from the
/// other.
struct KeyFingerprint: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the name of a partial file; nil for a name of another form.
  init?(name: some StringProtocol) {
    guard let digest = Digest(.md5, hexadecimal: String(name)) else { return nil }
    bytes = digest.bytes
  }

  var name: String { hexadecimalText(bytes) }

  /// The byte of the lock file, from 0 up to but not including 2^62.
  var lockOffset: Int64 {
    Int64(bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2)
  }
}
