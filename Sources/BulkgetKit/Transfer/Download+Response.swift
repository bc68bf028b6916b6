import Foundation
import BulkgetSystem

extension Download {
  /// Decides what becomes of a response as soon as its header is there.
  mutating func received(_ head: ResponseHead, at moment: Moment) -> Action {
    if let location = head.redirectLocation { return follow(location, head.status) }
    self.head = head
    attempts.indices.last.map { attempts[$0].httpStatus = head.status }
    switch head.status {
    case 200, 203: return receive(head)
    case 206: return receivePart(head)
    case 304 where isConditional: return decide(.notModified)
    default: break
    }
    if head.status == 416, let resumption {
      return rangeNotSatisfiable(head, from: resumption.offset)
    }
    return decide(refusal(head, at: moment))
  }

  /// Puts the decision off to the transfer's end; a short body is read so that the connection stays usable.
  private mutating func decide(_ decision: Decision) -> Action {
    phase = .ending(decision)
    return .ignoreBody
  }

  private mutating func hangUp(_ failure: Failure, _ retry: Retry = .never) -> Action {
    phase = .ending(.fail(failure, retry))
    return .hangUp
  }

  // MARK: Redirects

  private mutating func follow(_ location: String, _ status: Int) -> Action {
    attempts.indices.last.map { attempts[$0].httpStatus = status }
    do throws(Failure) {
      return decide(.redirect(try chain.target(of: location)))
    } catch {
      return hangUp(error)
    }
  }

  // MARK: Bodies

  private mutating func receive(_ head: ResponseHead) -> Action {
    // What the server sends now is everything, whatever was asked for.
    let record = PartialRecord(
      url: source.identity, entityTag: head["ETag"], lastModified: head["Last-Modified"],
      date: head["Date"], total: head.contentLength)
    return receive(record, offset: 0)
  }

  private mutating func receive(_ record: PartialRecord, offset: Int64) -> Action {
    if let refused = sizeFailure(record.total) {
      return refused.code == .truncated ? hangUp(refused, .afterBackoff) : hangUp(refused)
    }
    var reception = Reception(record: record)
    reception.offset = offset
    reception.total = record.total
    (reception.limit, reception.excess) = bound
    phase = .receiving(reception)
    return .receive(reception)
  }

  /// How many bytes a body may have, and what more of them mean.
  private var bound: (limit: Int64?, excess: Failure?) {
    let limit = order.maximumFileSize
    if let size = order.entry.size, size <= limit ?? .max {
      let message =
        "\(source.redacted) sent more than the \(size) bytes that \(order.entry.sizeOrigin) gives"
        + order.entry.wrongSizeHint
      return (size, Failure(.sizeMismatch, message))
    }
    return (limit, limit.map(tooLarge))
  }

  /// What an announced length says before any byte of the body.
  private func sizeFailure(_ total: Int64?) -> Failure? {
    guard let total else { return nil }
    if total == 0, expectsBytes { return emptyBody }
    if let size = order.entry.size, total != size {
      return Failure(
        .sizeMismatch,
        "\(source.redacted) announces \(total) bytes, \(order.entry.sizeOrigin) gives \(size)"
          + order.entry.wrongSizeHint)
    }
    if let limit = order.maximumFileSize, total > limit { return tooLarge(limit) }
    return nil
  }

  /// Whether the manifest promises at least one byte.
  var expectsBytes: Bool {
    if let size = order.entry.size { return size > 0 }
    return order.entry.digests.contains { $0 != Digest.empty($0.algorithm) }
  }

  var emptyBody: Failure {
    Failure(.truncated, "\(source.redacted) sent no bytes where the manifest promises some")
  }

  func tooLarge(_ limit: Int64) -> Failure {
    Failure(
      .tooLarge, "\(source.redacted) is larger than \(limit) bytes, the limit of `--max-file-size`")
  }

  private mutating func receivePart(_ head: ResponseHead) -> Action {
    guard let resumption else {
      return hangUp(Failure(.rangeMismatch, "\(source.redacted) sent a part of the file unasked"))
    }
    switch SplicePoint(resumption, partial?.record, source, order.entry).judge(head) {
    case .fits(let record):
      resumedByteCount = resumption.offset
      return receive(record, offset: resumption.offset)
    case .changed(let problem):
      return startOver(because: problem)
    case .malformed(let problem):
      // Whoever can't say what it sends isn't asked for parts again.
      mayResume = false
      return startOver(because: problem)
    }
  }

  private mutating func startOver(because problem: String) -> Action {
    phase = .ending(
      .startOver(Failure(.rangeMismatch, "\(source.redacted) can't be resumed: \(problem)")))
    return .hangUp
  }

  /// The kept bytes may be the whole file, or more than it (RFC 9110 §15.5.17).
  private mutating func rangeNotSatisfiable(_ head: ResponseHead, from offset: Int64) -> Action {
    let total = head["Content-Range"].flatMap(ContentRange.init)?.total
    if total == offset, !order.entry.digests.isEmpty { return decide(.checkPartial) }
    return decide(
      .startOver(Failure(.rangeMismatch, "\(source.redacted) has no bytes from \(offset) on")))
  }

  // MARK: Refusals

  /// A status that brings no file: whether it can pass, and when.
  private mutating func refusal(_ head: ResponseHead, at moment: Moment) -> Decision {
    if head.status == 407 {
      return .fail(
        Failure(.proxy, "the proxy wants credentials (407) for \(source.redacted)"), .never)
    }
    let failure = Failure(.httpStatus, statusMessage(head))
    switch head.status {
    case 404, 410:
      // The file is gone, and with it what its kept bytes could become; those of a mirror's may yet be of use.
      let isOther = partial?.record.map { $0.url != source.identity } ?? false
      return isOther ? .fail(failure, .never) : .discard(failure, .never)
    case 408, 425, 429, 500, 502, 503, 504:
      let asked = head["Retry-After"].flatMap {
        RetryAfter.wait($0, now: Int64(moment.date.timeIntervalSince1970), date: HTTPDate.seconds)
      }
      return .fail(failure, asked.map { .after($0) } ?? .afterBackoff)
    case 204 where expectsBytes: return .fail(failure, .afterBackoff)
    default: return .fail(failure, .never)
    }
  }

  private func statusMessage(_ head: ResponseHead) -> String {
    let reason = head.reason.isEmpty ? "" : " " + head.reason
    return "\(sender) answered \(head.status)\(reason)"
  }

  /// Who answered: the manifest's URL, and the one that it led to.
  var sender: String {
    let url = finalURL.map(\.redacted) ?? source.redacted
    return url == source.redacted ? url : "\(url), redirected to by \(source.redacted),"
  }
}

extension Digest {
  /// The digest of no bytes at all.
  static func empty(_ algorithm: DigestAlgorithm) -> Digest? {
    MessageDigest(algorithm.system).flatMap { Digest(algorithm, bytes: $0.finish()) }
  }
}
