import Foundation
import Synchronization

/// An operation that ends when it is told to, not when a method returns.
///
/// A queue's bound then counts what is under way rather than threads: an operation that blocked its thread would get
/// new threads only slowly from libdispatch, and the bound would not be reached.
///
/// `@unchecked Sendable`: `Operation` is thread-safe but not marked so on every platform; the only state is a mutex.
class AsynchronousOperation: Operation, @unchecked Sendable {
  private enum Phase { case ready, executing, finished }
  private let phase = Mutex(Phase.ready)

  final override var isAsynchronous: Bool { true }
  final override var isExecuting: Bool { phase.withLock { $0 == .executing } }
  final override var isFinished: Bool { phase.withLock { $0 == .finished } }

  final override func start() {
    if isCancelled { return finish() }
    change(to: .executing, "isExecuting")
    begin()
  }

  /// Starts the work and returns at once; ``finish()`` has to be called when it is done. For subclasses.
  func begin() {
    finish()
  }

  /// Ends the operation. Calls after the first do nothing.
  final func finish() {
    guard !isFinished else { return }
    change(to: .finished, "isFinished")
  }

  private func change(to next: Phase, _ key: String) {
    // The queue learns of changes through key-value observing.
    willChangeValue(forKey: key)
    phase.withLock { $0 = next }
    didChangeValue(forKey: key)
  }
}
