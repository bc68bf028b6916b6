import BulkgetSystem

/// Writes a URL's text in the form in which it is sent, and notes where its parts lie.
struct URLWriter {
  private let source: [UInt8]
  private let secrets: [Range<Int>]
  private(set) var output: [UInt8] = []
  private(set) var outputSecrets: [Range<Int>] = []
  private(set) var parts = ResourceURL.Parts()

  init(source: [UInt8], secrets: [Range<Int>]) {
    self.source = source
    self.secrets = secrets.isEmpty ? [] : secrets.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Scheme, authority, path and query in this order; the fragment is left out (RFC 3986 §3).
  mutating func write() throws(ResourceURL.Refusal) {
    if source.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .controlCharacter }
    output.reserveCapacity(source.count + 1)
    let authorityStart = try writeScheme()
    let end = offset(of: UInt8(ascii: "#"), in: authorityStart..<source.count)
    let pathEnd = offset(of: UInt8(ascii: "?"), in: authorityStart..<end)
    let authorityEnd = offset(of: UInt8(ascii: "/"), in: authorityStart..<pathEnd)
    try writeAuthority(authorityStart..<authorityEnd)

    parts.path = Int32(output.count)
    if pathEnd == authorityEnd { output.append(UInt8(ascii: "/")) }
    encode(authorityEnd..<pathEnd, allowing: .path)
    parts.pathEnd = Int32(output.count)
    // The path begins with a slash, so there is one.
    parts.lastComponent = Int32((output.lastIndex(of: UInt8(ascii: "/")) ?? 0) + 1)
    if pathEnd < end {
      output.append(UInt8(ascii: "?"))
      encode(pathEnd + 1..<end, allowing: .query)
    }
  }

  /// Where a byte stands in a range, or the range's end.
  private func offset(of byte: UInt8, in range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound, source[index] != byte { index += 1 }
    return index
  }

  /// Writes `http://` or `https://` and gives the offset behind it.
  private mutating func writeScheme() throws(ResourceURL.Refusal) -> Int {
    if source.starts(with: ResourceURL.Scheme.httpsPrefix) { return write(scheme: .https) }
    if source.starts(with: ResourceURL.Scheme.httpPrefix) { return write(scheme: .http) }
    guard let name = schemeName(of: source) else { throw .relative }
    guard let scheme = ResourceURL.Scheme(rawValue: name) else { throw .unsupportedScheme(name) }
    let start = name.utf8.count + 1
    guard source[start...].starts(with: "//".utf8) else { throw .invalidHost("") }
    _ = write(scheme: scheme)
    return start + 2
  }

  /// Writes a scheme and the slashes behind it, and gives their length.
  private mutating func write(scheme: ResourceURL.Scheme) -> Int {
    parts.scheme = scheme
    output += scheme == .https ? ResourceURL.Scheme.httpsPrefix : ResourceURL.Scheme.httpPrefix
    return output.count
  }

