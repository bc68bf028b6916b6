import Foundation
import Synchronization

/// Carries out a plan: downloads through an `OperationQueue`, disk work beside it, and an outcome for each step.
///
/// What is decided under the lock is a value; operations, timers and callbacks are started after it is released.
final class Runner: Sendable {
  /// Why a run ends before its plan does.
  enum Stop: Sendable, Equatable {
    /// The caller's wish: a signal.
    case asked(signal: Int32?)
    case maximumTime
    /// The first failure, with `--fail-fast`.
    case failure
    case diskFull(Failure)
  }

  /// What came of a plan.
  struct Result: Sendable {
    /// The steps as they were carried out: a rehash that found damage has become a download.
    var steps: [Step]
    var outcomes: [Outcome]
    var stop: Stop?
    /// The index could not be written: files are right, but later runs don't know them.
    var indexFailure: CacheError?
  }

  private struct State {
    var steps: [Step]
    var outcomes: [Outcome?]
    var unfinishedCount: Int
    var feeder: Feeder
    /// Downloads that hold no slot at the moment, and those that do.
    var tasks: [Int: DownloadTask] = [:]
    var operationCount = 0
    /// Steps for the disk, taken from the front.
    var diskSteps: [Int] = []
    var nextDiskStep = 0
    var diskWorkerCount = 0
    /// Steps that are served by another one's transfer.
    var followers: [Int: [Int]] = [:]
    /// What leaders have published, until their followers have taken it.
    var published: [Int: CacheRecord] = [:]
    /// How long each step has waited for another process.
    var heldSince: [Int: ContinuousClock.Instant] = [:]
    var stop: Stop?
    var completion: CheckedContinuation<Void, Never>?
  }

  let context: RunContext
  private let stopFlag: StopFlag
  private let configuration: Configuration
  private let state: Mutex<State>
  private let queue = OperationQueue()
  private let diskQueue = DispatchQueue(label: "disk", attributes: .concurrent)
  private let timers = DispatchQueue(label: "timers")

  init(_ plan: Plan, _ context: RunContext, _ stopFlag: StopFlag) {
    self.context = context
    self.stopFlag = stopFlag
    configuration = context.configuration
    queue.maxConcurrentOperationCount = configuration.jobs
    // Operations only start transfers: on the threads that finish files anyway, that costs no change of threads.
    unsafe queue.underlyingQueue = context.lanes.operations
    var limits: [String: Int] = [:]
    for hosts in context.hosts {
      for (host, settings) in hosts {
        guard let connections = settings.connections else { continue }
        limits[host] = min(connections, limits[host] ?? .max)
      }
    }
    state = Mutex(
      State(
        steps: plan.steps, outcomes: Array(repeating: nil, count: plan.steps.count),
        unfinishedCount: plan.steps.count,
        feeder: Feeder(
          HostGovernor(
            jobs: configuration.jobs, limit: configuration.connectionsPerHost, limits: limits))))
  }

