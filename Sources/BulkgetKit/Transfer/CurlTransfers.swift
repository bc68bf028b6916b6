package import BulkgetSystem
import Foundation
import Synchronization

/// Transfers through libcurl: one thread owns a multi handle and runs all of them, so that they share connections.
///
/// Callers leave commands in an inbox and wake the thread; everything else happens on it, in ``TransferLoop``.
package final class CurlTransfers: Transferring {
  private let inbox: TransferInbox

  /// Starts the thread. All bodies together arrive no faster than `bytesPerSecond`. Throws where libcurl can't be set up.
  package init(
    _ settings: CurlSettings, stallTimeout: Duration, maximumIdleConnections: Int,
    bytesPerSecond: Int64? = nil
  ) throws(CurlError) {
    let loop = try TransferLoop(
      settings, stallTimeout: stallTimeout, maximumIdleConnections: maximumIdleConnections,
      bytesPerSecond: bytesPerSecond)
    inbox = loop.inbox
    let thread = Thread { loop.run() }
    thread.name = "transfers"
    thread.start()
  }

  deinit {
    inbox.put(.stop)
  }

  package func start(_ request: TransferRequest, receiver: any TransferReceiver) -> TransferID {
    inbox.putStart(request, receiver)
  }

  package func proceed(_ id: TransferID) { inbox.put(.proceed(id)) }

  package func cancel(_ id: TransferID) { inbox.put(.cancel(id)) }

  package func stop() { inbox.put(.stop) }
}

/// Commands on their way to the loop's thread.
final class TransferInbox: Sendable {
  enum Command: Sendable {
    case start(TransferID, TransferRequest, any TransferReceiver)
    case proceed(TransferID)
    case cancel(TransferID)
    case stop
  }

  private struct State {
    var commands: [Command] = []
    var lastNumber: UInt64 = 0
    /// Nil once the loop has ended: the waker must not outlive its multi handle.
    var waker: CurlMulti.Waker?
  }

  private let state: Mutex<State>

  init(waker: CurlMulti.Waker) {
    state = Mutex(State(waker: waker))
  }

  func put(_ command: Command) {
    state.withLock { Self.put(command, into: &$0) }
  }

  func putStart(_ request: TransferRequest, _ receiver: any TransferReceiver) -> TransferID {
    state.withLock { state in
      state.lastNumber += 1
      let id = TransferID(number: state.lastNumber)
      Self.put(.start(id, request, receiver), into: &state)
      return id
    }
  }

  private static func put(_ command: Command, into state: inout State) {
    // Whoever put the first command has woken the loop already. The wake-up is inside the lock so that it
    // can't meet a handle that the loop has just released.
    if state.commands.isEmpty { state.waker?.wake() }
    state.commands.append(command)
  }

  /// Takes all commands; called by the loop.
  func takeAll() -> [Command] {
    state.withLock { state in
      defer { state.commands.removeAll(keepingCapacity: true) }
      return state.commands
    }
  }

  /// Ends the inbox: what was still in it is given back, later commands are never read.
  func close() -> [Command] {
    state.withLock { state in
      state.waker = nil
      defer { state.commands = [] }
      return state.commands
    }
  }
}
