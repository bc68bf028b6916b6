package import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A TCP socket on a loopback address, closed when its last owner lets go of it. It never blocks.
package final class Socket: Sendable {
  /// The loopback addresses.
  package enum Address: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "::1"

    /// As it stands in a URL.
    package var host: String { self == .ipv6 ? "[::1]" : rawValue }
  }

  package let rawValue: CInt
  package let address: Address

  init(owning rawValue: CInt, address: Address) throws(SystemError) {
    self.rawValue = rawValue
    self.address = address
    let flags = fcntl(rawValue, F_GETFL)
    try systemCall("make non-blocking", "socket") { fcntl(rawValue, F_SETFL, flags | O_NONBLOCK) }
    try systemCall("configure", "socket") { fcntl(rawValue, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      try setOption(SO_NOSIGPIPE, to: CInt(1))
    #endif
  }

  deinit {
    close(rawValue)
  }

  private convenience init(_ address: Address) throws(SystemError) {
    let family = address == .ipv4 ? AF_INET : AF_INET6
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      // With the flag at once: a test's child process must not inherit it between two calls.
      let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
    let descriptor = try systemCall("make", "socket") { socket(family, kind, 0) }
    try self.init(owning: descriptor, address: address)
  }

  /// Takes a port, 0 for a free one, without listening yet: until then connections are refused.
  package static func bound(_ address: Address, port: UInt16) throws(SystemError) -> Socket {
    let socket = try Socket(address)
    try socket.setOption(SO_REUSEADDR, to: CInt(1))
    try socket.withAddress(port: port) { pointer, length throws(SystemError) in
      try systemCall("bind", "\(address.host):\(port)") { bind(socket.rawValue, pointer, length) }
    }
    return socket
  }

  /// Starts to connect; whether it is done already. A connection that is refused at once is an error.
  package static func connecting(
    to address: Address, port: UInt16
  ) throws(SystemError) -> (socket: Socket, isConnected: Bool) {
    let socket = try Socket(address)
    var isConnected = true
    try socket.withAddress(port: port) { pointer, length throws(SystemError) in
      do throws(SystemError) {
        try systemCall("connect to", "\(address.host):\(port)") {
          connect(socket.rawValue, pointer, length)
        }
      } catch {
        if error.code != EINPROGRESS { throw error }
        isConnected = false
      }
    }
    return (socket, isConnected)
  }

  package func listen(backlog: CInt) throws(SystemError) {
    try systemCall("listen on", address.host) {
      #if canImport(Darwin)
        Darwin.listen(rawValue, backlog)
      #else
        Glibc.listen(rawValue, backlog)
      #endif
    }
  }

  /// The next waiting connection, or nil where there is none.
  package func accept() throws(SystemError) -> Socket? {
    do throws(SystemError) {
      return try withoutSpawning { () throws(SystemError) in
        let descriptor = try systemCall("accept on", address.host) {
          #if canImport(Darwin)
            Darwin.accept(rawValue, nil, nil)
          #else
            Glibc.accept(rawValue, nil, nil)
          #endif
        }
        return try Socket(owning: descriptor, address: address)
      }
    } catch  where [EAGAIN, ECONNABORTED].contains(error.code) {
      return nil
    }
  }

  /// The port on this side.
  package var localPort: UInt16 { port(getsockname) }

  /// The port on the other side.
  package var peerPort: UInt16 { port(getpeername) }

  /// Sends small pieces at once instead of gathering them.
  package func sendWithoutDelay() throws(SystemError) {
    var value: CInt = 1
    try systemCall("configure", "socket") {
      setsockopt(
        rawValue, CInt(IPPROTO_TCP), TCP_NODELAY, &value, socklen_t(MemoryLayout<CInt>.size))
    }
  }

  /// Makes the close that follows a reset.
  func resetWhenClosed() throws(SystemError) {
    try setOption(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
  }

  /// Throws what became of a connection that was under way, where it failed.
  func checkConnection() throws(SystemError) {
    var code: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    try systemCall("examine", "socket") {
      getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &length)
    }
    if code != 0 { throw SystemError("connect to", address.host, code: code) }
  }

  /// Ends the sending direction.
  package func finishSending() {
    // Fails only where the peer has ended the connection before, which comes to the same.
    shutdown(rawValue, CInt(SHUT_WR))
  }

  /// How many sent bytes the other side hasn't taken yet.
  var unsentByteCount: Int {
    var count: CInt = 0
    #if canImport(Darwin)
      var length = socklen_t(MemoryLayout<CInt>.size)
      getsockopt(rawValue, SOL_SOCKET, SO_NWRITE, &count, &length)
    #else
      // SIOCOUTQ, an alias that Swift doesn't import.
      let result = ioctl(rawValue, UInt(TIOCOUTQ), &count)
      if result != 0 { return 0 }
    #endif
    return Int(count)
  }

  private func setOption<Value: BitwiseCopyable>(_ option: CInt, to value: Value)
    throws(SystemError)
  {
    var value = value
    try systemCall("configure", "socket") {
      setsockopt(rawValue, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
  }

  private func withAddress(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &storage) { bytes in
      switch address {
      case .ipv4:
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, address.rawValue, &name.sin_addr)
        withUnsafeBytes(of: name) { bytes.copyMemory(from: $0) }
      case .ipv6:
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port.bigEndian
        inet_pton(AF_INET6, address.rawValue, &name.sin6_addr)
        withUnsafeBytes(of: name) { bytes.copyMemory(from: $0) }
        length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      }
    }
    let name = storage
    var failure: SystemError?
    withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        do throws(SystemError) { try body(pointer, length) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  private func port(
    _ function: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
  ) -> UInt16 {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(rawValue, $0, &length) }
    }
    // The port lies at one place in both families' names.
    return UInt16(bigEndian: storage.sin6_port)
  }
}
