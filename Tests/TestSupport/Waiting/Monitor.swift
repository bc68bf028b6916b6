#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value behind a lock, with a way to wait until it changes.
///
/// The only lock of the test support: the thread sanitizer doesn't see through `Synchronization.Mutex` on Linux, whose
/// slow path lies in a library that isn't instrumented, and reports races that are none.
///
/// `@unchecked Sendable`: the state is touched only while the mutex is held, and the two C objects are made for
/// being shared; they live on the heap because their addresses must not change.
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: consuming sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      // A change of the wall clock must not end or prolong a wait.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value, and wakes everybody who waits for a change.
  package func withLock<Result, Failure>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` gives a value; nil when the deadline passes first.
  package func wait<Result>(
    atMost timeout: Duration = HangError.patience, until body: (inout State) -> sending Result?
  ) -> sending Result? {
    var deadline = MonotonicTime.now.advanced(by: timeout).timespec
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      if timedWait(&deadline) == ETIMEDOUT { return body(&state) }
    }
  }

  private func timedWait(_ deadline: inout timespec) -> CInt {
    #if canImport(Darwin)
      let rest = MonotonicTime(deadline).nanoseconds - MonotonicTime.now.nanoseconds
      if rest <= 0 { return ETIMEDOUT }
      var relative = MonotonicTime(nanoseconds: rest).timespec
      return pthread_cond_timedwait_relative_np(condition, mutex, &relative)
    #else
      return pthread_cond_timedwait(condition, mutex, &deadline)
    #endif
  }
}
