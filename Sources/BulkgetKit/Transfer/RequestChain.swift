import Foundation

/// The requests of one try: a source's URL and where redirects lead from it. Pure.
///
/// Every request gets the header fields and the credential that were given for its own origin, and no other's.
struct RequestChain: Sendable {
  /// The source that the chain began with.
  let source: Source
  /// The URL of the current request.
  private(set) var url: ResourceURL?
  private var redirectCount = 0
  private var wasEncrypted = false
  /// What is worth a word, such as a credential that was left out.
  private(set) var warnings: [Notice] = []

  init(_ source: Source) {
    self.source = source
  }

  /// The request for `target`, the source's URL or one that a redirect named.
  mutating func request(
    for target: ResourceURL, _ lines: [String], _ order: Download.Order
  ) -> TransferRequest {
    url = target
    wasEncrypted = wasEncrypted || target.scheme == .https
    var request = TransferRequest(
      url: target.withoutUserInfo, host: target.hostName,
      headerLines: ["Accept-Encoding: identity"] + lines + personalLines(for: target, order))
    request.proxy = order.proxies.proxy(for: target.origin)
    request.connection = target.origin.loopbackConnection
    return request
  }

  /// Where a redirect leads (RFC 9110 §15.4).
  mutating func target(of location: String) throws(Failure) -> ResourceURL {
    redirectCount += 1
    guard redirectCount <= 20 else {
      throw Failure(.tooManyRedirects, "\(source.redacted) redirects more than 20 times")
    }
    let target: ResourceURL
    do throws(ResourceURL.Refusal) {
      guard let url else { throw .relative }
      target = try url.resolving(location)
    } catch {
      throw refusedLocation(error)
    }
    if wasEncrypted, target.scheme == .http {
      throw Failure(
        .insecureRedirect, "\(source.redacted) redirects from https to \(target.redacted)")
    }
    return target
  }

  private func refusedLocation(_ refusal: ResourceURL.Refusal) -> Failure {
    if case .unsupportedScheme(let scheme) = refusal {
      return Failure(
        .unsupportedScheme,
        "\(source.redacted) redirects to a URL of the scheme \(scheme), which is not followed")
    }
    return Failure(.protocolViolation, "\(source.redacted) redirects to something that is no URL")
  }

  /// The entry's header fields and the credential, each only where it was given for the target's origin.
  private mutating func personalLines(
    for target: ResourceURL, _ order: Download.Order
  ) -> [String] {
    var lines: [String] = []
    let own = order.entry.sources.contains { $0.origin == target.origin } ? order.entry.headers : []
    for field in own { lines.append("\(field.name): \(field.value)") }
    // The entry's own field comes before any credential, whichever field that would be in.
    let isAuthorized = own.contains { equalIgnoringCase($0.name, "Authorization") }
    if !isAuthorized, let field = credential(for: target, order),
      !own.contains(where: { equalIgnoringCase($0.name, field.name) })
    {
      lines.append("\(field.name): \(field.value)")
    }
    return lines
  }

  private mutating func credential(
    for target: ResourceURL, _ order: Download.Order
  ) -> HeaderField? {
    let origin = target.origin
    if let settings = order.hosts[settingsFor: origin], let credential = settings.credential {
      if origin.scheme == .https || origin.isLoopback || settings.allowsHTTP {
        return credential.field
      }
      let notice = Notice(
        code: "insecure-auth",
        message:
          "the credential of \(origin.host) was left out: the request is neither https nor to this machine; "
          + "`allow-http: true` under the host lifts that")
      if !warnings.contains(notice) { warnings.append(notice) }
    }
    if let userInfo = target.userInfo {
      return HostSettings.Credential.basic(user: userInfo.user, password: userInfo.password).field
    }
    if redirectCount == 0, let user = order.netrc?.credential(for: target.host) {
      return HostSettings.Credential.basic(user: user.user, password: user.password).field
    }
    // A redirect that leads back to the manifest URL's origin gets what was given for it.
    guard case .remote(let source) = source, source.origin == origin, let userInfo = source.userInfo
    else {
      return nil
    }
    return HostSettings.Credential.basic(user: userInfo.user, password: userInfo.password).field
  }
}

extension [String: HostSettings] {
  /// The settings of exactly this host: `host:port`, or `host` alone for the scheme's own port.
  subscript(settingsFor origin: Origin) -> HostSettings? {
    if isEmpty { return nil }
    if let settings = self["\(origin.host):\(origin.port)"] { return settings }
    return origin.port == origin.scheme.defaultPort ? self[origin.host] : nil
  }
}

extension HostSettings.Credential {
  /// The header field that carries the credential.
  var field: HeaderField {
    switch self {
    case .bearer(let token):
      HeaderField(name: "Authorization", value: "Bearer \(token)")
    case .basic(let user, let password):
      HeaderField(
        name: "Authorization",
        value: "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    case .header(let field): field
    }
  }
}

extension Origin {
  /// How a name of this machine with a dot at its end is reached; nil for all other hosts.
  fileprivate var loopbackConnection: String? {
    guard host.hasSuffix("."), isLoopback else { return nil }
    return "\(host):\(port):\(host.dropLast()):\(port)"
  }
}
