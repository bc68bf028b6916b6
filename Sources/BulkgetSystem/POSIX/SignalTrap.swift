#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// Turns the first SIGINT, SIGTERM or SIGHUP into a call of a closure; the second one ends the process at once.
///
/// The handler of a signal may do next to nothing, so it writes the signal's number into a pipe, and an ordinary thread
/// reads it there and calls the closure. A signal that was ignored when the process began stays ignored: that is how
/// `nohup` and background jobs of a shell protect what they start.
package enum SignalTrap {
  /// The signals that ask a program to end.
  package static let signals: [CInt] = [SIGHUP, SIGINT, SIGTERM]

  /// Starts to listen; does nothing when called again. `body` is called once, on a thread of its own.
  package static func install(_ body: @escaping @Sendable (_ signal: CInt) -> Void)
    throws(SystemError)
  {
    guard wake.load(ordering: .relaxed) == -1 else { return }
    var ends: [CInt] = [-1, -1]
    try systemCall("open", "a pipe for signals") { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake.store(ends[1], ordering: .relaxed)
    count.store(0, ordering: .relaxed)
    try startThread(Listener(descriptor: ends[0], body: body))
    for signal in signals where !isIgnored(signal) { handle(signal) }
  }

  /// Whether the process was told to ignore the signal.
  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the number 1 where a function would stand.
    return unsafeBitCast(handler, to: Int.self) == 1
  }

  private static func handle(_ signal: CInt) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = receive
    #else
      action.__sigaction_handler.sa_handler = receive
    #endif
    action.sa_flags = CInt(SA_RESTART)
    _ = sigaction(signal, &action, nil)
  }

  private static func startThread(_ listener: Listener) throws(SystemError) {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let context = Unmanaged.passRetained(listener)
    let code = pthread_create(&thread, nil, listen, context.toOpaque())
    if code != 0 {
      context.release()
      throw SystemError("start", "a thread for signals", code: code)
    }
    pthread_detach(thread)
  }
}

/// What the thread needs.
private final class Listener: Sendable {
  let descriptor: CInt
  let body: @Sendable (CInt) -> Void

  init(descriptor: CInt, body: @escaping @Sendable (CInt) -> Void) {
    self.descriptor = descriptor
    self.body = body
  }
}

// Both are touched before the handler can run, so that it never is the one to initialise them.

/// The end of the pipe that the handler writes to.
private let wake = Atomic<CInt>(-1)
/// How many signals have come.
private let count = Atomic<Int>(0)

/// The handler. Only `write` and `_exit`, which POSIX allows here, and lock-free atomics.
private let receive: @convention(c) (CInt) -> Void = { signal in
  if count.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { _exit(128 + signal) }
  let saved = errno
  var number = UInt8(truncatingIfNeeded: signal)
  _ = write(wake.load(ordering: .relaxed), &number, 1)
  errno = saved
}

#if canImport(Darwin)
  private let listen: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
    listen(to: Unmanaged<Listener>.fromOpaque($0).takeRetainedValue())
    return nil
  }
#else
  private let listen: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    if let context = $0 { listen(to: Unmanaged<Listener>.fromOpaque(context).takeRetainedValue()) }
    return nil
  }
#endif

private func listen(to listener: Listener) {
  var number: UInt8 = 0
  while true {
    let result = read(listener.descriptor, &number, 1)
    if result == 1 { return listener.body(CInt(number)) }
    if result == 0 || errno != EINTR { return }
  }
}
