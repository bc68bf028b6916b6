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

  func forEachFile(
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
