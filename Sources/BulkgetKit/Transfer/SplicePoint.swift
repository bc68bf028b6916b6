/// The place where the bytes of a 206 are to be joined to kept ones, and what has to hold for that (RFC 9110 §15.3.7).
struct SplicePoint {
  /// What a header says about the part that follows it.
  enum Judgement: Hashable {
    /// It continues the kept bytes; what is recorded about the whole from now on.
    case fits(PartialRecord)
    /// It belongs to another version of the file.
    case changed(String)
    /// It is not what was asked for.
    case malformed(String)
  }

  private let offset: Int64
  private let record: PartialRecord?
  private let source: Source
  /// A digest of the manifest proves the result, so that what a server leaves out does no harm.
  private let isProved: Bool
  /// The kept bytes came from this very URL, with a validator that the server was told.
  private let isValidated: Bool

  init(_ resumption: ResumePoint, _ record: PartialRecord?, _ source: Source, _ entry: Entry) {
    offset = resumption.offset
    self.record = record
    self.source = source
    isProved = !entry.digests.isEmpty
    isValidated = resumption.validator != nil
  }

  func judge(_ head: ResponseHead) -> Judgement {
    if let type = head["Content-Type"], hasPrefixIgnoringCase(type, "multipart/") {
      return .malformed("it sent several parts where one was asked for")
    }
    guard let text = head["Content-Range"] else { return .malformed("it sent no Content-Range") }
    guard let range = ContentRange(text), let first = range.first, let last = range.last else {
      return .malformed("its Content-Range can't be read")
    }
    if first != offset {
      return .malformed("it sent bytes from \(first) on, asked for were those from \(offset) on")
    }
    if let problem = change(range, head) { return .changed(problem) }
    let total = range.total ?? record?.total
    if let total, last != total - 1 { return .malformed("it sent only a part of the rest") }
    if let length = head.contentLength, length != last - first + 1 {
      return .malformed("its Content-Length and Content-Range disagree")
    }
    return .fits(continued(total))
  }

  /// What is recorded about the joined bytes. Without a validator nothing but a digest says that they belong together,
  /// and that must stay so for whoever continues them.
  private func continued(_ total: Int64?) -> PartialRecord {
    var continued = PartialRecord(url: source.identity, total: total)
    if isValidated, let record {
      continued = record
      continued.total = total
    }
    return continued
  }

  private func change(_ range: ContentRange, _ head: ResponseHead) -> String? {
    guard let record else { return nil }
    if let total = record.total {
      if let now = range.total, total != now {
        return "the file had \(total) bytes and now has \(now)"
      }
      if range.total == nil, !isProved { return "it doesn't say how long the file is now" }
    }
    guard record.url == source.identity else { return nil }
    if let tag = record.entityTag {
      return difference(tag, head["ETag"], "its entity tag")
    }
    return record.lastModified.flatMap {
      difference($0, head["Last-Modified"], "its modification date")
    }
  }

  private func difference(_ before: String, _ now: String?, _ name: String) -> String? {
    guard let now else { return isProved ? nil : "\(name) is missing" }
    return now == before ? nil : "\(name) changed"
  }
}

private func hasPrefixIgnoringCase(_ text: String, _ prefix: String) -> Bool {
  equalIgnoringCase(String(text.prefix(prefix.count)), prefix)
}
