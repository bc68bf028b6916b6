import BulkgetSystem

/// One word of `no_proxy`: which servers are asked without a proxy.
public struct ProxyExclusion: Hashable, Sendable {
  private enum Server: Hashable, Sendable {
    case all
    /// This name and those below it, in lower case and ASCII, without dots at the ends.
    case name(String)
    /// The addresses whose first `length` bits are these.
    case network([UInt8], length: Int)
  }

  private let server: Server
  /// Nil for every port.
  private let port: Int?

  /// Reads a word; nil for a form that isn't known.
  ///
  /// There are `*`, names with or without a leading dot, addresses, IPv6 with or without brackets, and networks such as
  /// `10.0.0.0/8`; all but `*` and networks may be followed by `:port`.
  public init?(_ word: String) {
    if word == "*" {
      (server, port) = (.all, nil)
    } else if let network = Self.network(word) {
      (server, port) = (network, nil)
    } else if let address = NumericAddress.bytes(word) {
      // Before a port is looked for: an IPv6 address is full of colons.
      (server, port) = (.network(address, length: 8 * address.count), nil)
    } else {
      guard let (host, port) = Self.split(word), let server = Self.server(host) else { return nil }
      (self.server, self.port) = (server, port)
    }
  }

  /// Whether requests to the server go past the proxy.
  public func covers(_ origin: Origin) -> Bool {
    if let port, port != origin.port { return false }
    switch server {
    case .all: return true
    case .name(let name):
      let host = origin.host.hasSuffix(".") ? origin.host.dropLast() : origin.host[...]
      return host == name || host.hasSuffix("." + name)
    case .network(let prefix, let length):
      guard let address = NumericAddress.bytes(ofHost: origin.host) else { return false }
      return address.count == prefix.count && Self.agree(address, prefix, length)
    }
  }

  private static func network(_ word: String) -> Server? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(parts[1]), let bytes = NumericAddress.bytes(String(parts[0])),
      length <= 8 * bytes.count
    else { return nil }
    return .network(bytes, length: length)
  }

  /// The host, and the port behind the colon where there is one.
  private static func split(_ word: String) -> (host: String, port: Int?)? {
    let afterBracket = word.lastIndex(of: "]") ?? word.startIndex
    guard let colon = word[afterBracket...].lastIndex(of: ":") else { return (word, nil) }
    let digits = word[word.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    return (String(word[..<colon]), Int(port))
  }

  private static func server(_ host: String) -> Server? {
    if host.hasPrefix("["), host.hasSuffix("]") {
      guard let bytes = NumericAddress.bytes(ofHost: host) else { return nil }
      return .network(bytes, length: 8 * bytes.count)
    }
    if let bytes = NumericAddress.bytes(host) { return .network(bytes, length: 8 * bytes.count) }
    let name = host.hasPrefix(".") ? host.dropFirst() : host[...]
    // The same rules as for the host of a URL, which it is compared with.
    guard !name.isEmpty, !name.contains(where: { "/?#@:\\*[]".contains($0) }),
      let ascii = try? ResourceURL("http://\(name)/").host
    else { return nil }
    return .name(ascii.hasSuffix(".") ? String(ascii.dropLast()) : ascii)
  }

  private static func agree(_ left: [UInt8], _ right: [UInt8], _ length: Int) -> Bool {
    (0..<(length + 7) / 8).allSatisfy { index in
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, length - 8 * index))
      return (left[index] ^ right[index]) & mask == 0
    }
  }
}
