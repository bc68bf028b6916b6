/// What hashing again has shown about one file.
public struct Verification: Hashable, Sendable {
  /// Where the file is.
  public enum Place: String, Sendable {
    case cached, placed
  }

  /// What was found.
  public enum Status: String, CaseIterable, Sendable {
    /// It has the digests that it should have.
    case right
    /// It has not, or is no readable file.
    case damaged
    /// The cache's index knows it, and it is gone.
    case missing
    /// It was never there: nothing is wrong with that.
    case absent
  }

  /// Whose file it is.
  public var key: FileKey
  /// In the cache or at its destination.
  public var place: Place
  /// The absolute path.
  public var path: String
  /// What was found.
  public var status: Status
  /// The size in bytes, as it should be.
  public var byteCount: Int64
  /// The SHA-256 that it should have.
  public var sha256: Digest?
  /// What is wrong, and what to do.
  public var message: String?

  /// Whether the next run has to repair it.
  public var isDamage: Bool { status == .damaged || status == .missing }
}

/// What came of verifying.
public struct VerificationResult: Sendable {
  /// In the order of the manifests, or of namespace and id; a cached file before its destination.
  public var files: [Verification]
  /// What is worth a word, such as damage that could not be marked.
  public var warnings: [Notice]

  /// How many files there are of each status.
  public var counts: [Verification.Status: Int] {
    files.reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
  }

  /// Whether there is nothing that a run would have to repair.
  public var isClean: Bool { !files.contains(where: \.isDamage) }
}
