/// What an entry has from its lock file, because the manifest doesn't give it.
public struct LockedParts: OptionSet, Hashable, Sendable {
  /// A bit for each part.
  public let rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The SHA-256.
  public static let sha256 = LockedParts(rawValue: 1)
  /// The size.
  public static let size = LockedParts(rawValue: 2)
}

extension Entry {
  /// Who gives the size, as messages say it.
  var sizeOrigin: String { locked.contains(.size) ? "the lock file" : "the manifest" }

  /// What a message about a wrong size ends in.
  var wrongSizeHint: String { locked.contains(.size) ? Self.lockHint : "" }

  /// Who gives a digest, where it isn't the manifest.
  func origin(of digest: Digest) -> String {
    isLocked(digest) ? "the lock file's " : ""
  }

  /// What a message about a wrong digest ends in.
  func hint(wrong digest: Digest) -> String { isLocked(digest) ? Self.lockHint : "" }

  private func isLocked(_ digest: Digest) -> Bool {
    locked.contains(.sha256) && digest.algorithm == .sha256
  }

  private static let lockHint = "; if that is meant, `bulkget lock --refresh` records it"
}
