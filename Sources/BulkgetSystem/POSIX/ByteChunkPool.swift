import Synchronization

/// Chunks of one size that go from hand to hand: fresh memory would have to be mapped and zeroed for each of them, which
/// costs more than filling it.
package final class ByteChunkPool: Sendable {
  /// The size of the chunks that are kept.
  package let capacity: Int
  private let maximumCount: Int
  private let free = Mutex<[ByteChunk]>([])

  /// Keeps up to `maximumCount` chunks of `capacity` bytes that nobody uses.
  package init(capacity: Int, maximumCount: Int) {
    self.capacity = capacity
    self.maximumCount = maximumCount
  }

  /// An empty chunk.
  package func take() -> ByteChunk {
    free.withLock { $0.popLast() } ?? ByteChunk(capacity: capacity)
  }

  /// Gives a chunk back, which the caller forgets. One of another size is let go.
  package func give(_ chunk: ByteChunk) {
    guard chunk.capacity == capacity else { return }
    chunk.removeAll()
    free.withLock { free in
      if free.count < maximumCount { free.append(chunk) }
    }
  }
}
