/// What `bulkget lock` does: which entries have to be fetched, and what is recorded afterwards. Pure.
public struct LockUpdate: Sendable {
  /// The manifest of what has to be fetched; nothing of it is placed.
  public let manifest: Manifest
  /// The lock file as it was.
  public let before: LockFile
  private let kept: [LockFile.Record]

  /// Compares a manifest with its lock file.
  ///
  /// - Parameters:
  ///   - selection: the entries to lock; the records of others stay.
  ///   - renewsAll: whether to look again at what is recorded already.
  public init(
    of manifest: Manifest, _ lock: LockFile, selection: Selection, renewsAll: Bool
  ) {
    let matcher = SelectionMatcher(selection)
    let records = Dictionary(lock.records.map { ($0.key, $0) }) { first, _ in first }
    var wanted: [Entry] = []
    var kept: [LockFile.Record] = []
    for entry in manifest.entries where !entry.hasStrongDigest {
      let record = records[entry.key]
      let isSelected = matcher.selects(entry)
      let holds = record?.holds(for: entry, in: manifest.directory) ?? false
      if let record, !isSelected || holds { kept.append(record) }
      // What contradicts the manifest makes every run fail: it is looked at again, though its URLs are the same.
      let isRight = holds && record?.contradictions(of: entry).isEmpty == true
      guard isSelected, renewsAll || !isRight else { continue }
      var entry = entry
      entry.destination = nil
      wanted.append(entry)
    }
    var reduced = manifest
    reduced.entries = wanted
    self.manifest = reduced
    self.kept = kept
    before = lock
  }

  /// Whether anything may change in the lock file.
  public var isNeeded: Bool {
    !manifest.entries.isEmpty || LockFile(records: kept) != before
  }

  /// The lock file with what a run of ``manifest`` has brought. What failed keeps a record that still holds.
  public func lockFile(after result: RunResult) -> LockFile {
    var records = Dictionary(kept.map { ($0.key, $0) }) { first, _ in first }
    for (step, outcome) in zip(result.plan.steps, result.outcomes) {
      guard outcome.failure == nil, let sha256 = outcome.sha256
      else { continue }
      let entry = step.entry
      records[entry.key] = LockFile.Record(
        key: entry.key, urls: entry.sources.map { $0.lockName(in: manifest.directory) },
        sha256: sha256, size: outcome.byteCount)
    }
    return LockFile(records: Array(records.values))
  }
}