  /// Carries the plan out. Returns when every step has an outcome and the index is written.
  func run() async -> Result {
    sortSteps()
    let timer = startTimer()
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.unfinishedCount > 0 { state.completion = continuation }
        return state.unfinishedCount == 0
      }
      if isDone { continuation.resume() } else { pump() }
    }
    timer?.cancel()
    var indexFailure: CacheError?
    do throws(CacheError) { try context.cache.flush() } catch { indexFailure = error }
    return state.withLock { state in
      Result(
        steps: state.steps, outcomes: state.outcomes.map { $0 ?? Outcome(status: .cancelled) },
        stop: state.stop, indexFailure: indexFailure)
    }
  }

  /// Ends the run: what is under way keeps its partial files, the rest is cancelled. Only the first reason counts.
  func stop(_ reason: Stop) {
    let isFirst = state.withLock { state in
      guard state.stop == nil else { return false }
      state.stop = reason
      return true
    }
    if isFirst { cancelAll() }
  }

  /// Ends what is under way and empties the lines, to which nothing is added once there is a reason to stop.
  private func cancelAll() {
    let (waiting, tasks) = state.withLock { state -> ([Int], [Int: DownloadTask]) in
      let waiting = state.feeder.removeAll().map(\.step) + state.diskSteps[state.nextDiskStep...]
      state.diskSteps = []
      state.nextDiskStep = 0
      return (waiting, state.tasks)
    }
    // Set after the lines were emptied: whoever sees it finds nothing left to start.
    stopFlag.set()
    let idle = Set(waiting)
    for step in waiting { finish(step, tasks[step]?.cancelledOutcome() ?? cancelled(step)) }
    for (step, task) in tasks where !idle.contains(step) { task.cancel() }
  }

  private func startTimer() -> DispatchWorkItem? {
    guard let time = configuration.maximumTime else { return nil }
    let item = DispatchWorkItem { [weak self] in self?.stop(.maximumTime) }
    timers.asyncAfter(deadline: .now() + time.timeInterval, execute: item)
    return item
  }

  // MARK: Sorting the steps

  /// Gives each step an outcome at once, or a place in one of the lines.
  private func sortSteps() {
    let steps = state.withLock { $0.steps }
    var immediate: [(Int, Outcome)] = []
    state.withLock { state in
      for (index, step) in steps.enumerated() {
        if let outcome = immediateOutcome(of: step) {
          immediate.append((index, outcome))
        } else if let leader = step.leader {
          state.followers[leader, default: []].append(index)
        } else if step.isForDisk {
          state.diskSteps.append(index)
        } else {
          state.feeder.add(Feeder.Item(index, step))
        }
      }
    }
    for (index, outcome) in immediate { finish(index, outcome) }
    // A reason to stop that came before the lines were filled has not emptied them.
    if state.withLock({ $0.stop != nil }) { cancelAll() }
  }

  /// The outcome of a step that needs no work, or can't have any.
  private func immediateOutcome(of step: Step) -> Outcome? {
    if let conflict = step.conflict { return Outcome(status: .failed, failure: conflict) }
    switch step.action {
    case .skip: return Outcome(status: .skipped)
    case .keep: return keep(step)
    case .download, .resume:
      guard step.leader == nil, !context.cache.isWritable else { return nil }
      return Outcome(
        status: .failed, failure: Failure(.unwritable(path: context.cache.layout.directory)))
    case .place, .rehash, .revalidate: return nil
    }
  }

  private func keep(_ step: Step) -> Outcome {
    var outcome = Outcome(status: .cached)
    guard let record = step.record else { return outcome }
    outcome.describe(record, at: context.cache.layout.path(of: record.key, type: record.type))
    outcome.destination = step.entry.destination.map(context.placement.path)
    context.cache.noteUse(of: record, now: context.now)
    return outcome
  }

  // MARK: Feeding

  /// Starts as much as there is room for: operations for downloads, workers for the disk.
  private func pump() {
    let (items, workers) = state.withLock { state in (nextItems(&state), newWorkers(&state)) }
    for item in items { queue.addOperation(DownloadOperation(self, item)) }
    for _ in 0..<workers { diskQueue.async { self.workOnDisk() } }
  }

  /// A few more than can run, so that the next operation is there when one ends.
  private func nextItems(_ state: inout State) -> [Feeder.Item] {
    guard state.stop == nil else { return [] }
    var items: [Feeder.Item] = []
    let now = context.moment().instant
    while state.operationCount < configuration.jobs + min(configuration.jobs, 16),
      let item = state.feeder.next(at: now)
    {
      state.operationCount += 1
      items.append(item)
    }
    return items
  }

  private func newWorkers(_ state: inout State) -> Int {
    let wanted = min(state.diskSteps.count - state.nextDiskStep, Self.maximumDiskWorkers)
    let count = max(0, wanted - state.diskWorkerCount)
    state.diskWorkerCount += count
    return count
  }

  private static let maximumDiskWorkers = max(
    2, min(ProcessInfo.processInfo.activeProcessorCount, 8))

  private func wake(at due: ContinuousClock.Instant) {
    let delay = max(.zero, due - context.moment().instant)
    timers.asyncAfter(deadline: .now() + delay.timeInterval) { [weak self] in self?.pump() }
  }

  // MARK: Downloads

  /// Runs one download for as long as it holds a slot; called by its operation.
  fileprivate func download(_ item: Feeder.Item, _ operation: DownloadOperation) {
    let now = context.moment().instant
    let (task, isEarly) = state.withLock { state -> (DownloadTask?, Bool) in
      guard state.stop == nil else { return (nil, false) }
      // The host was calmed after this had got its place.
      if state.feeder.isResting(item, at: now) {
        state.feeder.add(item)
        return (nil, true)
      }
      return (makeTask(item.step, &state), false)
    }
    guard let task else {
      release(operation, item)
      return isEarly ? pump() : finish(item.step, cancelled(item.step))
    }
    context.emit(.started(step: item.step))
    task.run(at: item.host) { pause in
      self.paused(task, item, pause)
      self.release(operation, item)
      self.pump()
    }
  }

  private func makeTask(_ index: Int, _ state: inout State) -> DownloadTask {
    if let task = state.tasks[index] { return task }
    let held = state.heldSince[index].map { context.moment().instant - $0 } ?? .zero
    let task = DownloadTask(
      index, state.steps[index], algorithms: algorithms(for: index, state),
      isPrivate: held >= configuration.stallTimeout, in: context)
    state.tasks[index] = task
    return task
  }

  /// SHA-256 always, and whatever this entry and those that it serves want to see.
  private func algorithms(for index: Int, _ state: State) -> [DigestAlgorithm] {
    let entries = [index] + (state.followers[index] ?? [])
    let wanted = entries.flatMap { state.steps[$0].entry.digests.map(\.algorithm) }
    return Set(wanted + [.sha256]).sorted()
  }

  private func release(_ operation: DownloadOperation, _ item: Feeder.Item) {
    state.withLock { state in
      state.operationCount -= 1
      state.feeder.release(item)
    }
    operation.finish()
  }

  private func paused(_ task: DownloadTask, _ item: Feeder.Item, _ pause: DownloadTask.Pause) {
    switch pause {
    case .finished(let outcome, let record):
      state.withLock { state in
        if state.followers[item.step] != nil { state.published[item.step] = record }
        if outcome.failure == nil { state.feeder.noteSuccess(item) }
      }
      finish(item.step, outcome)
    case .waits(let duration, let failure, let hosts):
      context.emit(.retrying(step: item.step, failure: failure, wait: duration))
      wait(task, item, duration, calming: hosts)
    case .moves:
      move(task, item)
    case .held(let processID):
      waitForHolder(task, item, processID)
    case .appeared:
      replan(item.step)
    }
  }

  /// Lines a download up for later; its slot goes to others meanwhile.
  private func wait(
    _ task: DownloadTask, _ item: Feeder.Item, _ duration: Duration, calming hosts: [String] = []
  ) {
    var next = item
    next.host = task.nextHost
    let now = context.moment().instant
    let due = now + duration
    let isStopped = state.withLock { state in
      for host in hosts { state.feeder.calm(host, until: due, now: now) }
      if state.stop == nil { state.feeder.add(next, due: due) }
      return state.stop != nil
    }
    if isStopped { return finish(item.step, task.cancelledOutcome()) }
    wake(at: due)
  }

  /// Lines a download up at the host that it was led to. It keeps no place while it waits for one there: two that were
  /// led to each other's hosts would wait for ever.
  private func move(_ task: DownloadTask, _ item: Feeder.Item) {
    var next = item
    next.host = task.nextHost
    let isStopped = state.withLock { state in
      state.feeder.noteSuccess(item)
      if state.stop == nil { state.feeder.add(next) }
      return state.stop != nil
    }
    if isStopped { finish(item.step, task.cancelledOutcome()) }
  }

  private func waitForHolder(_ task: DownloadTask, _ item: Feeder.Item, _ processID: Int32?) {
    let isFirst = state.withLock { state in
      // The task goes: the next one may have to be private.
      state.tasks[item.step] = nil
      if state.heldSince[item.step] != nil { return false }
      state.heldSince[item.step] = context.moment().instant
      return true
    }
    if isFirst {
      let path = context.cache.layout.path(of: task.step.entry.key, type: task.step.entry.type)
      context.emit(.waiting(step: item.step, processID: processID, path: path))
    }
    wait(task, item, .milliseconds(100))
  }

  /// Another process has put the file into the cache: the step is planned again.
  private func replan(_ index: Int) {
    let step = state.withLock { state in
      state.tasks[index] = nil
      return state.steps[index]
    }
    do throws(CacheError) {
      restart(index, as: try context.replanned(step))
    } catch {
      finish(index, Outcome(status: .failed, failure: Failure(error)))
    }
  }

  /// Takes up a step in a new form.
  private func restart(_ index: Int, as step: Step) {
    if let outcome = immediateOutcome(of: step) {
      state.withLock { $0.steps[index] = step }
      return finish(index, outcome)
    }
    let isStopped = state.withLock { state in
      state.steps[index] = step
      if state.stop != nil { return true }
      if step.isForDisk {
        state.diskSteps.append(index)
      } else {
        state.feeder.add(Feeder.Item(index, step))
      }
      return false
    }
    if isStopped { return finish(index, cancelled(index)) }
    pump()
  }

  // MARK: Disk work

  private func workOnDisk() {
    while let (index, step) = nextDiskStep() {
      switch DiskStep(step, context).perform() {
      case .done(let outcome): finish(index, outcome)
      case .becomes(let next): restart(index, as: next)
      }
    }
  }

  private func nextDiskStep() -> (Int, Step)? {
    state.withLock { state in
      guard state.nextDiskStep < state.diskSteps.count else {
        state.diskSteps = []
        state.nextDiskStep = 0
        state.diskWorkerCount -= 1
        return nil
      }
      defer { state.nextDiskStep += 1 }
      let index = state.diskSteps[state.nextDiskStep]
      return (index, state.steps[index])
    }
  }

  // MARK: Outcomes

  private func cancelled(_ index: Int) -> Outcome {
    Outcome(
      status: .cancelled, failure: Failure(.cancelled, "the run ended before this file's turn"))
  }

  /// Notes a step's outcome, once, and sees to what depends on it.
  private func finish(_ index: Int, _ outcome: Outcome) {
    var told = outcome
    let dependents = state.withLock { state -> ([Int], CheckedContinuation<Void, Never>?)? in
      guard state.outcomes[index] == nil else { return nil }
      // The report takes the step's own warnings from the step.
      told.warnings = state.steps[index].warnings + outcome.warnings
      state.outcomes[index] = outcome
      state.tasks[index] = nil
      state.unfinishedCount -= 1
      defer { if state.unfinishedCount == 0 { state.completion = nil } }
      return (
        state.followers.removeValue(forKey: index) ?? [],
        state.unfinishedCount == 0 ? state.completion : nil
      )
    }
    guard let (followers, completion) = dependents else { return }
    context.emit(.finished(step: index, outcome: told))
    stopIfNeeded(index, outcome)
    for follower in followers { follow(follower, index, outcome) }
    completion?.resume()
  }

  private func stopIfNeeded(_ index: Int, _ outcome: Outcome) {
    guard let failure = outcome.failure, outcome.status == .failed else { return }
    if failure.code == .diskFull { return stop(.diskFull(failure)) }
    let isOptional = state.withLock { $0.steps[index].entry.isOptional }
    if configuration.stopsAtFirstFailure, !isOptional { stop(.failure) }
  }

  private func ownDownload(_ step: Step) -> Step {
    var own = Step(
      entry: step.entry, action: .download, reason: .missing, byteCount: step.entry.size)
    own.record = step.record
    return own
  }

  /// A leader has ended: its follower takes the bytes, or tries by itself where it has sources of its own.
  private func follow(_ index: Int, _ leader: Int, _ outcome: Outcome) {
    let (step, leading) = state.withLock { ($0.steps[index], $0.steps[leader]) }
    switch outcome.status {
    case .downloaded, .revalidated, .cached:
      let record = state.withLock { $0.published[leader] }
      let isRight = step.entry.digests.allSatisfy { record?.digests.contains($0) == true }
      guard let record else { return replan(index) }
      guard isRight else { return restart(index, as: ownDownload(step)) }
      var next = step
      next.leader = nil
      next.record = record
      restart(index, as: next)
    case .failed where step.entry.sources != leading.entry.sources:
      restart(index, as: ownDownload(step))
    case .failed:
      finish(index, Outcome(status: .failed, failure: outcome.failure))
    case .cancelled, .skipped:
      finish(index, cancelled(index))
    }
  }
}

/// A slot of the queue, held from the start of a try to its end.
///
/// `@unchecked Sendable`: a subclass has to repeat its superclass's promise; what it adds is constant and Sendable.
private final class DownloadOperation: AsynchronousOperation, @unchecked Sendable {
  private let runner: Runner
  private let item: Feeder.Item

  init(_ runner: Runner, _ item: Feeder.Item) {
    self.runner = runner
    self.item = item
  }

  override func begin() {
    runner.download(item, self)
  }
}

extension Feeder.Item {
  fileprivate init(_ index: Int, _ step: Step) {
    self.init(step: index, priority: step.entry.priority, host: nil)
    host = step.entry.sources.first?.hostName
  }
}

extension Step {
  /// Whether the step needs the disk and no network.
  fileprivate var isForDisk: Bool { action == .place || action == .rehash }
}

extension Duration {
  /// In seconds.
  var timeInterval: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
