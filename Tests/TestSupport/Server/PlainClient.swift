import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection of a client that understands nothing: bytes in, bytes out. For tests of the servers themselves.
package final class PlainClient: Sendable {
  /// How what was received came to its end.
  package enum Ending: Sendable {
    case normal
    case reset
  }

  /// Everything that was received, and its end.
  package struct Reply: Sendable {
    package let bytes: [UInt8]
    package let ending: Ending

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The header, without the empty line.
    package var head: String {
      let end = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
      return String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self)
    }
    /// What follows the header.
    package var body: [UInt8] { Array(bytes.dropFirst(head.utf8.count + 4)) }
  }

  private let socket: Socket

  /// Connects.
  package init(to port: UInt16, address: Socket.Address = .ipv4) throws {
    let (socket, isConnected) = try Socket.connecting(to: address, port: port)
    self.socket = socket
    if !isConnected {
      try wait(for: POLLOUT)
      try socket.checkConnection()
    }
  }

  /// Connects, sends a request with `Connection: close`, and reads everything.
  package static func get(
    _ target: String, from server: TestServer, _ fields: [Field] = [], method: String = "GET"
  ) throws -> Reply {
    let client = try PlainClient(to: server.port, address: server.address)
    try client.send(target, fields + [Field("Connection", "close")], method: method)
    return try client.receiveAll()
  }

  /// Sends a request.
  package func send(_ target: String, _ fields: [Field] = [], method: String = "GET") throws {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: test"]
    let text = (lines + fields.map { "\($0.name): \($0.value)" }).joined(separator: "\r\n")
    try send(Array((text + "\r\n\r\n").utf8))
  }

  /// Sends bytes, few enough for the system's buffer.
  package func send(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    let sent = try systemCall("send", "socket") {
      #if canImport(Darwin)
        Darwin.send(socket.rawValue, bytes, bytes.count, flags)
      #else
        Glibc.send(socket.rawValue, bytes, bytes.count, flags)
      #endif
    }
    guard sent == bytes.count else { throw HangError("sent \(sent) of \(bytes.count) bytes") }
  }

  /// Receives until the connection ends.
  package func receiveAll() throws -> Reply {
    try receive(until: { _ in false })
  }

  /// Receives until there are `count` bytes, or the connection ends.
  package func receive(count: Int) throws -> Reply {
    try receive(until: { $0.count >= count })
  }

  /// Receives until there is enough, or the connection ends.
  package func receive(until isEnough: ([UInt8]) -> Bool) throws -> Reply {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(bytes) {
      try wait(for: POLLIN)
      let count = recv(socket.rawValue, &buffer, buffer.count, 0)
      let code = errno
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if code == ECONNRESET {
        return Reply(bytes: bytes, ending: .reset)
      }
    }
    return Reply(bytes: bytes, ending: .normal)
  }

  private func wait(for events: CInt) throws {
    var descriptor = pollfd(fd: socket.rawValue, events: Int16(events), revents: 0)
    let deadline = MonotonicTime.now.advanced(by: HangError.patience)
    while poll(&descriptor, 1, deadline.pollTimeout) != 1 {
      if deadline < .now { throw HangError("the server on port \(socket.peerPort) says nothing") }
    }
  }
}
