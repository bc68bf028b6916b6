/// When a failed try is followed by another one, and after how long.
package struct RetryPolicy: Hashable, Sendable {
  /// Tries after the first, per URL.
  package var retries = 5
  /// Tries at one file altogether, however often the count begins afresh.
  package var maximumAttempts = 100
  /// The longest wait.
  package var maximumWait = Duration.seconds(60)
  /// A partial that grew by this many bytes shows that trying is worth while: the count begins afresh.
  package var progress: Int64 = 1 << 20

  package init() {}

  /// The wait before retry `number` (from 1): exponential with full jitter.
  ///
  /// The bound of the wait is 0.5 s · 2^(number-1), at most ``maximumWait``: 0.5, 1, 2, 4, 8 … 60 s. `jitter`, from 0
  /// to 1, picks a point below the bound, so that clients that failed together don't come back together.
  package func wait(beforeRetry number: Int, jitter: Double) -> Duration {
    let bound = min(.milliseconds(500) * (1 << min(number - 1, 20)), maximumWait)
    return bound * jitter
  }
}

/// `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The wait that a field's value asks for at `now` (seconds since 1970); nil for what is no such value.
  ///
  /// No wait at all (`0`, a date that has passed) asks for nothing either: the ordinary wait is the polite one.
  package static func wait(_ value: String, now: Int64, date: (String) -> Int64?) -> Duration? {
    let text = trimmingWhitespace(value[...])
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let seconds = Int64(text) ?? Int64(Int32.max)
      return seconds > 0 ? .seconds(seconds) : nil
    }
    guard text.contains(where: \.isLetter), let seconds = date(String(text)), seconds > now else {
      return nil
    }
    return .seconds(seconds - now)
  }
}
