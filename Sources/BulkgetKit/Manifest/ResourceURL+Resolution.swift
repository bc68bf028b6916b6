extension ResourceURL {
  /// Resolves the `Location` of a redirect against this URL (RFC 9110 §10.2.2, RFC 3986 §5.2).
  ///
  /// The result has no secrets from the environment: what a server sends is the server's.
  public func resolving(_ reference: String) throws(Refusal) -> ResourceURL {
    let bytes = Array(reference.utf8)
    if schemeName(of: bytes) != nil { return try ResourceURL(reference) }
    let base = scheme.rawValue + "://"
    if reference.hasPrefix("//") { return try ResourceURL(scheme.rawValue + ":" + reference) }
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    let referencePath = String(decoding: bytes[..<end], as: UTF8.self)
    let rest = String(decoding: bytes[end...], as: UTF8.self)
    let root = base + authorityWithUserInfo
    if referencePath.isEmpty {
      let query = rest.hasPrefix("?") ? "" : query.map { "?" + $0 } ?? ""
      return try ResourceURL(root + path + query + rest)
    }
    let directory = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let merged = referencePath.hasPrefix("/") ? referencePath : directory + referencePath
    return try ResourceURL(root + removingDotSegments(merged) + rest)
  }

  /// Credentials of the URL belong to its origin, and a relative reference stays there.
  private var authorityWithUserInfo: String {
    parts.userInfo.isEmpty ? authority : part(parts.userInfo) + "@" + authority
  }
}

/// `remove_dot_segments` of RFC 3986 §5.2.4 for a path that begins with a slash.
func removingDotSegments(_ path: String) -> String {
  var kept: [Substring] = []
  let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  for (index, segment) in segments.enumerated() {
    let isLast = index == segments.count - 1
    switch segment {
    case ".":
      if isLast { kept.append("") }
    case "..":
      _ = kept.popLast()
      if isLast { kept.append("") }
    default:
      kept.append(segment)
    }
  }
  return "/" + kept.joined(separator: "/")
}
