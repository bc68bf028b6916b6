import Foundation
import TestSupport
import Testing

@testable import BulkgetKit

/// The operations, in a real queue.
@Suite(.timeLimit(.minutes(1))) struct AsynchronousOperationTests {
  /// Begins, and then does nothing until it is told to end.
  private final class Held: AsynchronousOperation, @unchecked Sendable {
    let begun: @Sendable (Held) -> Void
    init(_ begun: @escaping @Sendable (Held) -> Void) { self.begun = begun }
    override func begin() { begun(self) }
  }

  private func end(of queue: OperationQueue) async {
    await withCheckedContinuation { continuation in
      queue.addBarrierBlock { continuation.resume() }
    }
  }

  @Test func theQueuesBoundCountsWhatIsUnderWay() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 3
    let (stream, begun) = AsyncStream.makeStream(of: Held.self)
    for _ in 0..<9 { queue.addOperation(Held { begun.yield($0) }) }
    var running: [Held] = []
    var most = 0
    var count = 0
    for await operation in stream {
      count += 1
      running.append(operation)
      most = max(most, running.count)
      // Only when as many are there as may be is one let go.
      if running.count == 3 || count > 6 { running.removeFirst().finish() }
      if count == 9 { break }
    }
    for operation in running { operation.finish() }
    await end(of: queue)
    #expect(most == 3)
    #expect(queue.operationCount <= 1)
  }

  @Test func theStatesFollowEachOther() async {
    let queue = OperationQueue()
    let (stream, begun) = AsyncStream.makeStream(of: Held.self)
    let operation = Held { begun.yield($0) }
    #expect(operation.isAsynchronous && !operation.isExecuting && !operation.isFinished)
    queue.addOperation(operation)
    var iterator = stream.makeAsyncIterator()
    _ = await iterator.next()
    #expect(operation.isExecuting && !operation.isFinished)
    operation.finish()
    operation.finish()
    await end(of: queue)
    #expect(!operation.isExecuting && operation.isFinished)
  }

  @Test func oneThatIsCancelledBeforeItsTurnNeverBegins() async {
    let queue = OperationQueue()
    queue.isSuspended = true
    let count = Monitor(0)
    let operation = Held { operation in
      count.withLock { $0 += 1 }
      operation.finish()
    }
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    await end(of: queue)
    #expect(operation.isFinished)
    #expect(count.withLock { $0 } == 0)
  }

  @Test func thousandsThatEndAtOnceAllEnd() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 16
    let count = Monitor(0)
    for _ in 0..<5_000 {
      queue.addOperation(
        Held { operation in
          count.withLock { $0 += 1 }
          operation.finish()
        })
    }
    await end(of: queue)
    #expect(count.withLock { $0 } == 5_000)
  }
}
