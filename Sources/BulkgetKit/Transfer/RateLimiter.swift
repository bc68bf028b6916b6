/// Holds all transfers of a loop together to one rate: those that find the bucket empty wait for their turn in a row.
///
/// Confined to the loop's thread.
final class RateLimiter {
  private var bucket: TokenBucket
  private var waiting: [TransferID] = []

  init(bytesPerSecond: Int64) {
    bucket = TokenBucket(bytesPerSecond: bytesPerSecond, now: .now)
  }

  /// Whether a piece of the transfer's body may pass now; if not, its turn comes through ``next()``.
  func admits(_ id: TransferID) -> Bool {
    if bucket.isOpen(at: .now) { return true }
    waiting.append(id)
    return false
  }

  /// A piece has passed.
  func passed(_ byteCount: Int) { bucket.take(byteCount) }

  /// The next transfer whose turn has come.
  func next() -> TransferID? {
    guard !waiting.isEmpty, bucket.isOpen(at: .now) else { return nil }
    return waiting.removeFirst()
  }

  /// Milliseconds until somebody's turn comes; nil where nobody waits.
  var milliseconds: Int? {
    waiting.isEmpty ? nil : Int((bucket.wait(at: .now).timeInterval * 1000).rounded(.up))
  }
}
