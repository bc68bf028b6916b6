import BulkgetSystem
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the relay's thread does: all connections in one loop around `poll`.
struct RelayLoop {
  private let listener: Socket
  private let target: UInt16
  private let roundTrip: Duration
  private let stop: Gate
  private var links: [RelayLink] = []

  init(listener: Socket, target: UInt16, roundTrip: Duration, stop: Gate) {
    self.listener = listener
    self.target = target
    self.roundTrip = roundTrip
    self.stop = stop
  }

  /// Passes bytes on until it is told to stop.
  mutating func run() {
    while true {
      var descriptors = [
        pollfd(fd: stop.descriptor, events: 0, revents: 0),
        pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0),
      ]
      for link in links { descriptors += link.descriptors }
      wait(&descriptors)
      if descriptors[0].revents != 0 { return }
      let now = MonotonicTime.now
      for index in links.indices.reversed() where !links[index].goOn(at: now) {
        links.remove(at: index)
      }
      if descriptors[1].revents != 0 { acceptAll(at: now) }
    }
  }

  /// Waits for something to happen or to be due.
  private func wait(_ descriptors: inout [pollfd]) {
    let due = links.compactMap(\.nextDue).min()
    // Up to a millisecond late, for all programs alike.
    poll(&descriptors, nfds_t(descriptors.count), due?.pollTimeout ?? -1)
  }

  private mutating func acceptAll(at now: MonotonicTime) {
    // One that fails, or whose server can't be reached, is closed: its client sees that, and that is all a way can say.
    while let near = try? listener.accept() {
      guard let far = try? Socket.connecting(to: .ipv4, port: target).socket,
        let link = try? RelayLink(
          near: near, far: far, opened: now.advanced(by: roundTrip), oneWay: roundTrip / 2)
      else { continue }
      links.append(link)
    }
  }
}
