import Synchronization

/// A signal that asks the command to end, and what is then to be done.
final class Interruption: Sendable {
  private struct State {
    var signal: CInt?
    var handlers: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// The signal that came; nil for none.
  var signal: CInt? { state.withLock { $0.signal } }

  /// Notes a signal and calls the handlers; only the first one counts.
  func raise(_ signal: CInt) {
    let handlers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.signal == nil else { return [] }
      state.signal = signal
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// Calls `handler` when a signal comes, at once where one has come already.
  func onSignal(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if state.signal == nil { state.handlers.append(handler) }
      return state.signal != nil
    }
    if isLate { handler() }
  }
}
