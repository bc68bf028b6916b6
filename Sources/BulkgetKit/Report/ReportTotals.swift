/// The sums over a report's files.
public struct ReportTotals: Hashable, Sendable {
  /// All entries: the sum of the seven kinds that follow.
  public var files = 0
  /// Entries whose bytes came from a server or a local source.
  public var downloaded = 0
  /// Entries that the server said are unchanged.
  public var revalidated = 0
  /// Entries that needed no network.
  public var cached = 0
  /// Entries that failed, optional ones left out.
  public var failed = 0
  /// Optional entries that failed.
  public var optionalFailed = 0
  /// Entries that were not finished.
  public var cancelled = 0
  /// Entries that were not chosen.
  public var skipped = 0
  /// Entries that this run placed at their destinations.
  public var placed = 0
  /// The bytes of all files.
  public var byteCount: Int64 = 0
  /// The bytes that came over the network.
  public var transferredByteCount: Int64 = 0
  /// Attempts beyond the first of each entry.
  public var retries = 0

  /// Adds up.
  public init(of files: [FileReport]) {
    for file in files { add(file.outcome, isOptional: file.isOptional) }
  }

  private mutating func add(_ outcome: Outcome, isOptional: Bool) {
    files += 1
    switch outcome.status {
    case .downloaded: downloaded += 1
    case .revalidated: revalidated += 1
    case .cached: cached += 1
    case .failed where isOptional: optionalFailed += 1
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    case .skipped: skipped += 1
    }
    if outcome.isPlaced { placed += 1 }
    byteCount.addSaturating(outcome.byteCount)
    transferredByteCount.addSaturating(outcome.transferredByteCount)
    retries += max(0, outcome.attempts.count - 1)
  }
}

extension Int64 {
  /// Adds, but stops at the largest number: sizes that a manifest claims may be anything.
  package mutating func addSaturating(_ other: Int64) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? (other < 0 ? .min : .max) : sum
  }
}
