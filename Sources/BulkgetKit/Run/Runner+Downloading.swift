import Foundation
import Synchronization

/// Downloads, as long as they hold a slot, and what they wait for without one.
extension Runner {
  /// Runs one download for as long as it holds a slot; called by its operation.
  func download(_ item: Feeder.Item, _ operation: DownloadOperation) {
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

  func makeTask(_ index: Int, _ state: inout State) -> DownloadTask {
    if let task = state.tasks[index] { return task }
    let held = state.holds[index].map { context.moment().instant - $0.since } ?? .zero
    let task = DownloadTask(
      index, state.steps[index], algorithms: algorithms(for: index, state),
      isPrivate: held >= configuration.stallTimeout, in: context)
    state.tasks[index] = task
    return task
  }

  /// SHA-256 always, and whatever this entry and those that it serves want to see.
  func algorithms(for index: Int, _ state: State) -> [DigestAlgorithm] {
    let entries = [index] + (state.followers[index] ?? [])
    let wanted = entries.flatMap { state.steps[$0].entry.digests.map(\.algorithm) }
    return Set(wanted + [.sha256]).sorted()
  }

  func release(_ operation: DownloadOperation, _ item: Feeder.Item) {
    state.withLock { state in
      state.operationCount -= 1
      state.feeder.release(item)
    }
    operation.finish()
  }

  func paused(_ task: DownloadTask, _ item: Feeder.Item, _ pause: DownloadTask.Pause) {
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
  func wait(
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
  func move(_ task: DownloadTask, _ item: Feeder.Item) {
    var next = item
    next.host = task.nextHost
    let isStopped = state.withLock { state in
      state.feeder.noteSuccess(item)
      if state.stop == nil { state.feeder.add(next) }
      return state.stop != nil
    }
    if isStopped { finish(item.step, task.cancelledOutcome()) }
  }

  func waitForHolder(_ task: DownloadTask, _ item: Feeder.Item, _ processID: Int32?) {
    let now = context.moment().instant
    let progress = context.cache.partialProgress(of: task.step.entry.key)
    let isFirst = state.withLock { state in
      // The task goes: the next one may have to be private.
      state.tasks[item.step] = nil
      let isFirst = state.holds[item.step] == nil
      // A holder that makes progress is waited for.
      if isFirst || state.holds[item.step]?.progress != progress {
        state.holds[item.step] = Hold(since: now, progress: progress)
      }
      return isFirst
    }
    if isFirst {
      let path = context.cache.layout.path(of: task.step.entry.key, type: task.step.entry.type)
      context.emit(.waiting(step: item.step, processID: processID, path: path))
    }
    wait(task, item, .milliseconds(100))
  }

  /// Another process has put the file into the cache: the step is planned again.
  func replan(_ index: Int) {
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
  func restart(_ index: Int, as step: Step) {
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
}

/// A slot of the queue, held from the start of a try to its end.
///
/// `@unchecked Sendable`: a subclass has to repeat its superclass's promise; what it adds is constant and Sendable.
final class DownloadOperation: AsynchronousOperation, @unchecked Sendable {
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
