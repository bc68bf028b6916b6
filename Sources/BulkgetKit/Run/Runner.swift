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

  /// Since when another process has a file without getting on with it.
  struct Hold {
    var since: ContinuousClock.Instant
    var progress: DiskCache.PartialProgress?
  }

  struct State {
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
    /// The steps that wait for another process.
    var holds: [Int: Hold] = [:]
    var stop: Stop?
    var completion: CheckedContinuation<Void, Never>?
  }

  let context: RunContext
  private let stopFlag: StopFlag
  let configuration: Configuration
  let state: Mutex<State>
  let queue = OperationQueue()
  let diskQueue = DispatchQueue(label: "disk", attributes: .concurrent)
  let timers = DispatchQueue(label: "timers")

  init(_ plan: Plan, _ context: RunContext, _ stopFlag: StopFlag) {
    self.context = context
    self.stopFlag = stopFlag
    configuration = context.configuration
    queue.maxConcurrentOperationCount = configuration.jobs
    // Operations only start transfers: on the threads that finish files anyway, that costs no change of threads.
    unsafe queue.underlyingQueue = context.lanes.operations
    state = Mutex(
      State(
        steps: plan.steps, outcomes: Array(repeating: nil, count: plan.steps.count),
        unfinishedCount: plan.steps.count,
        feeder: Feeder(HostGovernor(configuration, hosts: context.hosts))))
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
  func cancelAll() {
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
}
