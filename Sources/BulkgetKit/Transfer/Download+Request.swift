extension Download {
  /// Asks for `target`, the manifest's URL or one that a redirect named.
  mutating func send(_ target: ResourceURL) -> Action {
    finalURL = target
    phase = .requested
    resumption = resumePoint
    var lines: [String] = []
    if let resumption {
      lines.append("Range: bytes=\(resumption.offset)-")
      if let validator = resumption.validator { lines.append("If-Range: \(validator)") }
    } else {
      lines += conditions
    }
    defer {
      for notice in chain.warnings where !warnings.contains(notice) { warnings.append(notice) }
    }
    return .send(chain.request(for: target, lines, order))
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
