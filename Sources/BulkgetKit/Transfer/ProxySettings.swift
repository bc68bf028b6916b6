/// Which proxy each request goes through: decided here for every single one, redirects included, and never by libcurl,
/// whose reading of `no_proxy` depends on its version.
public struct ProxySettings: Hashable, Sendable {
  /// For `http` URLs; nil for none.
  public var http: ProxyAddress?
  /// For `https` URLs; nil for none.
  public var https: ProxyAddress?
  /// Who is asked directly.
  public var exclusions: [ProxyExclusion] = []
  /// The words of `no_proxy` that could not be read.
  public var unreadableExclusions: [String] = []

  /// No proxy at all.
  public init() {}

  /// Reads `http_proxy` (in lower case only: a web server's programs find a request's `Proxy` field in the other one),
  /// `https_proxy` and `no_proxy` (in both cases, the lower one first). `proxy` stands in for the first two.
  ///
  /// - Throws: the name of the variable that names no proxy.
  public init(
    environment: [String: String], proxy: ProxyAddress? = nil
  ) throws(UnreadableProxy) {
    if let proxy {
      (http, https) = (proxy, proxy)
    } else {
      http = try Self.address(["http_proxy"], environment)
      https = try Self.address(["https_proxy", "HTTPS_PROXY"], environment)
    }
    let names = ["no_proxy", "NO_PROXY"]
    let text = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) {
      if let exclusion = ProxyExclusion(word) {
        exclusions.append(exclusion)
      } else {
        unreadableExclusions.append(word)
      }
    }
  }

  /// A variable that should name a proxy and doesn't.
  public struct UnreadableProxy: Error, Hashable, Sendable {
    /// The variable's name. Its value may hold a password and is never shown.
    public let variable: String
  }

  private static func address(
    _ names: [String], _ environment: [String: String]
  ) throws(UnreadableProxy) -> ProxyAddress? {
    for name in names {
      guard let text = environment[name], !text.isEmpty else { continue }
      guard let address = ProxyAddress(text) else { throw UnreadableProxy(variable: name) }
      return address
    }
    return nil
  }

  /// The proxy for a request; nil where the server is asked directly.
  public func proxy(for origin: Origin) -> ProxyAddress? {
    guard let proxy = origin.scheme == .https ? https : http,
      !exclusions.contains(where: { $0.covers(origin) })
    else { return nil }
    return proxy
  }

  /// What is worth a word before a run.
  var warnings: [Notice] {
    unreadableExclusions.map { word in
      Notice(
        code: "no-proxy",
        message: "`\(PrintableText.shown(word))` in no_proxy excludes nothing: "
          + "only names, addresses, networks such as 10.0.0.0/8, and * are understood")
    }
  }
}
