import BulkgetSystem

extension DiskCache {
  /// Up to `count` records that follow `key` in the order of namespace and id; from the first one for nil.
  public func records(
    after key: FileKey? = nil, count: Int = 512
  ) throws(CacheError) -> [CacheRecord] {
    let start = key ?? FileKey(namespace: "", id: "")
    return try index.read([]) { index throws(SQLiteError) in
      try index.records(after: start, count: count)
    }
  }

  /// Calls `body` with every record, ordered by namespace and id. They are read in pages, so that a million of them are
  /// never in memory at once, and that no other process has to wait for `body`.
  public func forEachRecord(
    _ body: (CacheRecord) throws(CacheError) -> Void
  ) throws(CacheError) {
    try flush()
    var last: FileKey?
    while true {
      let page = try records(after: last)
      for record in page { try body(record) }
      guard let record = page.last else { return }
      last = record.key
    }
  }

  /// Counts what lies on the disk, whether the index knows it or not.
  public func size() throws(CacheError) -> CacheSize {
    try cacheCall { () throws(SystemError) in
      var size = CacheSize()
      var linked: Set<UInt64> = []
      for namespace in try FileSystem.names(in: layout.filesDirectory) ?? [] {
        try forEachFile(in: layout.filesDirectory + "/" + namespace) { _, status in
          size.fileCount += 1
          if status.linkCount == 1 || linked.insert(status.inode).inserted {
            size.byteCount += status.size
          }
        }
      }
      try forEachFile(in: layout.partialDirectory) { name, status in
        if name.hasSuffix(CacheLayout.recordSuffix) { return }
        size.partialCount += 1
        size.partialByteCount += status.size
      }
      return size
    }
  }

  /// Removes a file and its record; false where another run is at it.
  package func remove(_ record: CacheRecord) throws(CacheError) -> Bool {
    var lock: FileLock?
    switch try self.lock(record.key) {
    case .held: return false
    case .acquired(let acquired): lock = acquired
    case .unsupported: break
    }
    let path = layout.path(of: record.key, type: record.type)
    try cacheCall { () throws(SystemError) in try FileSystem.remove(path) }
    writer.add(IndexWriter.Item(change: .remove(record.key), lock: lock))
    return true
  }

  /// Removes incomplete files that were last written before `time`, in nanoseconds since 1970, and that nobody is using.
  ///
  /// - Returns: what was removed.
  package func removePartials(writtenBefore time: Int64) throws(CacheError) -> CacheSize {
    try checkWritable(layout.partialDirectory)
    let names = try cacheCall { () throws(SystemError) in
      try FileSystem.names(in: layout.partialDirectory) ?? []
    }
    var removed = CacheSize()
    for name in names {
      guard let partial = PartialName(name), let size = try remove(partial, writtenBefore: time)
      else { continue }
      removed.partialCount += 1
      removed.partialByteCount += size
    }
    return removed
  }

  /// Removes one where its key is not locked, which also keeps others from beginning with it meanwhile.
  private func remove(
    _ partial: PartialName, writtenBefore time: Int64
  ) throws(CacheError) -> Int64? {
    let path = layout.partialDirectory + "/" + partial.name
    let status = try cacheCall { () throws(SystemError) in try FileSystem.status(of: path) }
    guard let status, status.kind == .file, status.modificationTime < time else { return nil }
    guard case .acquired(let lock) = try locks.lock(partial.fingerprint.lockOffset) else {
      return nil
    }
    defer { lock.release() }
    return try cacheCall { () throws(SystemError) in
      if partial.isPrivate, try isLockedByItsWriter(path) { return nil }
      try removePartial(path)
      return status.size
    }
  }

  /// A private download locks its own file, since another process may hold its key's lock or have given it back.
  private func isLockedByItsWriter(_ path: String) throws(SystemError) -> Bool {
    do {
      return try !FileDescriptor.reading(path).lockByte(at: 0, isShared: true)
    } catch  where error.isNotFound {
      return false
    }
  }

  private func forEachFile(
    in path: String, _ body: (String, FileStatus) throws(SystemError) -> Void
  ) throws(SystemError) {
    let directory: FileDescriptor
    do { directory = try FileDescriptor.directory(path) } catch {
      if error.isNotFound { return }
      throw error
    }
    try FileSystem.forEachName(in: path) { name throws(SystemError) in
      guard let status = try FileSystem.status(of: name, in: directory), status.kind == .file
      else { return }
      try body(name, status)
    }
  }
}

/// The name of a file in the directory of incomplete ones. Records are removed with their bytes.
private struct PartialName {
  let name: String
  let fingerprint: KeyFingerprint
  /// Whether it has a random part: a download beside another one's, or a link on its way.
  let isPrivate: Bool

  init?(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let fingerprint = KeyFingerprint(name: first) else { return nil }
    if name.hasSuffix(CacheLayout.recordSuffix) { return nil }
    self.name = name
    self.fingerprint = fingerprint
    isPrivate = parts.count > 1
  }
}
