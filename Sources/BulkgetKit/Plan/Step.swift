/// What is done for one entry, and why.
public struct Step: Sendable {
  /// What is done first; a wanted destination is filled afterwards in any case.
  public enum Action: String, CaseIterable, Sendable {
    case download, resume, rehash, revalidate, place, keep, skip
  }

  /// Why.
  public enum Reason: String, CaseIterable, Sendable {
    case missing
    case urlChanged = "url-changed"
    case checksumChanged = "checksum-changed"
    case sizeChanged = "size-changed"
    case damaged
    case forced
    case partial
    case timeChanged = "time-changed"
    case unindexed
    case digestUnrecorded = "digest-unrecorded"
    case asked
    case stale
    case destinationMissing = "destination-missing"
    case destinationDiffers = "destination-differs"
    case sameContent = "same-content"
    case renamed
    case current
    case notSelected = "not-selected"
  }

  private var boxedEntry: Box<Entry>
  private var boxedRecord: Box<CacheRecord>?
  private var boxedConflict: Box<Failure>?

  /// What is wanted.
  public var entry: Entry {
    get { boxedEntry.content }
    set { boxedEntry = Box(newValue) }
  }
  /// What is done.
  public var action: Action
  /// Why.
  public var reason: Reason
  /// The file's size in bytes, where it is known before any request.
  public var byteCount: Int64?
  /// The byte that a resumed download goes on from.
  public var resumedByteCount: Int64 = 0
  /// The cached file that is used: this entry's own, or where its key differs another one's with the wanted content
  /// (`place` for `same-content`, `rehash` for `digest-unrecorded` and `asked`). Of a transfer, the one that is replaced.
  public var record: CacheRecord? {
    get { boxedRecord?.content }
    set { boxedRecord = newValue.map(Box.init) }
  }
  /// The index of the earlier step whose transfer also serves this one (`same-content`).
  public var leader: Int?
  /// The bytes to be hashed lie at the destination, not in the cache (`rehash`, `unindexed`).
  public var adoptsDestination = false
  /// The server has to be asked about the cached bytes, after they were hashed where the action is `rehash`.
  public var isStale = false
  /// Why the step can't succeed, known before any request: it fails with this.
  public var conflict: Failure? {
    get { boxedConflict?.content }
    set { boxedConflict = newValue.map(Box.init) }
  }
  /// What is worth a word about this entry.
  public var warnings: [Notice] = []

  /// Makes a step.
  public init(entry: Entry, action: Action, reason: Reason, byteCount: Int64? = nil) {
    boxedEntry = Box(entry)
    self.action = action
    self.reason = reason
    self.byteCount = byteCount
  }

  /// Whether bytes of a source are fetched for this step itself.
  public var isTransfer: Bool { action == .download || action == .resume }
}
