/// A file as a correct server offers it, with switches for each way of being less than correct.
///
/// Conditions and ranges follow RFC 9110 §13 and §14; of a Range with several parts only the first is honoured.
package struct Resource: Sendable {
  /// What stands in the Content-Range of a 206.
  package enum ContentRange: Sendable {
    case correct
    case absent
    case literal(String)
  }

  package var body: Body
  package var etag: String?
  package var lastModified: String?
  package var type: String?
  package var fields: [Field]
  /// Answers ranges with 206, and says so in Accept-Ranges.
  package var honoursRanges = true
  /// Says `Accept-Ranges: bytes`, also where ranges are not honoured.
  package var announcesRanges = true
  /// Sends everything where If-Range doesn't hold; else the range, whatever If-Range says.
  package var honoursIfRange = true
  /// Answers If-None-Match and If-Modified-Since with 304.
  package var honoursConditions = true
  package var contentRange = ContentRange.correct
  /// The bytes that a 206 carries, where they are not those that were asked for.
  package var rangeBody: Body?

  package init(
    _ body: Body, etag: String? = nil, lastModified: String? = nil, type: String? = nil,
    fields: [Field] = []
  ) {
    self.body = body
    self.etag = etag
    self.lastModified = lastModified
    self.type = type
    self.fields = fields
  }

  /// A copy with some of its switches set.
  package func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// The answer to a request of any method but those that change something.
  package func response(to request: Request) -> Response {
    guard ["GET", "HEAD"].contains(request.method) else {
      return Response(405, [Field("Allow", "GET, HEAD")])
    }
    if honoursConditions, isUnmodified(for: request) { return Response(304, validators) }
    guard honoursRanges, request.method == "GET", let text = request["Range"],
      !honoursIfRange || request["If-Range"].map(matchesIfRange) ?? true,
      let range = Self.range(in: text, count: body.count)
    else { return whole }
    guard !range.isEmpty else {
      return Response(416, [Field("Content-Range", "bytes */\(body.count)")])
    }
    return part(range)
  }

  private var whole: Response { Response(200, commonFields, body: body) }

  private func part(_ range: Range<Int64>) -> Response {
    var fields = commonFields
    switch contentRange {
    case .correct:
      let last = range.upperBound - 1
      fields.append(
        Field("Content-Range", "bytes \(range.lowerBound)-\(last)/\(body.count)"))
    case .absent: break
    case .literal(let text): fields.append(Field("Content-Range", text))
    }
    return Response(206, fields, body: rangeBody ?? body.slice(range))
  }

  private var validators: [Field] {
    [("ETag", etag), ("Last-Modified", lastModified)].compactMap { name, value in
      value.map { Field(name, $0) }
    }
  }

  private var commonFields: [Field] {
    var all = validators
    if announcesRanges { all.append(Field("Accept-Ranges", "bytes")) }
    if let type { all.append(Field("Content-Type", type)) }
    return all + fields
  }

  /// RFC 9110 §13.1.2 compares weakly; If-Modified-Since counts only without If-None-Match (§13.1.3).
  private func isUnmodified(for request: Request) -> Bool {
    let tags = request.fields.values(of: "If-None-Match")
    guard tags.isEmpty else {
      let wanted = tags.joined(separator: ",").split(separator: ",").map {
        Self.opaque(String($0))
      }
      return wanted == ["*"] || etag.map { wanted.contains(Self.opaque($0)) } ?? false
    }
    return lastModified != nil && request["If-Modified-Since"] == lastModified
  }

  /// RFC 9110 §13.1.5 compares strongly: a weak tag never matches.
  private func matchesIfRange(_ value: String) -> Bool {
    value.hasPrefix("\"") ? value == etag : value == lastModified
  }

  private static func opaque(_ tag: String) -> String {
    let tag = tag.drop { $0 == " " }
    return String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag)
  }

  /// The first range of a Range field; empty where it lies behind the end, nil where it isn't understood.
  private static func range(in text: String, count: Int64) -> Range<Int64>? {
    guard text.hasPrefix("bytes="),
      let first = text.dropFirst(6).split(separator: ",").first
    else { return nil }
    let ends = first.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let suffix = Int64(ends[1]) else { return nil }
      return max(0, count - suffix)..<count
    }
    guard let start = Int64(ends[0]) else { return nil }
    if start >= count { return count..<count }
    if ends[1].isEmpty { return start..<count }
    guard let last = Int64(ends[1]), last >= start else { return nil }
    return start..<min(count, last + 1)
  }
}
