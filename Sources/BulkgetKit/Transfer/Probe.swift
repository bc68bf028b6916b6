import Foundation

/// What a server says about a file without sending it.
public struct ProbeResult: Hashable, Sendable {
  /// The file's size in bytes; nil where the server doesn't tell.
  public var byteCount: Int64?
  /// The entity tag (RFC 9110 §8.8.3).
  public var entityTag: String?
  /// The `Last-Modified` (RFC 9110 §8.8.2), as sent.
  public var lastModified: String?
  /// Whether parts are served (RFC 9110 §14.2), as a 206 proves; nil where only `Accept-Ranges` says so.
  public var servesRanges: Bool?
  /// The URL of the answer, without secrets.
  public var finalURL: String?
  /// Why nothing is known.
  public var failure: Failure?
}

/// Asks for a file's size as a pure state machine: HEAD first, and a GET of one byte where that tells nothing.
///
/// It is told what happened and says what to do next, like ``Download``, whose rules for redirects and credentials it
/// shares. No body is read: a server that ignores the range is hung up on.
struct Probe: Sendable {
  enum Event: Sendable {
    case start
    case head(ResponseHead)
    case ended(TransferFault?)
  }

  enum Action: Sendable {
    case send(TransferRequest)
    /// Answer to a head: end the transfer, and its connection with it: some servers send a body after HEAD, late enough
    /// to be taken for the next answer.
    case hangUp
    case finish(ProbeResult)
  }

  /// How the current source is asked.
  private enum Method { case head, firstByte }

  /// What the head decided, done when the transfer has ended.
  private enum Decision {
    case redirect(ResourceURL)
    case askOtherwise(Failure)
    case next(Failure)
    case finish(ProbeResult)
  }

  private let order: Download.Order
  private var sourceIndex = 0
  private var chain: RequestChain
  private var method = Method.head
  private var decision: Decision?

  init(_ order: Download.Order) {
    self.order = order
    chain = RequestChain(order.entry.sources[0])
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .start: return begin()
    case .head(let head):
      decision = judge(head)
      return [.hangUp]
    case .ended(let fault): return ended(fault)
    }
  }

  private mutating func begin() -> [Action] {
    chain = RequestChain(order.entry.sources[sourceIndex])
    guard case .remote(let url) = chain.source else {
      return next(Failure(.io, "a local source is no server"))
    }
    return [send(url)]
  }

  private mutating func send(_ url: ResourceURL) -> Action {
    decision = nil
    let lines = method == .head ? [] : ["Range: bytes=0-0"]
    var request = chain.request(for: url, lines, order)
    request.isHead = method == .head
    return .send(request)
  }

  private mutating func judge(_ head: ResponseHead) -> Decision {
    if let location = head.redirectLocation {
      do throws(Failure) { return .redirect(try chain.target(of: location)) } catch {
        return .next(error)
      }
    }
    let refusal = Failure(.httpStatus, "\(chain.source.redacted) answered \(head.status)")
    let range = head["Content-Range"].flatMap(ContentRange.init)
    switch (method, head.status) {
    case (.head, 200), (.head, 203):
      // Zero is what servers say that don't know.
      if let length = head.contentLength, length > 0 { return .finish(result(head, length)) }
      return .askOtherwise(refusal)
    case (.head, _): return .askOtherwise(refusal)
    case (.firstByte, 206):
      guard let range, range.first == 0 else { return .next(otherPart) }
      return .finish(result(head, range.total, servesRanges: true))
    case (.firstByte, 200), (.firstByte, 203):
      return .finish(result(head, head.contentLength, servesRanges: false))
    case (.firstByte, 416) where range?.total == 0:
      // An empty file has no first byte.
      return .finish(result(head, 0))
    case (.firstByte, _): return .next(refusal)
    }
  }

  private var otherPart: Failure {
    Failure(.rangeMismatch, "\(chain.source.redacted) sent another part than its first byte")
  }

  private func result(
    _ head: ResponseHead, _ byteCount: Int64?, servesRanges: Bool? = nil
  ) -> ProbeResult {
    ProbeResult(
      byteCount: byteCount, entityTag: head["ETag"], lastModified: head["Last-Modified"],
      servesRanges: servesRanges, finalURL: chain.url?.redacted)
  }

  private mutating func ended(_ fault: TransferFault?) -> [Action] {
    switch decision {
    case .redirect(let url): return [send(url)]
    case .finish(let result): return [.finish(result)]
    case .next(let failure): return next(failure)
    case .askOtherwise(let failure): return askOtherwise(failure)
    case nil:
      let url = chain.url?.redacted ?? chain.source.redacted
      let failure = fault.map { Failure($0, url: url) } ?? Failure(.connectionFailed, url)
      switch fault {
      // Some servers know GET and drop or forget whoever sends HEAD, or answer HEAD with no HTTP.
      case .stalled, .reset, .truncated, .malformed: return askOtherwise(failure)
      case .cancelled: return [.finish(ProbeResult(failure: failure))]
      default: return next(failure)
      }
    }
  }

  private mutating func askOtherwise(_ failure: Failure) -> [Action] {
    if method == .firstByte { return next(failure) }
    method = .firstByte
    return begin()
  }

  private mutating func next(_ failure: Failure) -> [Action] {
    guard sourceIndex + 1 < order.entry.sources.count else {
      return [.finish(ProbeResult(failure: failure))]
    }
    sourceIndex += 1
    method = .head
    return begin()
  }
}
