import BulkgetSystem
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection through the relay. Used on the relay's thread only.
struct RelayLink {
  private var up: RelayLane
  private var down: RelayLane

  /// - Parameters:
  ///   - opened: When a handshake over this way would be done; nothing goes through before.
  ///   - oneWay: How long bytes are under way.
  init(near: Socket, far: Socket, opened: MonotonicTime, oneWay: Duration) throws(SystemError) {
    try near.sendWithoutDelay()
    try far.sendWithoutDelay()
    up = RelayLane(from: near, to: far, opened: opened, oneWay: oneWay)
    down = RelayLane(from: far, to: near, opened: opened, oneWay: oneWay)
  }

  /// What is to be waited for: one descriptor for each side.
  func appendDescriptors(to descriptors: inout [pollfd]) {
    let near = up.sourceEvents | down.targetEvents
    let far = down.sourceEvents | up.targetEvents
    descriptors.append(pollfd(fd: near == 0 ? -1 : up.source.rawValue, events: near, revents: 0))
    descriptors.append(pollfd(fd: far == 0 ? -1 : down.source.rawValue, events: far, revents: 0))
  }

  /// When bytes must be passed on next.
  var nextDue: MonotonicTime? {
    guard let first = up.nextDue else { return down.nextDue }
    return down.nextDue.map { min(first, $0) } ?? first
  }

  /// Takes what has arrived and passes on what is due; false when the connection is at its end.
  mutating func goOn(
    at now: MonotonicTime, _ events: (near: Int16, far: Int16), _ buffer: inout [UInt8]
  ) -> Bool {
    let arrived = ~Int16(POLLOUT)
    if events.near & arrived != 0, !up.receive(at: now, &buffer) { return false }
    if events.far & arrived != 0, !down.receive(at: now, &buffer) { return false }
    return up.passOn(at: now) && down.passOn(at: now) && !(up.isFinished && down.isFinished)
  }
}

/// One direction of it.
private struct RelayLane {
  private struct Piece {
    let due: MonotonicTime
    /// Empty for the end.
    var bytes: ArraySlice<UInt8>
  }

  let source: Socket
  private let target: Socket
  private let opened: MonotonicTime
  private let oneWay: Duration
  private var pieces: [Piece] = []
  private var byteCount = 0
  private var hasEnded = false
  private var isBlocked = false
  private(set) var isFinished = false

  /// More than this isn't under way at once, as it wouldn't be in a real window.
  private static let window = 4 << 20

  init(from source: Socket, to target: Socket, opened: MonotonicTime, oneWay: Duration) {
    self.source = source
    self.target = target
    self.opened = opened
    self.oneWay = oneWay
  }

  private var wantsMore: Bool { !hasEnded && byteCount < Self.window }

  var sourceEvents: Int16 { wantsMore ? Int16(POLLIN) : 0 }
  var targetEvents: Int16 { isBlocked ? Int16(POLLOUT) : 0 }
  var nextDue: MonotonicTime? { isBlocked ? nil : pieces.first?.due }

  /// Takes what has arrived; false when the connection is broken.
  mutating func receive(at now: MonotonicTime, _ buffer: inout [UInt8]) -> Bool {
    while wantsMore {
      let count = recv(source.rawValue, &buffer, buffer.count, 0)
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      hasEnded = count == 0
      byteCount += count
      let bytes = Array(buffer[..<count])
      pieces.append(Piece(due: max(now, opened).advanced(by: oneWay), bytes: bytes[...]))
      if count < buffer.count { break }
    }
    return true
  }

  /// Passes on what is due; false when the connection is broken.
  mutating func passOn(at now: MonotonicTime) -> Bool {
    isBlocked = false
    while let piece = pieces.first, piece.due <= now {
      if piece.bytes.isEmpty {
        target.finishSending()
        isFinished = true
      } else {
        let count = piece.bytes.withUnsafeBytes {
          send(target.rawValue, $0.baseAddress, $0.count, 0)
        }
        if count < 0 {
          if errno == EINTR { continue }
          // ENOTCONN and the like: a connection that is not yet there.
          isBlocked = errno == EAGAIN || errno == ENOTCONN
          return isBlocked
        }
        byteCount -= count
        pieces[0].bytes = piece.bytes.dropFirst(count)
        if !pieces[0].bytes.isEmpty { continue }
      }
      pieces.removeFirst()
    }
    return true
  }
}
