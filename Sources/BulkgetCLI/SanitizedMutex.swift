#if THREAD_SANITIZER
  import BulkgetSystem

  /// Wins over the imported `Synchronization.Mutex`; ``SanitizedMutex`` says why.
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
