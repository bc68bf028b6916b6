import Foundation

/// A proxy as a user names it: `http://user:password@host:port`, scheme and credentials optional.
public struct ProxyAddress: Hashable, Sendable, CustomStringConvertible {
  /// What the transport is told, credentials included: never print it.
  let text: String
  /// Without credentials, for people.
  public let description: String

  /// How proxies are spoken to, and the port that goes without saying.
  private static let defaultPorts = [
    "http": 80, "https": 443, "socks4": 1080, "socks4a": 1080, "socks5": 1080, "socks5h": 1080,
  ]

  /// Reads an address; nil for what names no proxy.
  public init?(_ source: String) {
    var rest = source[...]
    var scheme = "http"
    if let mark = source.range(of: "://") {
      scheme = source[..<mark.lowerBound].lowercased()
      rest = source[mark.upperBound...]
    }
    if rest.last == "/" { rest.removeLast() }
    guard let defaultPort = Self.defaultPorts[scheme],
      !rest.contains(where: { "/?#".contains($0) }),
      let url = try? ResourceURL("http://\(rest)")
    else { return nil }
    let host = rest.split(separator: "@").last ?? rest
    // A port that is HTTP's own is dropped by the URL, so whether one was written is seen from the text.
    let hasPort =
      host.drop { $0 != "]" }.contains(":") || (!host.hasPrefix("[") && host.contains(":"))
    let server = "\(url.host):\(hasPort ? url.port : defaultPort)"
    description = "\(scheme)://\(server)"
    let credentials = url.parts.userInfo.isEmpty ? "" : url.part(url.parts.userInfo) + "@"
    text = "\(scheme)://\(credentials)\(server)"
  }
}
