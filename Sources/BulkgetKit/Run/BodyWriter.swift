import BulkgetSystem
import Foundation
import Synchronization

/// Takes a body on the transport's thread and stages it on another, so that receiving, hashing and writing overlap.
///
/// Between the two lies a bounded number of bytes; beyond it the transport is told to pause, and so it is the server
/// that waits for a slow disk, not memory that fills.
final class BodyWriter: Sendable {
  /// How much memory one body may take.
  struct Limits: Sendable {
    /// Bytes that are handed over at once.
    var chunk = 256 * 1024
    /// Bytes that may wait to be written.
    var pending = 2 * 1024 * 1024
    /// Where whole chunks come from and go back to.
    let pool: ByteChunkPool

    init(jobs: Int) {
      // Together the bodies under way stay below 32 MiB, however many there are.
      pending = max(64 * 1024, min(pending, (32 << 20) / max(jobs, 1)))
      chunk = min(chunk, pending / 4)
      pool = ByteChunkPool(capacity: chunk, maximumCount: 32)
    }
  }

  private struct State {
    /// Where the file is worked on: a lane that small bodies share, or a large one's own queue.
    var queue: DispatchQueue
    /// What the file has yet to be made ready for: done along with the first bytes, to save a change of threads.
    var unopened: Download.Reception?
    var chunk: ByteChunk?
    var expected: Int64?
    var pendingByteCount = 0
    var isPaused = false
    var isBroken = false
    var onRoom: (@Sendable () -> Void)?
  }

  private let body: StagedBody
  private let limits: Limits
  private let state: Mutex<State>
  private let failure = Mutex<CacheError?>(nil)

  init(_ body: StagedBody, on lane: DispatchQueue, limits: Limits) {
    self.body = body
    self.limits = limits
    state = Mutex(State(queue: lane))
  }

  /// Makes the file ready for a body. `onRoom` is called when a paused transfer can go on.
  func begin(_ reception: Download.Reception, onRoom: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state = State(queue: Self.queue(for: reception, after: state.queue))
      state.unopened = reception
      state.expected = reception.total.map { $0 - reception.offset }
      state.onRoom = onRoom
    }
    failure.withLock { $0 = nil }
  }

  /// Small bodies share a thread, which costs no change of threads between them; a large one, whose writing, hashing and
  /// placing take long, must not hold them up.
  private static func queue(for reception: Download.Reception, after lane: DispatchQueue)
    -> DispatchQueue
  {
    if let total = reception.total, total <= sharedByteCount { return lane }
    let queue = DispatchQueue(label: "body")
    // What the lane still has to do for this file comes first.
    queue.suspend()
    lane.async { queue.resume() }
    return queue
  }

  private static let sharedByteCount: Int64 = 1 << 20

  /// Takes a piece of the body, all of it or nothing.
  func take(_ bytes: RawSpan) -> BodyVerdict {
    var full: [ByteChunk] = []
    let verdict = state.withLock { state -> BodyVerdict in
      if state.isBroken { return .stop }
      if state.pendingByteCount > 0, state.pendingByteCount + bytes.byteCount > limits.pending {
        state.isPaused = true
        return .full
      }
      full = fill(&state, from: bytes)
      return .taken
    }
    for chunk in full { write(chunk) }
    return verdict
  }

  /// Hands over what is left, and calls `action` on the queue when everything is staged. The error is the first one.
  func afterwards(_ action: @escaping @Sendable (StagedBody, CacheError?) -> Void) {
    let (reception, rest, queue) = state.withLock { state in
      defer { state.chunk = nil }
      state.onRoom = nil
      return (Self.takeUnopened(&state), state.chunk, state.queue)
    }
    queue.async { [self] in
      if let reception { open(reception) }
      if let rest {
        append(rest)
        limits.pool.give(rest)
      }
      action(body, failure.withLock { $0 })
    }
  }

  private func fill(_ state: inout State, from bytes: RawSpan) -> [ByteChunk] {
    var full: [ByteChunk] = []
    var offset = 0
    while offset < bytes.byteCount {
      let chunk = state.chunk ?? makeChunk(state, atLeast: bytes.byteCount - offset)
      offset += chunk.append(bytes, from: offset)
      state.chunk = chunk.isFull ? nil : chunk
      if chunk.isFull {
        full.append(chunk)
        state.pendingByteCount += chunk.count
      }
    }
    return full
  }

  /// A small body gets a small chunk: a thousand of them at once must not take a thousand large ones.
  private func makeChunk(_ state: State, atLeast count: Int) -> ByteChunk {
    guard let expected = state.expected, expected < limits.chunk else { return limits.pool.take() }
    // One byte more than is expected: the chunk doesn't fill up, and is handed over once, with the end.
    return ByteChunk(capacity: max(Int(expected) + 1, min(count, limits.chunk)))
  }

  private func write(_ chunk: ByteChunk) {
    let (reception, queue) = state.withLock { (Self.takeUnopened(&$0), $0.queue) }
    queue.async { [self] in
      if let reception { open(reception) }
      let count = chunk.count
      append(chunk)
      limits.pool.give(chunk)
      let onRoom = state.withLock { state -> (@Sendable () -> Void)? in
        state.pendingByteCount -= count
        guard state.isPaused, state.pendingByteCount <= limits.pending / 2 else { return nil }
        state.isPaused = false
        return state.onRoom
      }
      onRoom?()
    }
  }

  /// What has to be opened by the work that is being handed over. Taken then and not when it runs: by that time the next
  /// body may have begun, and work for the last one, such as its removal, must not be done to it.
  private static func takeUnopened(_ state: inout State) -> Download.Reception? {
    defer { state.unopened = nil }
    return state.unopened
  }

  private func open(_ reception: Download.Reception) {
    attempt { () throws(CacheError) in
      try body.open(at: reception.offset, record: reception.record)
    }
  }

  private func append(_ chunk: ByteChunk) {
    attempt { () throws(CacheError) in try body.append(chunk) }
  }

  /// Runs one step unless an earlier one has failed; the first failure stops the transfer.
  private func attempt(_ step: () throws(CacheError) -> Void) {
    guard failure.withLock({ $0 == nil }) else { return }
    do throws(CacheError) {
      try step()
    } catch {
      failure.withLock { $0 = error }
      let onRoom = state.withLock { state -> (@Sendable () -> Void)? in
        state.isBroken = true
        state.isPaused = false
        return state.onRoom
      }
      // A paused transfer has to hear of it as well.
      onRoom?()
    }
  }
}
