#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A port whose queue of waiting connections is full and never accepted from: a client that connects hears nothing.
package final class FullBacklog: Sendable {
  private let socket: Socket
  private let waiting: [Socket]
  package let port: UInt16

  package init() throws {
    socket = try Socket.bound(.ipv4, port: 0)
    try socket.listen(backlog: 0)
    port = socket.localPort
    var waiting: [Socket] = []
    // The system rounds the queue's length up; it is full when a connection stands still.
    for _ in 0..<64 {
      let (client, isConnected) = try Socket.connecting(to: .ipv4, port: port)
      waiting.append(client)
      if !isConnected, !Self.becomesWritable(client) { break }
    }
    self.waiting = waiting
  }

  /// Loopback connections that find room are made at once; the time only tells them from those that don't.
  private static func becomesWritable(_ socket: Socket) -> Bool {
    var descriptor = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&descriptor, 1, 200) == 1
  }

  /// A URL that leads nowhere.
  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
