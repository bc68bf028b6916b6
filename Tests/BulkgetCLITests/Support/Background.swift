import Foundation

/// Work on a thread of its own, for what blocks: the pool that runs the tests has few threads, and when all of them
/// wait for a pipe, nobody is left to read it.
struct Background<Value: Sendable>: Sendable {
  private let results: AsyncStream<Result<Value, any Error>>

  init(_ body: @escaping @Sendable () throws -> Value) {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    self.results = results
    Thread.detachNewThread {
      continuation.yield(Result { try body() })
      continuation.finish()
    }
  }

  /// What the work has come to; nil where it was asked for before.
  var value: Value? {
    get async throws {
      for await result in results { return try result.get() }
      return nil
    }
  }
}
