import BulkgetSystem
import TestSupport

/// A way to a port of 127.0.0.1 on which a round trip takes some time: what arrives is passed on half of it later.
///
/// A connection is accepted at once, as nothing else can be done from outside of the kernel; what comes through a new one
/// therefore waits for as long as its handshake would have taken.
final class DelayingRelay: Sendable {
  let port: UInt16
  private let stop: Gate
  private let thread: JoinableThread

  init(to target: UInt16, roundTrip: Duration) throws {
    let listener = try Socket.bound(.ipv4, port: 0)
    try listener.listen(backlog: 1_024)
    port = listener.localPort
    let stop = try Gate()
    self.stop = stop
    thread = JoinableThread {
      var loop = RelayLoop(listener: listener, target: target, roundTrip: roundTrip, stop: stop)
      loop.run()
    }
  }

  deinit {
    stop.open()
    thread.join()
  }
}
