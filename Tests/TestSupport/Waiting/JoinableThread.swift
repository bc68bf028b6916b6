#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of its own, which somebody joins: none outlives what it works for.
///
/// SIGPIPE is blocked in it: a pipe that nobody reads is an error of `write`, not the end of the test process.
/// Blocking work runs here and never in a task or a dispatch queue, whose few threads others need.
package final class JoinableThread: Sendable {
  private let handle: Handle

  /// Starts the thread. `body` must not touch what the one who joins holds locked.
  package init(_ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(body))
    // Not `pthread_attr_t()`, whose initialiser the importer may ascribe to some other C module.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    pthread_attr_setstacksize(attributes, 512 * 1024)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = pthread_create(&thread, attributes, JoinableThread.main, start.toOpaque())
    pthread_attr_destroy(attributes)
    precondition(result == 0, "cannot start a thread: \(String(cString: strerror(result)))")
    handle = Handle(thread: thread)
  }

  /// Waits for the thread's end. Called exactly once.
  package func join() {
    #if canImport(Darwin)
      if let thread = handle.thread { pthread_join(thread, nil) }
    #else
      pthread_join(handle.thread, nil)
    #endif
  }

  /// Lets the thread end alone. Called instead of `join`.
  fileprivate func detach() {
    #if canImport(Darwin)
      if let thread = handle.thread { pthread_detach(thread) }
    #else
      pthread_detach(handle.thread)
    #endif
  }

  #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      {
        Unmanaged<Start>.fromOpaque($0).takeRetainedValue().run()
        return nil
      }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      {
        guard let pointer = $0 else { return nil }
        Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }
  #endif
}

/// What a new thread is handed through C.
private final class Start: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func run() {
    let signals = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { signals.deallocate() }
    sigemptyset(signals)
    sigaddset(signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, signals, nil)
    body()
  }
}

/// `@unchecked Sendable`: a thread's handle is a value that any thread may pass to `pthread_join`.
private struct Handle: @unchecked Sendable {
  #if canImport(Darwin)
    let thread: pthread_t?
  #else
    let thread: pthread_t
  #endif
}

/// Runs blocking work on a thread of its own, so that a test that waits takes no thread from the cooperative pool.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = JoinableThread {
      continuation.resume(with: Swift.Result { try body() })
    }
    thread.detach()
  }
}
