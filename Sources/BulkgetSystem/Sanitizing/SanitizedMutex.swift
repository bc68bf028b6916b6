#if THREAD_SANITIZER
  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  /// What stands for `Synchronization.Mutex` in a build for the thread sanitizer.
  ///
  /// On Linux the real one parks in a library that isn't instrumented, so that the sanitizer misses who unlocked before
  /// whom and reports races that are none. It knows POSIX mutexes wherever they are called.
  ///
  /// `@unchecked Sendable`: the value is touched only while the mutex is held. Both live on the heap because a mutex must
  /// keep its address and a value may be changed through a borrowed owner.
  package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initialValue: consuming sending Value) {
      pthread_mutex_init(mutex, nil)
      value.initialize(to: initialValue)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Calls the closure with the value while nobody else has it.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

  /// A module's own declaration wins over an imported one, so the files that use a mutex needn't know.
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
