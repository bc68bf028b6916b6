import BulkgetSystem

/// An absolute `http` or `https` URL in the form in which it is sent.
///
/// What RFC 3986 allows stays byte for byte, dot segments and the case of escapes included; what it doesn't allow is
/// percent-encoded. The host is in lower case and ASCII, a fragment is dropped. The parts are found again on demand, so
/// that a hundred thousand of these stay small.
public struct ResourceURL: Hashable, Sendable {
  /// The schemes that bulkget speaks.
  public enum Scheme: String, Sendable {
    case http, https

    /// The port that goes without saying (RFC 9110 §4.2).
    public var defaultPort: Int { self == .https ? 443 : 80 }
  }

  /// Why a text is no such URL.
  public enum Refusal: Error, Hashable, Sendable {
    /// It has no scheme.
    case relative
    /// The scheme, in lower case, is neither `http` nor `https`.
    case unsupportedScheme(String)
    /// No host, or one that is no name and no address.
    case invalidHost(String)
    /// A host outside ASCII that IDNA doesn't allow.
    case notInternationalHost(String)
    /// No number from 0 to 65,535.
    case invalidPort(String)
    /// A control character.
    case controlCharacter
  }

  /// The URL as it goes to the transport, user information included: never print it, print ``redacted``.
  public let text: String
  /// The UTF-8 offsets in `text` of values from the environment.
  let secrets: [Range<Int>]
  /// UTF-8 offsets in `text`; each part ends where its delimiter begins.
  let parts: Parts

  struct Parts: Hashable, Sendable {
    var scheme = Scheme.http
    /// Empty where the URL has no user information.
    var userInfo: Range<Int32> = 0..<0
    var host: Range<Int32> = 0..<0
    var port: Int32 = -1
    /// Where the path begins.
    var path: Int32 = 0
    /// Where the path ends: at the question mark, or at the end.
    var pathEnd: Int32 = 0
    /// Where the path's last part begins, behind its last slash.
    var lastComponent: Int32 = 0
  }

  /// Reads a URL. `secrets` are the UTF-8 offsets of what came from the environment.
  public init(_ source: String, secrets: [Range<Int>] = []) throws(Refusal) {
    try self.init(bytes: Array(source.utf8), secrets: secrets)
  }

  /// Reads a URL in UTF-8.
  init(bytes: [UInt8], secrets: [Range<Int>] = []) throws(Refusal) {
    var writer = URLWriter(source: bytes, secrets: secrets)
    try writer.write()
    text = String(decoding: writer.output, as: UTF8.self)
    self.secrets = writer.outputSecrets
    parts = writer.parts
  }

  /// `http` or `https`.
  public var scheme: Scheme { parts.scheme }
  /// In lower case and ASCII; an IPv6 address is in brackets.
  public var host: String { part(parts.host) }
  /// The port, also where it goes without saying.
  public var port: Int { parts.port >= 0 ? Int(parts.port) : scheme.defaultPort }
  /// Scheme, host and port: what credentials are bound to (RFC 9110 §4.3.1).
  public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }
  /// The path, at least `/`.
  public var path: String { part(parts.path..<parts.pathEnd) }
  /// The text after the question mark, or nil.
  public var query: String? {
    let end = Int32(text.utf8.count)
    return parts.pathEnd < end ? part(parts.pathEnd + 1..<end) : nil
  }

  /// User and password, percent-decoded; nil where the URL has none.
  public var userInfo: (user: String, password: String)? {
    guard !parts.userInfo.isEmpty else { return nil }
    let words = part(parts.userInfo).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (
      percentDecoded(String(words[0])), words.count > 1 ? percentDecoded(String(words[1])) : ""
    )
  }

  /// The URL without user information, as it goes to the transport when credentials are sent by other means.
  public var withoutUserInfo: String {
    guard !parts.userInfo.isEmpty else { return text }
    return scheme.rawValue + "://" + authority + part(parts.path..<Int32(text.utf8.count))
  }

  /// The path's last part, percent-decoded; empty where the path ends in a slash.
  public var lastPathComponent: String {
    percentDecoded(part(parts.lastComponent..<parts.pathEnd))
  }

  /// Host and, where it is not the scheme's own, port.
  var authority: String { parts.port >= 0 ? "\(host):\(parts.port)" : host }

  func part(_ range: Range<Int32>) -> String {
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: Int(range.lowerBound))
    return String(text[start..<utf8.index(start, offsetBy: range.count)])
  }
}

/// Scheme, host and port (RFC 9110 §4.3.1).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: ResourceURL.Scheme
  /// In lower case and ASCII.
  public let host: String
  /// The port, also where it goes without saying.
  public let port: Int

  /// Whether the host is this machine: `localhost`, a name below it, 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    if host.hasPrefix("[") {
      return NumericAddress.isIPv6Loopback(String(host.dropFirst().dropLast()))
    }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// `https://host:port`, the port always said.
  public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}

/// Every `%XX` replaced by its byte; invalid UTF-8 becomes U+FFFD.
package func percentDecoded(_ text: String) -> String {
  guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
  return String(decoding: percentDecodedBytes(Array(text.utf8)), as: UTF8.self)
}

/// Every `%XX` replaced by its byte; a percent sign without two digits stays.
package func percentDecodedBytes(_ source: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(source.count)
  var index = 0
  while index < source.count {
    if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
      let high = hexadecimalValue(source[index + 1]), let low = hexadecimalValue(source[index + 2])
    {
      bytes.append(high << 4 | low)
      index += 3
    } else {
      bytes.append(source[index])
      index += 1
    }
  }
  return bytes
}