  private mutating func writeAuthority(_ range: Range<Int>) throws(ResourceURL.Refusal) {
    var hostStart = range.lowerBound
    if let at = source[range].lastIndex(of: UInt8(ascii: "@")) {
      let start = output.count
      encode(range.lowerBound..<at, allowing: .userInfo)
      if output.count > start {
        parts.userInfo = Int32(start)..<Int32(output.count)
        output.append(UInt8(ascii: "@"))
      }
      hostStart = at + 1
    }
    let hostAndPort = source[hostStart..<range.upperBound]
    // The colons of an IPv6 address are inside its brackets.
    let bracket = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostStart
    let colon =
      hostAndPort[bracket...].lastIndex(of: UInt8(ascii: ":")) ?? range.upperBound
    let start = output.count
    try writeHost(source[hostStart..<colon])
    parts.host = Int32(start)..<Int32(output.count)
    guard colon + 1 < range.upperBound else { return }
    let portText = String(decoding: source[(colon + 1)..<range.upperBound], as: UTF8.self)
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText)
    else { throw .invalidPort(portText) }
    guard Int(port) != parts.scheme.defaultPort else { return }
    parts.port = Int32(port)
    output.append(contentsOf: ":\(port)".utf8)
  }

  private mutating func writeHost(_ host: ArraySlice<UInt8>) throws(ResourceURL.Refusal) {
    // Most hosts are in their final form already.
    if !host.isEmpty, host.allSatisfy(CharacterSet.lowerCaseHost.contains),
      host.first != UInt8(ascii: ".")
    {
      output += host
    } else {
      output += try normalizedHost(String(decoding: host, as: UTF8.self)).utf8
    }
  }

  private func normalizedHost(_ host: String) throws(ResourceURL.Refusal) -> String {
    if host.hasPrefix("["), host.hasSuffix("]") {
      let address = host.dropFirst().dropLast()
      // A zone is written `%25eth0` (RFC 6874 §2).
      let number = address.split(separator: "%", maxSplits: 1).first ?? ""
      guard NumericAddress.isIPv6(String(number)) else { throw .invalidHost(host) }
      return host.lowercased()
    }
    var ascii = host
    if !host.utf8.allSatisfy({ $0 < 0x80 }) {
      guard let converted = InternationalHost.asciiForm(of: host) else {
        throw .notInternationalHost(host)
      }
      ascii = converted
    }
    let isName = ascii.utf8.allSatisfy { CharacterSet.unreserved.contains($0) }
    guard !ascii.isEmpty, ascii != ".", isName else { throw .invalidHost(host) }
    return ascii.lowercased()
  }

  /// Copies a part, percent-encoding what its syntax doesn't allow, a lone percent sign included.
  private mutating func encode(_ range: Range<Int>, allowing allowed: CharacterSet) {
    if secrets.isEmpty, source[range].allSatisfy(allowed.contains) {
      output += source[range]
      return
    }
    let offsets = secrets.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
    var starts = offsets.makeIterator()
    var secret = starts.next()
    var secretStart = 0
    for index in range {
      if index == secret?.lowerBound { secretStart = output.count }
      let byte = source[index]
      if allowed.contains(byte) || (byte == UInt8(ascii: "%") && isEscape(at: index)) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(contentsOf: hexadecimalText([byte]).uppercased().utf8)
      }
      if let end = secret?.upperBound, index + 1 == end {
        outputSecrets.append(secretStart..<output.count)
        secret = starts.next()
      }
    }
  }

  private func isEscape(at index: Int) -> Bool {
    index + 2 < source.count && hexadecimalValue(source[index + 1]) != nil
      && hexadecimalValue(source[index + 2]) != nil
  }
}

extension ResourceURL.Scheme {
  /// What a URL begins with.
  fileprivate static let httpsPrefix = Array("https://".utf8)
  fileprivate static let httpPrefix = Array("http://".utf8)
}

/// The scheme at the start of a URL in lower case (RFC 3986 §3.1), or nil where the text is a relative reference.
func schemeName(of text: [UInt8]) -> String? {
  guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
  let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
  for (index, character) in name.utf8.enumerated() {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): break
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      if index == 0 { return nil }
    default: return nil
    }
  }
  return name
}

/// The ASCII characters that stand for themselves in a part of a URL (RFC 3986 §3, appendix A).
struct CharacterSet: Sendable {
  private let bits: (UInt64, UInt64)

  private init(_ characters: String) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    bits = (low, high)
  }

  func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: bits.0 & (1 << UInt64(byte)) != 0
    case 64..<128: bits.1 & (1 << UInt64(byte - 64)) != 0
    default: false
    }
  }

  private static let letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
  private static let subDelimiters = "!$&'()*+,;="

  static let lowerCaseHost = CharacterSet("abcdefghijklmnopqrstuvwxyz0123456789-.")
  static let unreserved = CharacterSet(letters)
  static let userInfo = CharacterSet(letters + subDelimiters + ":")
  static let path = CharacterSet(letters + subDelimiters + ":@/")
  static let query = CharacterSet(letters + subDelimiters + ":@/?")
}
