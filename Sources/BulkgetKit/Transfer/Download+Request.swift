import Foundation

extension Download {
  /// Asks for `target`, the manifest's URL or one that a redirect named.
  mutating func send(_ target: ResourceURL) -> Action {
    url = target
    finalURL = target
    phase = .requested
    wasEncrypted = wasEncrypted || target.scheme == .https
    resumption = resumePoint
    var lines = ["Accept-Encoding: identity"]
    if let resumption {
      lines.append("Range: bytes=\(resumption.offset)-")
      if let validator = resumption.validator { lines.append("If-Range: \(validator)") }
    } else {
      lines += conditions
    }
    lines += personalLines(for: target)
    var request = TransferRequest(
      url: target.withoutUserInfo, host: target.hostName, headerLines: lines)
    request.proxy = order.proxies.proxy(for: target.origin)
    request.connection = target.origin.loopbackConnection
    return .send(request)
  }

  /// Whether the current request asks about a file that is there rather than for one.
  var isConditional: Bool { resumption == nil && !conditions.isEmpty }

  private var resumePoint: ResumePoint? {
    guard mayResume, keepsPartials, let partial else { return nil }
    return ResumeRule.point(of: partial, for: order.entry, from: source)
  }

  /// A conditional request (RFC 9110 §13.1): the entity tag where there is one, else the date.
  ///
  /// Validators say something about the URL they came from and nothing about its mirrors.
  private var conditions: [String] {
    guard let record = order.condition, record.url == source.identity else { return [] }
    if let tag = record.entityTag { return ["If-None-Match: \(tag)"] }
    return record.lastModified.map { ["If-Modified-Since: \($0)"] } ?? []
  }

  /// The entry's header fields and the credential, each only where it was given for the target's origin.
  private mutating func personalLines(for target: ResourceURL) -> [String] {
    var lines: [String] = []
    let own = order.entry.sources.contains { $0.origin == target.origin } ? order.entry.headers : []
    for field in own { lines.append("\(field.name): \(field.value)") }
    // The entry's own field comes before any credential, whichever field that would be in.
    let isAuthorized = own.contains { equalIgnoringCase($0.name, "Authorization") }
    if !isAuthorized, let field = credential(for: target),
      !own.contains(where: { equalIgnoringCase($0.name, field.name) })
    {
      lines.append("\(field.name): \(field.value)")
    }
    return lines
  }

  private mutating func credential(for target: ResourceURL) -> HeaderField? {
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

extension Source {
  var origin: Origin? {
    guard case .remote(let url) = self else { return nil }
    return url.origin
  }

  /// The host whose places a request takes; nil for a local source.
  var hostName: String? {
    guard case .remote(let url) = self else { return nil }
    return url.hostName
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
