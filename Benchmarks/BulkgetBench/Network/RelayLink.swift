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

  /// What is to be waited for.
  var descriptors: [pollfd] { up.descriptors + down.descriptors }

  /// When bytes must be passed on next.
  var nextDue: MonotonicTime? { [up.nextDue, down.nextDue].compactMap(\.self).min() }

  /// Takes what has arrived and passes on what is due; false when the connection is at its end.
  mutating func goOn(at now: MonotonicTime) -> Bool {
    up.goOn(at: now) && down.goOn(at: now) && !(up.isFinished && down.isFinished)
  }
}

/// One direction of it.
private struct RelayLane {
  private struct Piece {
    let due: MonotonicTime
    /// Empty for the end.
    var bytes: ArraySlice<UInt8>
  }

  private let source: Socket
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

  var descriptors: [pollfd] {
    var descriptors: [pollfd] = []
    if wantsMore {
      descriptors.append(pollfd(fd: source.rawValue, events: Int16(POLLIN), revents: 0))
    }
    if isBlocked {
      descriptors.append(pollfd(fd: target.rawValue, events: Int16(POLLOUT), revents: 0))
    }
    return descriptors
  }

  var nextDue: MonotonicTime? { isBlocked ? nil : pieces.first?.due }

  /// False when the connection is broken.
  mutating func goOn(at now: MonotonicTime) -> Bool {
    while wantsMore {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(source.rawValue, &buffer, buffer.count, 0)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { break }
        return false
      }
      hasEnded = count == 0
      byteCount += count
      pieces.append(Piece(due: max(now, opened).advanced(by: oneWay), bytes: buffer[..<count]))
    }
    return passOn(at: now)
  }

  private mutating func passOn(at now: MonotonicTime) -> Bool {
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
