#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// A moment of the clock that never jumps.
package struct MonotonicTime: Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package init(_ time: timespec) {
    nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package static var now: Self {
    var time = Self.zero
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Self(time)
  }

  /// The moment `duration` later.
  package func advanced(by duration: Duration) -> Self {
    let parts = duration.components
    return Self(
      nanoseconds: nanoseconds + parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
  }

  /// The time from `earlier` to this moment.
  package func since(_ earlier: Self) -> Duration {
    .nanoseconds(nanoseconds - earlier.nanoseconds)
  }

  package var timespec: timespec {
    var time = Self.zero
    time.tv_sec = Int(nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(nanoseconds % 1_000_000_000)
    return time
  }

  /// Milliseconds until this moment as `poll` takes them, rounded up; 0 when it has passed.
  package var pollTimeout: CInt {
    let rest = nanoseconds - Self.now.nanoseconds
    return rest <= 0 ? 0 : CInt(clamping: (rest + 999_999) / 1_000_000)
  }

  private static var zero: timespec { .init() }

  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}
