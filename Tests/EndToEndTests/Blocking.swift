import TestSupport
import Testing

/// Runs tests that wait for processes on threads of their own.
///
/// Otherwise they would hold the few threads that all asynchronous code of the test process shares, and tests that
/// await something would see their deadlines pass without ever having had a turn.
struct Blocking: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
  }
}

extension Trait where Self == Blocking {
  /// The tests block their thread.
  static var blocking: Self { Self() }
}

/// A few threads that may be blocked; they live as long as the test process.
private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor(threadCount: 4)

  private let jobs = Monitor<[UnownedJob]>([])
  private let threads = Monitor<[JoinableThread]>([])

  private init(threadCount: Int) {
    let new = (0..<threadCount).map { _ in JoinableThread { self.work() } }
    threads.withLock { $0 = new }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  private func work() {
    while true {
      let job = jobs.wait { jobs in jobs.isEmpty ? nil : jobs.removeFirst() }
      job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
