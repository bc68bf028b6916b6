#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection on its server's side, confined to its thread. Every wait ends when the server stops.
package final class Connection {
  /// Why a connection can't go on.
  package enum End: Error, Equatable {
    /// The server stops.
    case stopped
    /// The client closed or reset the connection.
    case closedByClient
    /// The script ended it.
    case closedByScript
  }

  /// The number at its server, from 1.
  package let number: Int
  /// The client's port.
  package let peerPort: UInt16
  /// Content bytes of all responses that were handed to the system.
  package internal(set) var sentByteCount: Int64 = 0

  private var socket: Socket?
  let stop: Gate
  private var received: [UInt8] = []
  private var security: TLSSession?

  init(_ socket: Socket, number: Int, stop: Gate) {
    self.number = number
    self.socket = socket
    self.stop = stop
    peerPort = socket.peerPort
  }

  /// Makes the connection a TLS one: whatever is sent and received from now on goes through the handshake.
  package func startTLS(_ identity: TLSIdentity) throws {
    let session = try TLSSession(identity)
    security = session
    while try !session.advanceHandshake() {
      try flush(session)
      guard let bytes = try receiveRaw() else { throw End.closedByClient }
      session.feed(bytes)
    }
    try flush(session)
  }

  // MARK: Receiving

  /// The next bytes, or nil where the client has finished sending.
  package func receive() throws -> [UInt8]? {
    if !received.isEmpty {
      defer { received = [] }
      return received
    }
    guard let security else { return try receiveRaw() }
    while true {
      if let bytes = try security.decrypted() { return bytes.isEmpty ? nil : bytes }
      guard let bytes = try receiveRaw() else { return nil }
      security.feed(bytes)
    }
  }

  /// All bytes up to and including `delimiter`, or nil where the client finishes before it.
  package func receive(through delimiter: [UInt8], limit: Int = 1 << 20) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    var searched = 0
    while bytes.count < limit {
      guard let more = try receive() else { return nil }
      bytes += more
      if let end = position(after: delimiter, in: bytes, from: max(0, searched - delimiter.count)) {
        received = Array(bytes[end...])
        return Array(bytes[..<end])
      }
      searched = bytes.count
    }
    return nil
  }

  /// Exactly `count` bytes, or nil where the client finishes before them.
  package func receive(count: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = try receive() else { return nil }
      bytes += more
    }
    received = Array(bytes[count...])
    return Array(bytes[..<count])
  }

  /// Bytes that came with others that were asked for, and are still to be received.
  func takeReceived() -> [UInt8] {
    defer { received = [] }
    return received
  }

  func receiveRaw() throws -> [UInt8]? {
    let socket = try openSocket()
    while true {
      var count = 0
      var code: CInt = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initializedCount in
        count = recv(socket.rawValue, buffer.baseAddress, buffer.count, 0)
        code = errno
        initializedCount = max(0, count)
      }
      if count > 0 { return bytes }
      if count == 0 { return nil }
      if code == EAGAIN {
        try wait(for: Int16(POLLIN))
      } else if code != EINTR {
        throw End.closedByClient
      }
    }
  }

  // MARK: Sending

  /// Sends all of `bytes`.
  package func send(_ bytes: [UInt8]) throws {
    guard let security else { return try sendRaw(bytes) }
    try security.encrypt(bytes)
    try flush(security)
  }

  /// Sends all of `bytes` as they are, also on a TLS connection.
  package func sendRaw(_ bytes: [UInt8]) throws {
    let socket = try openSocket()
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    var start = 0
    while start < bytes.count {
      let (sent, code) = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
        let sent = Self.send(socket.rawValue, rest, flags)
        return (sent, errno)
      }
      if sent >= 0 {
        start += sent
      } else if code == EAGAIN {
        try wait(for: Int16(POLLOUT))
      } else if code != EINTR {
        throw End.closedByClient
      }
    }
  }

  private static func send(_ socket: CInt, _ bytes: UnsafeRawBufferPointer, _ flags: CInt) -> Int {
    #if canImport(Darwin)
      Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
    #else
      Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
    #endif
  }

  private func flush(_ session: TLSSession) throws {
    while let bytes = session.encrypted() { try sendRaw(bytes) }
  }

  // MARK: Waiting

  /// Does nothing for so long; the client's leaving ends it.
  package func pause(for duration: Duration) throws {
    let deadline = MonotonicTime.now.advanced(by: duration)
    while deadline > .now {
      try wait(for: 0, until: deadline)
    }
  }

  /// Does nothing until the gate opens; the client's leaving ends it.
  package func pause(until gate: Gate) throws {
    while !gate.isOpen {
      try wait(for: 0, gate: gate)
    }
  }

  /// Says nothing until the client leaves or the server stops.
  package func pauseForEver() throws {
    while true {
      try wait(for: 0)
    }
  }

  /// Waits for an event of the socket, the gate, the deadline or the server's stop.
  func wait(for events: Int16, gate: Gate? = nil, until deadline: MonotonicTime? = nil)
    throws
  {
    var descriptors = [
      pollfd(fd: stop.descriptor, events: 0, revents: 0),
      pollfd(fd: try openSocket().rawValue, events: events | Self.hangUp, revents: 0),
      pollfd(fd: gate?.descriptor ?? -1, events: 0, revents: 0),
    ]
    // The result says nothing that the events don't; an interruption looks like no event, and callers ask again.
    poll(&descriptors, 3, deadline?.pollTimeout ?? -1)
    if descriptors[0].revents != 0 { throw End.stopped }
    let left = Self.hangUp | Int16(POLLHUP) | Int16(POLLERR)
    // Bytes that came before the end are to be read first.
    if descriptors[1].revents & left != 0, events & Int16(POLLIN) == 0 { throw End.closedByClient }
  }

  #if canImport(Darwin)
    private static let hangUp: Int16 = 0
  #else
    // POLLRDHUP, which Glibc shows to GNU programs only.
    private static let hangUp: Int16 = 0x2000
  #endif

  // MARK: Ending

  /// Ends the connection normally: FIN, over TLS after close_notify unless told otherwise.
  package func close(notifies: Bool = true) throws {
    guard let socket else { return }
    if notifies, let security {
      security.finish()
      try flush(security)
    }
    socket.finishSending()
    // Unread bytes would turn the close into a reset.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while recv(socket.rawValue, &buffer, buffer.count, 0) > 0 {}
    self.socket = nil
  }

  /// Ends the connection with a reset, after the client has been handed everything that was sent.
  package func reset() throws {
    guard let socket else { return }
    while socket.unsentByteCount > 0 {
      try wait(for: 0, until: .now.advanced(by: .milliseconds(1)))
    }
    try socket.resetWhenClosed()
    self.socket = nil
  }

  func openSocket() throws -> Socket {
    guard let socket else { throw End.closedByScript }
    return socket
  }

  private func position(after delimiter: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= delimiter.count else { return nil }
    for index in start...(bytes.count - delimiter.count)
    where bytes[index] == delimiter[0] && bytes[index...].starts(with: delimiter) {
      return index + delimiter.count
    }
    return nil
  }
}
