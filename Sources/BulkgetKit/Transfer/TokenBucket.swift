/// Spreads bytes evenly over time: pure, told the time with every question.
///
/// Bytes are taken while there are any and may then be owed, so that a piece of any size passes in one go and what
/// follows waits the longer. What isn't used for a while is kept for a tenth of a second only, so that a pause is no
/// reason for a burst.
struct TokenBucket: Sendable {
  private let bytesPerSecond: Double
  private let capacity: Double
  /// What may be taken; negative where bytes are owed.
  private var level: Double
  private var updated: ContinuousClock.Instant

  /// A full bucket. A rate below one byte a second counts as one.
  init(bytesPerSecond: Int64, now: ContinuousClock.Instant) {
    self.bytesPerSecond = max(1, Double(bytesPerSecond))
    capacity = self.bytesPerSecond / 10
    level = capacity
    updated = now
  }

  /// Whether a piece may pass.
  mutating func isOpen(at now: ContinuousClock.Instant) -> Bool {
    let seconds = (now - updated).timeInterval
    level = min(capacity, level + seconds * bytesPerSecond)
    updated = now
    return level > 0
  }

  /// A piece has passed.
  mutating func take(_ byteCount: Int) {
    level -= Double(byteCount)
  }

  /// How long until a piece may pass; zero where one may pass at once.
  func wait(at now: ContinuousClock.Instant) -> Duration {
    let missing = -level - (now - updated).timeInterval * bytesPerSecond
    // A little more than nothing opens the bucket.
    return level > 0 || missing < 0 ? .zero : .seconds((missing + 1) / bytesPerSecond)
  }
}
