import BulkgetSystem

extension DiskCache {
  /// Looks up what the cache has for the entries: one look-up in the index and one at the file for each, and one list of
  /// the kept parts for all.
  ///
  /// - Throws: what the system or the index gave. A damaged index is a warning of the snapshot.
  public func snapshot(of entries: [Entry]) throws(CacheError) -> CacheSnapshot {
    try snapshot(of: entries, PartialDirectory(layout, entryCount: entries.count))
  }

  /// As ``snapshot(of:)``, with kept parts that were listed before; nil where they don't matter.
  func snapshot(
    of entries: [Entry], _ partials: PartialDirectory?
  ) throws(CacheError) -> CacheSnapshot {
    try writer.flush()
    let hasher = KeyHasher()
    let observer = FileObserver(layout, hasher)
    var snapshot = CacheSnapshot()
    var missing: Set<Digest> = []
    snapshot.files.reserveCapacity(entries.count)
    for (entry, known) in zip(entries, try recorded(entries)) {
      var file = known
      let record = file.record
      file.observation = try observer.observe(entry.key, type: record.map(\.type) ?? entry.type)
      file.partial = try partials?.partial(of: entry.key, hasher)
      if !entry.digests.isEmpty { missing.formUnion(Self.digestsMissing(in: file, of: entry)) }
      if !file.isEmpty { snapshot.files[entry.key] = file }
    }
    snapshot.content = try content(missing, observer)
    snapshot.warnings = takeWarnings()
    return snapshot
  }

  /// The index's record of one file, or nil.
  public func record(of key: FileKey) throws(CacheError) -> CacheRecord? {
    try writer.flush()
    return try index.read(nil) { index throws(SQLiteError) in try index.record(of: key) }
  }

  /// What the index knows about the entries, in their order.
  private func recorded(_ entries: [Entry]) throws(CacheError) -> [CacheSnapshot.File] {
    let none = [CacheSnapshot.File](repeating: CacheSnapshot.File(), count: entries.count)
    return try index.read(none) { index throws(SQLiteError) in
      var files = none
      for (number, entry) in entries.enumerated() {
        files[number].record = try index.record(of: entry.key)
      }
      return files
    }
  }

  /// The strong digests that the entry wants and its own file doesn't have.
  private static func digestsMissing(in file: CacheSnapshot.File, of entry: Entry) -> [Digest] {
    let wanted = entry.digests.filter(\.algorithm.isStrong)
    guard let record = file.record, file.observation?.matches(record) == true else {
      return wanted
    }
    return wanted.filter { !record.digests.contains($0) }
  }

  /// For each digest a file that has this content and is as it was recorded.
  private func content(
    _ digests: Set<Digest>, _ observer: FileObserver
  ) throws(CacheError) -> [Digest: CacheRecord] {
    if digests.isEmpty { return [:] }
    let none: [Digest: [CacheRecord]] = [:]
    let candidates = try index.read(none) { index throws(SQLiteError) in
      var candidates: [Digest: [CacheRecord]] = [:]
      for digest in digests {
        let records = try index.records(withContent: digest)
        if !records.isEmpty { candidates[digest] = records }
      }
      return candidates
    }
    var content: [Digest: CacheRecord] = [:]
    for (digest, records) in candidates {
      for record in records where content[digest] == nil {
        guard let observation = try observer.observe(record.key, type: record.type),
          observation.matches(record)
        else { continue }
        content[digest] = record
      }
    }
    return content
  }
}
