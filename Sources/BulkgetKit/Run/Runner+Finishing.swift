import Foundation
import Synchronization

/// Disk work, and what every outcome leads to.
extension Runner {
  func workOnDisk() {
    while let (index, step) = nextDiskStep() {
      switch DiskStep(step, context).perform() {
      case .done(let outcome): finish(index, outcome)
      case .becomes(let next): restart(index, as: next)
      }
    }
  }

  func nextDiskStep() -> (Int, Step)? {
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

  func cancelled(_ index: Int) -> Outcome {
    Outcome(
      status: .cancelled, failure: Failure(.cancelled, "the run ended before this file's turn"))
  }

  /// Notes a step's outcome, once, and sees to what depends on it.
  func finish(_ index: Int, _ outcome: Outcome) {
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

  func stopIfNeeded(_ index: Int, _ outcome: Outcome) {
    guard let failure = outcome.failure, outcome.status == .failed else { return }
    if failure.code == .diskFull { return stop(.diskFull(failure)) }
    let isOptional = state.withLock { $0.steps[index].entry.isOptional }
    if configuration.stopsAtFirstFailure, !isOptional { stop(.failure) }
  }

  func ownDownload(_ step: Step) -> Step {
    var own = Step(
      entry: step.entry, action: .download, reason: .missing, byteCount: step.entry.size)
    own.record = step.record
    return own
  }

  /// A leader has ended: its follower takes the bytes, or tries by itself where it has sources of its own.
  func follow(_ index: Int, _ leader: Int, _ outcome: Outcome) {
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
