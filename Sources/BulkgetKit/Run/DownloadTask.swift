import Foundation
import Synchronization

/// One file on its way into the cache: performs what its ``Download`` decides, across all its tries.
///
/// It lives longer than an operation: while it waits for another try it holds no slot of the queue, only its lock, and
/// its next operation goes on with it.
final class DownloadTask: TransferReceiver {
  /// Why a slot is given back.
  enum Pause: Sendable {
    /// With the record of what was published, for those who wait for it.
    case finished(Outcome, CacheRecord?)
    /// The next try comes after so long, and all downloads of the hosts to be calmed wait as well.
    case waits(Duration, Failure, calming: [String])
    /// The next request goes to another host: a redirect or a mirror leads there.
    case moves
    /// Another process downloads the file.
    case held(processID: Int32?)
    /// Another process has put the file into the cache since the plan was made.
    case appeared
  }

  typealias Release = @Sendable (Pause) -> Void

  /// What becomes of the body that is arriving.
  enum Mode {
    case none
    case receiving(Download.Reception, byteCount: Int64)
    /// A body that nobody wants is read up to a bound, which is cheaper than a new connection.
    case ignoring(byteCount: Int)
  }

  struct State {
    var machine: Download
    var mode = Mode.none
    var transfer: TransferID?
    var lock: FileLock?
    var release: Release?
    /// The host at which there is a place for this download now; nil for none.
    var place: String?
    /// What is to be sent when there is a place for it.
    var request: TransferRequest?
    var startedAt: ContinuousClock.Instant?
    var isStarted = false
    var nextProgress: ContinuousClock.Instant
  }

  let index: Int
  let step: Step
  let context: RunContext
  let state: Mutex<State>
  private let body: StagedBody
  private let writer: BodyWriter
  /// Set where nothing may be shared with other processes: the holder of the lock has stopped making progress.
  private let isPrivate: Bool

  /// The progress of smaller files is their end.
  private static let toldByteCount: Int64 = 256 * 1024
  private static let maximumIgnoredByteCount = 256 * 1024

  init(
    _ index: Int, _ step: Step, algorithms: [DigestAlgorithm], isPrivate: Bool,
    in context: RunContext
  ) {
    self.index = index
    self.step = step
    self.context = context
    self.isPrivate = isPrivate
    body = StagedBody(step.entry.key, in: context.cache, algorithms: algorithms)
    writer = BodyWriter(body, on: context.lanes[index], limits: context.limits)
    state = Mutex(
      State(
        machine: Download(Self.order(step, context)), nextProgress: context.moment().instant))
  }

  private static func order(_ step: Step, _ context: RunContext) -> Download.Order {
    var order = Download.Order(
      step.entry, context.configuration, hosts: context.hosts[step.entry.position.manifest])
    if step.action == .revalidate { order.condition = step.record }
    return order
  }

  // MARK: Slots

  /// The host that is asked next; nil for a local source.
  var nextHost: String? {
    state.withLock { $0.request?.host ?? $0.machine.source.hostName }
  }

  /// Goes on, from the beginning or after a pause, with a place at `host`. `release` is called once, when the slot is
  /// free again.
  func run(at host: String?, _ release: @escaping Release) {
    let (isFirst, request) = state.withLock { state in
      state.release = release
      state.place = host
      if state.startedAt == nil { state.startedAt = context.moment().instant }
      defer {
        state.isStarted = true
        state.request = nil
      }
      return (!state.isStarted, state.request)
    }
    if let request { return start(request) }
    if !isFirst { return send(.start(nil)) }
    do throws(CacheError) {
      switch try prepare() {
      case .ready(let partial): send(.start(partial))
      case .blocked(let pause):
        state.withLock { $0.isStarted = false }
        self.release(pause)
      }
    } catch {
      send(.stagingFailed(Failure(error)))
    }
  }

  /// The outcome of a download that waits for its next try when the run ends.
  func cancelledOutcome() -> Outcome {
    var outcome = Outcome(
      status: .cancelled, failure: Failure(.cancelled, "the run ended before the next try"))
    complete(&outcome)
    return outcome
  }

  /// Ends a transfer that is under way; anything else ends by itself soon.
  func cancel() {
    if let transfer = state.withLock({ $0.transfer }) { context.transport.cancel(transfer) }
  }

  /// What a look under the lock brought.
  private enum Preparation {
    case ready(CacheSnapshot.Partial?)
    case blocked(Pause)
  }

  /// Locks the file and looks again at what is there: another process may have finished since the plan was made.
  private func prepare() throws(CacheError) -> Preparation {
    let entry = step.entry
    if !isPrivate {
      switch try context.cache.lock(entry.key) {
      case .acquired(let lock): state.withLock { $0.lock = lock }
      case .held(let processID): return .blocked(.held(processID: processID))
      case .unsupported: break
      }
    }
    body.lock = state.withLock { state in
      // Without the lock nothing of one try is kept for the next.
      state.machine.keepsPartials = state.lock != nil
      return state.lock
    }
    guard try context.cache.hasChanged(entry.key, since: step) else {
      return .ready(step.action == .resume ? try context.cache.partial(of: entry.key) : nil)
    }
    state.withLock { $0.lock = nil }
    body.lock = nil
    return .blocked(.appeared)
  }

  // MARK: Events and actions

  func send(_ event: Download.Event) {
    let actions = state.withLock { $0.machine.handle(event, at: context.moment()) }
    for action in actions { perform(action) }
  }

