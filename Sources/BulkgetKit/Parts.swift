import Dispatch
import Foundation
import Synchronization

/// Work on many things of a kind, a part of them at a time, on all cores.
enum Parts {
  /// What `body` gives for consecutive parts of `0..<count`, in their order. Blocks until all of it is done; of several
  /// errors the first part's is thrown.
  ///
  /// Parts of `size` are handed out one by one: some take turns with a shared index while others look at files.
  static func map<Result: Sendable, Failure>(
    of count: Int, size: Int, _ body: @Sendable (Range<Int>) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    let parts = stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    if parts.count < 2 {
      var results: [Result] = []
      for part in parts { results.append(try body(part)) }
      return results
    }
    let results = Mutex([Swift.Result<Result, Failure>?](repeating: nil, count: parts.count))
    DispatchQueue.concurrentPerform(iterations: parts.count) { index in
      let result = Swift.Result { () throws(Failure) in try body(parts[index]) }
      results.withLock { $0[index] = result }
    }
    var all: [Result] = []
    for result in results.withLock({ $0 }) {
      if let result { all.append(try result.get()) }
    }
    return all
  }
}
