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
  private var buffer = [UInt8](repeating: 0, count: 65_536)

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
      descriptors.reserveCapacity(2 + 2 * links.count)
      for link in links { link.appendDescriptors(to: &descriptors) }
      // Up to a millisecond late, for all programs alike.
      let due = links.compactMap(\.nextDue).min()
      poll(&descriptors, nfds_t(descriptors.count), due?.pollTimeout ?? -1)
      if descriptors[0].revents != 0 { return }
      goOn(descriptors.dropFirst(2))
      if descriptors[1].revents != 0 { acceptAll(at: .now) }
      // What comes meanwhile is handled at once: a look at hundreds of connections for each piece would take the
      // processor away from the program that is measured.
      usleep(250)
    }
  }

  /// Lets all connections go on; each has two descriptors.
  private mutating func goOn(_ descriptors: ArraySlice<pollfd>) {
    let now = MonotonicTime.now
    for index in links.indices.reversed() {
      let first = descriptors.startIndex + 2 * index
      let events = (near: descriptors[first].revents, far: descriptors[first + 1].revents)
      if !links[index].goOn(at: now, events, &buffer) { links.remove(at: index) }
    }
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