  private func perform(_ action: Download.Action) {
    switch action {
    case .send(let request):
      let isElsewhere = state.withLock { state in
        guard request.host != state.place else { return false }
        state.request = request
        return true
      }
      if isElsewhere { pause(.moves) } else { start(request) }
    case .copy(let path):
      writer.afterwards { body, _ in self.copy(path, into: body) }
    case .hash:
      writer.afterwards { body, _ in self.hash(body) }
    case .discardPartial:
      writer.afterwards { body, _ in self.tidy { () throws(CacheError) in try body.discard() } }
    case .wait(let duration, let failure, let hosts):
      pause(.waits(duration, failure, calming: hosts))
    case .finish(let ending):
      writer.afterwards { body, _ in self.finish(ending, body) }
    case .receive, .ignoreBody, .hangUp:
      // Answers to a head, given in `transferReceivedHead`.
      break
    }
  }

  private func start(_ request: TransferRequest) {
    let transfer = state.withLock { state in
      state.mode = .none
      // Under the lock: an answer may come at once, and whoever lets it go on or ends it needs the number.
      let transfer = context.transport.start(request, receiver: self)
      state.transfer = transfer
      return transfer
    }
    // A run that ended a moment ago has not seen this transfer.
    if context.isCancelled() { context.transport.cancel(transfer) }
  }

  /// Gives the slot back for now; what is staged stays.
  private func pause(_ pause: Pause) {
    writer.afterwards { body, _ in
      self.tidy { () throws(CacheError) in try body.close() }
      self.release(pause)
    }
  }

  /// A partial that can't be removed or closed costs a warning, not the file.
  func tidy(_ step: () throws(CacheError) -> Void) {
    do throws(CacheError) { try step() } catch {
      let notice = Notice(code: "io", message: error.description)
      state.withLock { $0.machine.warnings.append(notice) }
    }
  }

  func release(_ pause: Pause) {
    let release = state.withLock { state in
      defer { state.release = nil }
      return state.release
    }
    release?(pause)
  }

  // MARK: The transport's calls

  func transferReceivedHead(_ head: ResponseHead) -> Bool {
    let action = state.withLock { state -> Download.Action? in
      let action = state.machine.handle(.head(head), at: context.moment()).first
      switch action {
      case .receive(let reception): state.mode = .receiving(reception, byteCount: 0)
      case .ignoreBody: state.mode = .ignoring(byteCount: 0)
      default: break
      }
      return action
    }
    switch action {
    case .receive(let reception):
      writer.begin(reception) { [weak self] in self?.proceed() }
      return true
    case .ignoreBody: return true
    default: return false
    }
  }

  func transferReceivedBody(_ bytes: RawSpan) -> BodyVerdict {
    let count = bytes.byteCount
    let (verdict, excess, isLarge) = state.withLock { state -> (BodyVerdict, Failure?, Bool) in
      switch state.mode {
      case .none: return (.stop, nil, false)
      case .ignoring(let ignored):
        state.mode = .ignoring(byteCount: ignored + count)
        return (ignored + count > Self.maximumIgnoredByteCount ? .stop : .taken, nil, false)
      case .receiving(let reception, let received):
        if let limit = reception.limit, reception.offset + received + Int64(count) > limit {
          return (.stop, reception.excess, false)
        }
        let verdict = writer.take(bytes)
        if verdict == .taken {
          state.mode = .receiving(reception, byteCount: received + Int64(count))
        }
        return (verdict, nil, reception.total.map { $0 > Self.toldByteCount } ?? true)
      }
    }
    if let excess { send(.refused(excess)) }
    if verdict == .taken, isLarge { tellProgress() }
    return verdict
  }

  func transferEnded(_ fault: TransferFault?) {
    let received = state.withLock { state -> Int64? in
      state.transfer = nil
      guard case .receiving(_, let received) = state.mode else { return nil }
      return received
    }
    guard let received else { return send(.ended(fault, byteCount: 0)) }
    writer.afterwards { _, error in
      if let error { return self.send(Self.event(error)) }
      self.send(.ended(fault, byteCount: received))
    }
  }

  /// What a failure of the staging area means: without the kept bytes, the file can still be fetched.
  static func event(_ error: CacheError) -> Download.Event {
    if case .changed = error { return .partialLost }
    return .stagingFailed(Failure(error))
  }

  private func proceed() {
    if let transfer = state.withLock({ $0.transfer }) { context.transport.proceed(transfer) }
  }

  /// A few times a second is enough for any display.
  private func tellProgress() {
    let now = context.moment().instant
    let event = state.withLock { state -> RunEvent? in
      guard now >= state.nextProgress, case .receiving(let reception, let received) = state.mode
      else { return nil }
      state.nextProgress = now + .milliseconds(200)
      return .received(step: index, byteCount: reception.offset + received, total: reception.total)
    }
    if let event { context.emit(event) }
  }
}

extension Download.Order {
  /// What the configuration means for one entry of a manifest with these hosts.
  init(_ entry: Entry, _ configuration: Configuration, hosts: [String: HostSettings]) {
    self.init(entry: entry)
    self.hosts = hosts
    proxies = configuration.proxies
    netrc = configuration.netrc
    policy.retries = configuration.retries
    policy.maximumWait = configuration.maximumRetryWait
    maximumFileSize = configuration.maximumFileSize
  }
}
