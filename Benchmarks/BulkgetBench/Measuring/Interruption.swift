import BulkgetSystem
import TestSupport

/// Ends the benchmark in good order when a signal asks for it: the running program is killed, and everything unwinds.
final class Interruption: Sendable {
  /// Thrown wherever the signal is noticed.
  struct Stopped: Error {
    let signal: CInt
  }

  private struct State {
    var signal: CInt?
    var child: ChildProcess?
  }

  private let state = Monitor(State())

  /// Starts to listen to signals.
  func listen() throws(SystemError) {
    try SignalTrap.install { signal in
      let child = self.state.withLock { state in
        state.signal = signal
        return state.child
      }
      child?.endGroup()
    }
  }

  /// Throws where a signal has come.
  func check() throws(Stopped) {
    if let signal = state.withLock({ $0.signal }) { throw Stopped(signal: signal) }
  }

  /// Starts a program, lets `body` do something with it, and waits for its end.
  func run(
    _ launch: Launch, atMost patience: Duration = .seconds(600),
    _ body: (ChildProcess) throws -> Void = { _ in }
  ) throws -> EndedProcess {
    let child = try ChildProcess(launch)
    state.withLock { $0.child = child }
    defer { state.withLock { $0.child = nil } }
    // A signal may have come before the child was known.
    try check()
    try body(child)
    let ended = Result { try child.wait(atMost: patience) }
    try check()
    return try ended.get()
  }
}
