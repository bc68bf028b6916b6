package import Foundation

/// One download as a pure state machine: it is told what happened and says what to do next.
///
/// Mirrors, redirects, resuming, checking and retries are decided here, without network, threads or a clock, so that
/// each rule is tested as a table of events and actions. Whoever performs the actions reports back with events, one
/// at a time.
///
/// ```
/// start ─► send ─► head ─┬─ redirect ──► ignore the body ─► send …
///                        ├─ body wanted ─► receive ─► ended ─► check ─► finish
///                        └─ refused ────► hang up ──┐
///                              ended with a fault ──┴─► wait ─► start …   or the next source, or finish
/// ```
package struct Download: Sendable {
  /// What is wanted and how patiently.
  package struct Order: Sendable {
    package var entry: Entry
    package var hosts: [String: HostSettings] = [:]
    package var proxies = ProxySettings()
    package var netrc: Netrc?
    package var policy = RetryPolicy()
    package var maximumFileSize: Int64?
    /// The record whose file the server is asked about; nil for an unconditional request.
    package var condition: CacheRecord?

    package init(entry: Entry) { self.entry = entry }
  }

  /// The time an event happened.
  package struct Moment: Sendable {
    package var date: Date
    package var instant: ContinuousClock.Instant
    /// From 0 to 1, for the jitter of a wait.
    package var jitter: Double

    package init(date: Date, instant: ContinuousClock.Instant, jitter: Double) {
      self.date = date
      self.instant = instant
      self.jitter = jitter
    }
  }

  /// What happened.
  package enum Event: Sendable {
    /// There is a slot for this download: at first, and again after each ``Action/wait(_:)``. At first with what an
    /// interrupted download left.
    case start(CacheSnapshot.Partial?)
    /// The header of the answer to ``Action/send(_:)``.
    case head(ResponseHead)
    /// The receiver stopped the transfer for a reason of its own; ``ended(_:byteCount:)`` follows.
    case refused(Failure)
    /// The transfer has ended, with so many bytes of the body staged.
    case ended(TransferFault?, byteCount: Int64)
    /// The local source was copied, or couldn't be.
    case copied(byteCount: Int64, failure: Failure?)
    /// The staged bytes begin like an HTML page.
    case looksLikeHTML
    /// The staged bytes have these digests.
    case hashed([Digest])
    /// The staging area failed: a full disk, say. Nothing can be kept.
    case stagingFailed(Failure)
    /// The bytes that were to be continued are not there any more.
    case partialLost
    /// The run ends.
    case cancelled
  }

  /// What to do.
  package enum Action: Sendable {
    case send(TransferRequest)
    /// Stage the bytes of a local file.
    case copy(path: String)
    /// Answer to a head: stage the body.
    case receive(Reception)
    /// Answer to a head: drop the body, so that the connection can be used again.
    case ignoreBody
    /// Answer to a head: end the transfer.
    case hangUp
    /// Hash what is staged and report ``Event/hashed(_:)``.
    case hash
    /// Remove the staged bytes and their record.
    case discardPartial
    /// Give the slot back and come again after so long, and all downloads of the hosts to be calmed as well.
    case wait(Duration, Failure, calming: [String])
    case finish(Ending)
  }

  /// How a body is staged.
  package struct Reception: Hashable, Sendable {
    /// Where the first byte belongs: bytes before it are kept, the rest is replaced.
    package var offset: Int64 = 0
    /// What is kept beside the partial.
    package var record: PartialRecord
    /// The complete length, where it is known.
    package var total: Int64?
    /// More bytes than this end the transfer with ``excess``.
    package var limit: Int64?
    package var excess: Failure?
  }

  /// How a download ends.
  package enum Ending: Sendable {
    /// The staged bytes are proved; their digests.
    case complete([Digest])
    case notModified
    case failed(Failure)
  }

  /// What is decided but has to wait for the transfer's end.
  enum Decision: Sendable {
    case redirect(ResourceURL)
    case fail(Failure, Retry)
    /// Fails, and what is staged is of no use to anybody.
    case discard(Failure, Retry)
    /// Forget the partial and ask again for everything.
    case startOver(Failure)
    case checkPartial
    case notModified
  }

  /// Whether a failure is worth another try at the same URL.
  enum Retry: Sendable {
    case never
    case afterBackoff
    case after(Duration)
  }

  enum Phase: Sendable {
    case idle
    case requested
    case receiving(Reception)
    case ending(Decision)
    case hashing
    case finished
  }

  let order: Order
  var phase = Phase.idle
  var sourceIndex = 0
  var retriesUsed = 0
  /// The requests of the current try.
  var chain: RequestChain
  /// What is staged and could be resumed.
  var partial: CacheSnapshot.Partial?
  var longestPartial: Int64 = 0
  /// The length of what is to be hashed.
  package internal(set) var stagedByteCount: Int64 = 0
  /// Where the current request goes on; nil where it asks for everything.
  var resumption: ResumePoint?
  /// After a wrong splice nothing is resumed any more.
  var mayResume = true
  /// Whether what a try leaves is still there for the next one.
  package var keepsPartials = true
  /// The last response to the current source that was not a redirect.
  var head: ResponseHead?
  /// The connection broke where only size or digests can tell whether the body was over: what it means if they don't.
  var doubt: Failure?

  /// Every try so far; the last one may be under way.
  package internal(set) var attempts: [Attempt] = []
  package var warnings: [Notice] = []
  /// The bytes of an earlier try or run that the result was made with.
  package internal(set) var resumedByteCount: Int64 = 0
  /// The URL of the last response.
  package internal(set) var finalURL: ResourceURL?
  private var attemptStart: ContinuousClock.Instant?

  package init(_ order: Order) {
    self.order = order
    chain = RequestChain(order.entry.sources[0])
  }

  /// The source that is being tried, or was tried last.
  package var source: Source {
    order.entry.sources[min(sourceIndex, order.entry.sources.count - 1)]
  }

  /// Whether the body is sent as HTML where that is neither meant nor ruled out by a digest: a sign-in page, a portal.
  package var isSuspicious: Bool {
    guard let value = head?["Content-Type"], order.entry.digests.isEmpty,
      let type = order.entry.type,
      !["html", "htm", "xhtml"].contains(type.description)
    else { return false }
    let name = String(trimmingWhitespace(value.prefix { $0 != ";" }))
    return equalIgnoringCase(name, "text/html") || equalIgnoringCase(name, "application/xhtml+xml")
  }

  /// The validators of the file that was received (RFC 9110 §8.8).
  package var validators: (entityTag: String?, lastModified: String?) {
    // Part of a file may come without what the whole one was sent with (RFC 9110 §15.3.7).
    let record = partial?.record?.url == source.identity ? partial?.record : nil
    return (
      head?["ETag"] ?? record?.entityTag, head?["Last-Modified"] ?? record?.lastModified
    )
  }

  /// Takes one event and says what to do.
  package mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
    switch event {
    case .start(let found):
      if attempts.isEmpty { partial = found }
      return begin(at: moment)
    case .head(let head):
      return [received(head, at: moment)]
    case .refused(let failure):
      phase = .ending(.discard(failure, .never))
      return []
    case .ended(let fault, let byteCount):
      return ended(fault, byteCount, at: moment)
    case .copied(let byteCount, let failure):
      attempts.indices.last.map { attempts[$0].byteCount = byteCount }
      stagedByteCount = byteCount
      if let failure { return failTry(failure, .never, at: moment) }
      return check(byteCount: byteCount, at: moment)
    case .looksLikeHTML:
      return foundHTML(at: moment)
    case .hashed(let digests):
      return compared(digests, at: moment)
    case .stagingFailed(let failure):
      return finish(.failed(failure), at: moment)
    case .partialLost:
      return startOver(
        Failure(.rangeMismatch, "the kept part of \(source.redacted) is gone or has changed"),
        at: moment)
    case .cancelled:
      return finish(
        .failed(Failure(.cancelled, "the run ended before the file was complete")), at: moment)
    }
  }

  /// Begins a try at the current source: opens an attempt, and resumes where that is safe.
  mutating func begin(at moment: Moment) -> [Action] {
    var attempt = Attempt(url: source.redacted, startedAt: moment.date)
    attempt.httpStatus = nil
    attempts.append(attempt)
    attemptStart = moment.instant
    head = nil
    doubt = nil
    chain = RequestChain(source)
    resumedByteCount = 0
    switch source {
    case .local(let path):
      phase = .requested
      finalURL = nil
      return [.copy(path: path)]
    case .remote(let source):
      return [send(source)]
    }
  }

  /// Ends the current attempt.
  mutating func closeAttempt(_ failure: Failure?, at moment: Moment) {
    guard let last = attempts.indices.last, let start = attemptStart else { return }
    attempts[last].duration = moment.instant - start
    attempts[last].failure = failure
    attemptStart = nil
  }

  mutating func finish(_ ending: Ending, at moment: Moment) -> [Action] {
    if case .failed(let failure) = ending {
      closeAttempt(failure, at: moment)
    } else {
      closeAttempt(nil, at: moment)
    }
    phase = .finished
    return [.finish(ending)]
  }

  /// A try has failed: another one after a wait, the next source, or the end.
  mutating func failTry(_ failure: Failure, _ retry: Retry, at moment: Moment) -> [Action] {
    closeAttempt(failure, at: moment)
    noteProgress()
    if let wait = wait(retry, at: moment) {
      retriesUsed += 1
      phase = .idle
      return [.wait(wait, failure, calming: overloadedHosts)]
    }
    guard sourceIndex + 1 < order.entry.sources.count, attempts.count < order.policy.maximumAttempts
    else {
      phase = .finished
      return [.finish(.failed(failure))]
    }
    sourceIndex += 1
    retriesUsed = 0
    longestPartial = 0
    return begin(at: moment)
  }

  /// A try that brought something worth keeping shows that trying is worth while: the count begins afresh.
  private mutating func noteProgress() {
    guard let partial, partial.record?.url == source.identity,
      partial.byteCount >= longestPartial + order.policy.progress
    else { return }
    longestPartial = partial.byteCount
    retriesUsed = 0
  }

  /// Who has just said that it is too much (RFC 6585 §4, RFC 9110 §15.6.4), and who leads there.
  private var overloadedHosts: [String] {
    guard let status = head?.status, status == 429 || status == 503,
      case .remote(let asked) = source
    else { return [] }
    return Set([asked.hostName] + (finalURL.map { [$0.hostName] } ?? [])).sorted()
  }

  private func wait(_ retry: Retry, at moment: Moment) -> Duration? {
    guard attempts.count < order.policy.maximumAttempts else { return nil }
    guard retriesUsed < order.policy.retries else { return nil }
    switch retry {
    case .never: return nil
    case .afterBackoff:
      return order.policy.wait(beforeRetry: retriesUsed + 1, jitter: moment.jitter)
    case .after(let wait):
      // A server that asks for longer than anybody wants to wait is not asked again.
      return wait <= order.policy.maximumWait ? wait : nil
    }
  }

  /// Asks the current source again for the whole file, at no cost in retries.
  mutating func startOver(_ failure: Failure, at moment: Moment) -> [Action] {
    closeAttempt(failure, at: moment)
    partial = nil
    return [.discardPartial] + begin(at: moment)
  }
}
