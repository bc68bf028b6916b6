import Foundation

/// What every step of a run works with.
struct RunContext: Sendable {
  let configuration: Configuration
  let cache: DiskCache
  let transport: any Transferring
  /// By manifest.
  let hosts: [[String: HostSettings]]
  let placement: Placement
  /// Has looked at nothing yet: every look begins with a copy of it.
  let destinations: DestinationObserver
  let limits: BodyWriter.Limits
  let lanes: FileLanes
  let emit: @Sendable (RunEvent) -> Void
  /// Whether the run is to end.
  let isCancelled: @Sendable () -> Bool
  let moment: @Sendable () -> Download.Moment

  /// The seconds since 1970.
  var now: Int64 { Int64(moment().date.timeIntervalSince1970) }

  /// The moment by the system's clocks. The jitter is mixed from the clock and a number of the process's own: asking the
  /// system for a random one at each event would cost more than the event.
  static let systemMoment: @Sendable () -> Download.Moment = {
    let date = Date()
    let mixed = Jitter.mix(
      seed ^ UInt64(bitPattern: Int64(date.timeIntervalSinceReferenceDate * 1e9)))
    return Download.Moment(
      date: date, instant: .now, jitter: Double(mixed >> 11) / Double(1 << 53 as UInt64))
  }

  private static let seed = UInt64.random(in: .min ... .max)
}

/// Turns a number into one that looks random (the finaliser of SplitMix64).
private enum Jitter {
  static func mix(_ number: UInt64) -> UInt64 {
    var number = number &+ 0x9E37_79B9_7F4A_7C15
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }
}
