/// The status that the process ends with.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  static let success = Self(rawValue: 0)
  /// An entry that is not optional failed or was cancelled.
  static let failure = Self(rawValue: 1)
  /// Wrong usage, or an error in a manifest or the configuration: nothing was attempted.
  static let usage = Self(rawValue: 2)
  /// `plan --check`: there is something to do.
  static let pending = Self(rawValue: 3)
  /// The cache, the report or standard output cannot be used, or the disk is full.
  static let surroundings = Self(rawValue: 4)

  /// Ended by a signal.
  static func signal(_ number: Int32) -> Self { Self(rawValue: 128 + number) }
}
