#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Connection {
  /// A connection to another server that ends when this one's server stops.
  func sibling(_ socket: Socket) -> Connection { Connection(socket, number: number, stop: stop) }

  /// Waits for a connection that is under way.
  func waitUntilConnected() throws {
    try wait(for: Int16(POLLOUT))
    try openSocket().checkConnection()
  }

  /// Passes bytes in both directions until both sides have finished.
  func relay(with other: Connection) throws {
    var directions = [(from: self, to: other), (from: other, to: self)]
    for direction in directions { try direction.to.sendRaw(direction.from.takeReceived()) }
    while !directions.isEmpty {
      var descriptors = try directions.map {
        pollfd(fd: try $0.from.openSocket().rawValue, events: Int16(POLLIN), revents: 0)
      }
      descriptors.append(pollfd(fd: stop.descriptor, events: 0, revents: 0))
      poll(&descriptors, nfds_t(descriptors.count), -1)
      if descriptors.last?.revents != 0 { throw End.stopped }
      let ready = directions.indices.filter { descriptors[$0].revents != 0 }
      for index in ready.reversed() {
        if let bytes = try directions[index].from.receiveRaw() {
          try directions[index].to.sendRaw(bytes)
        } else {
          try directions[index].to.openSocket().finishSending()
          directions.remove(at: index)
        }
      }
    }
  }
}
