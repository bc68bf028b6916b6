import Foundation
import Synchronization

/// Where each step begins: with an outcome, or in one of the lines.
extension Runner {
  /// Gives each step an outcome at once, or a place in one of the lines.
  func sortSteps() {
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
  func immediateOutcome(of step: Step) -> Outcome? {
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

  func keep(_ step: Step) -> Outcome {
    var outcome = Outcome(status: .cached)
    guard let record = step.record else { return outcome }
    outcome.describe(record, at: context.cache.layout.path(of: record))
    outcome.destination = step.entry.destination.map(context.placement.path)
    context.cache.noteUse(of: record, now: context.now)
    return outcome
  }

  /// Starts as much as there is room for: operations for downloads, workers for the disk.
  func pump() {
    let (items, workers) = state.withLock { state in (nextItems(&state), newWorkers(&state)) }
    for item in items { queue.addOperation(DownloadOperation(self, item)) }
    for _ in 0..<workers { diskQueue.async { self.workOnDisk() } }
  }

  /// A few more than can run, so that the next operation is there when one ends.
  func nextItems(_ state: inout State) -> [Feeder.Item] {
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

  func newWorkers(_ state: inout State) -> Int {
    let wanted = min(state.diskSteps.count - state.nextDiskStep, Self.maximumDiskWorkers)
    let count = max(0, wanted - state.diskWorkerCount)
    state.diskWorkerCount += count
    return count
  }

  static let maximumDiskWorkers = max(
    2, min(ProcessInfo.processInfo.activeProcessorCount, 8))

  func wake(at due: ContinuousClock.Instant) {
    let delay = max(.zero, due - context.moment().instant)
    timers.asyncAfter(deadline: .now() + delay.timeInterval) { [weak self] in self?.pump() }
  }
}

extension Feeder.Item {
  init(_ index: Int, _ step: Step) {
    self.init(step: index, priority: step.entry.priority, host: nil)
    host = step.entry.sources.first?.hostName
  }
}

extension Step {
  /// Whether the step needs the disk and no network.
  var isForDisk: Bool { action == .place || action == .rehash }
}
