extension ResourceURL {
  /// The URL for people and files: user information and secret query values are replaced by `REDACTED`.
  public var redacted: String {
    rewritten(userInfo: parts.userInfo.isEmpty ? "" : "REDACTED@") { parameter in
      parameter.isSecret ? parameter.name + "=REDACTED" : parameter.text
    }
  }

  /// The URL by which content is recognised in a later run: without user information, secret-looking parameters and
  /// values from the environment, so that a freshly signed URL is still the same.
  public var identity: String {
    let isSigned = parameters.contains { Secrecy.isSignature($0.decodedName) }
    return rewritten(userInfo: "") { parameter in
      let name = parameter.decodedName
      if Secrecy.isSecret(name: name) { return nil }
      if isSigned, Secrecy.signatureCompanions.contains(name) { return nil }
      return parameter.isFromEnvironment ? parameter.name + "=" : parameter.text
    }
  }

  private struct Parameter {
    var text: String
    var name: String
    var isFromEnvironment: Bool

    var decodedName: String { percentDecoded(name).lowercased() }
    var isSecret: Bool { isFromEnvironment || Secrecy.isSecret(name: decodedName) }
  }

  private var parameters: [Parameter] {
    guard let query else { return [] }
    var offset = Int(parts.pathEnd) + 1
    return query.split(separator: "&", omittingEmptySubsequences: false).map { word in
      let range = offset..<(offset + word.utf8.count)
      offset = range.upperBound + 1
      let name = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0]
      let nameEnd = range.lowerBound + name.utf8.count
      // A secret that reaches into the name takes the name with it.
      let hidesName = secrets.contains { $0.overlaps(range.lowerBound..<nameEnd) }
      return Parameter(
        text: String(word), name: hidesName ? "REDACTED" : String(name),
        isFromEnvironment: hidesName || secrets.contains { $0.overlaps(range) })
    }
  }

  private func rewritten(userInfo: String, _ rewrite: (Parameter) -> String?) -> String {
    let start = scheme.rawValue + "://" + userInfo + authority + path
    guard query != nil else { return start }
    let kept = parameters.compactMap(rewrite)
    return kept.isEmpty ? start : start + "?" + kept.joined(separator: "&")
  }
}

/// Which names of query parameters look as if their values were secret.
enum Secrecy {
  /// Words between anything that is neither letter nor digit.
  private static let words = [
    "sig", "sign", "signature", "token", "key", "apikey", "secret", "password", "passwd",
    "passphrase", "pwd", "pass", "auth", "authorization", "credential", "credentials", "jwt",
    "session", "sessionid",
  ].map { Array($0.utf8) }
  /// Pieces of words.
  private static let fragments = [
    "signature", "token", "secret", "password", "apikey", "accesskey", "credential", "x-amz-",
    "x-goog-",
  ].map { Array($0.utf8) }

  /// What changes along with a signature without being secret: the parameters of S3, CloudFront and Azure.
  static let signatureCompanions: Set<String> = [
    "expires", "expire", "exp", "policy", "key-pair-id", "awsaccesskeyid", "googleaccessid",
    "se", "st", "sp", "sv", "sr", "spr", "sip", "ske", "skoid", "sks", "skt", "sktid", "skv",
  ]

  /// Whether the value of the parameter `name` (decoded, lower case) must not be seen.
  static func isSecret(name: String) -> Bool {
    let bytes = Array(name.utf8)
    if fragments.contains(where: { contains($0, in: bytes) }) { return true }
    return bytes.split(whereSeparator: isSeparator).contains { word in
      words.contains { $0.count == word.count && word.elementsEqual($0) }
    }
  }

  private static func contains(_ fragment: [UInt8], in bytes: [UInt8]) -> Bool {
    guard bytes.count >= fragment.count else { return false }
    for start in 0...(bytes.count - fragment.count) where bytes[start] == fragment[0] {
      if bytes[start...].starts(with: fragment) { return true }
    }
    return false
  }

  /// Bytes outside of ASCII belong to letters.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      false
    default: true
    }
  }

  /// Whether the parameter signs the URL.
  static func isSignature(_ name: String) -> Bool { name == "sig" || name.contains("signature") }
}
