import BulkgetSystem

extension DiskCache {
  /// Gives a complete and verified file its name, replacing what had it, and queues its record for the index.
  ///
  /// 1. Reads size and modification time, which the record gets.
  /// 2. Removes what was needed to resume it.
  /// 3. Renames it, atomically.
  /// 4. Queues the record; the lock is kept until others can read it, and the file under a `previous` type's name until
  ///    then too.
  ///
  /// - Returns: the record as it was queued.
  @discardableResult
  package func publish(
    _ file: StagedFile, as record: CacheRecord, replacing previous: CacheRecord?,
    under lock: FileLock?
  ) throws(CacheError) -> CacheRecord {
    let path = layout.path(of: record)
    var record = record
    try cacheCall { () throws(SystemError) in
      if isDurable { try file.descriptor.synchronize() }
      let status = try file.descriptor.status()
      record.size = status.size
      record.modificationTime = status.modificationTime
      if file.hasRecord { try FileSystem.remove(file.path + CacheLayout.recordSuffix) }
      try rename(file.path, to: path)
    }
    queue(record, replacing: previous, under: lock)
    return record
  }

  /// Gives the content of another key's file a second name: a hard link, or a copy where the file system has none.
  ///
  /// - Throws: ``CacheError/changed(path:)`` where that file is no longer what its record says.
  /// - Returns: the record as it was queued; where the bytes came from stays as it was.
  package func adoptContent(
    of other: CacheRecord, as key: FileKey, type: FileType?, under lock: FileLock?
  ) throws(CacheError) -> CacheRecord {
    let source = layout.path(of: other)
    let target = layout.path(of: key, type: type)
    try checkWritable(target)
    var record = other
    record.key = key
    record.type = type
    // A name of its own renamed to itself would change nothing, and leave the temporary one.
    if source != target {
      var isLinked = false
      for _ in 0..<Self.maximumTryCount where !isLinked {
        isLinked = try link(
          source, to: target, other,
          by: Self.temporaryPath(beside: layout.partialPath(of: key)))
      }
      guard isLinked else { throw .changed(path: source) }
    }
    queue(record, replacing: other.key == key ? other : nil, under: lock)
    return record
  }

  /// Queues what is known about a file that is at its path already: revalidated, or adopted after hashing. A read cache's
  /// record is nothing that could be kept.
  package func record(_ record: CacheRecord, replacing previous: CacheRecord? = nil) {
    if isWritable, record.readCache == nil { queue(record, replacing: previous, under: nil) }
  }

  /// Notes that a file was used, where that was last noted more than a minute ago. `now` is in seconds since 1970.
  package func noteUse(of record: CacheRecord, now: Int64) {
    guard isWritable, record.readCache == nil, now - record.usedAt > 60 else { return }
    writer.add(IndexWriter.Item(change: .touch(record.key, usedAt: now)))
  }

  private func queue(
    _ record: CacheRecord, replacing previous: CacheRecord?, under lock: FileLock?
  ) {
    var item = IndexWriter.Item(change: .store(record), lock: lock)
    if let previous, previous.key == record.key, previous.type != record.type,
      previous.readCache == nil
    {
      item.obsoletePath = layout.path(of: previous)
    }
    writer.add(item)
  }

  private func rename(_ source: String, to target: String) throws(SystemError) {
    do {
      try FileSystem.rename(source, to: target)
    } catch  where error.isNotFound {
      try FileSystem.makeDirectories(
        FileSystem.parentDirectory(of: target), isDurable: isDurable)
      try FileSystem.rename(source, to: target)
    } catch  where error.isDirectoryInTheWay {
      // Somebody made a directory of that name. What may be in it is not ours to remove.
      try displace(target)
      try FileSystem.rename(source, to: target)
    }
    if isDurable {
      try FileDescriptor.directory(FileSystem.parentDirectory(of: target)).synchronize()
    }
  }

  private func displace(_ directory: String) throws(SystemError) {
    let aside = Self.temporaryPath(beside: directory + ".displaced")
    try FileSystem.rename(directory, to: aside)
    do throws(SystemError) { try FileSystem.removeDirectory(aside) } catch {
      notices.add(
        "cache-leftover",
        "a directory stood where a file belongs, and is `\(aside)` now: \(error); remove it if nobody needs it"
      )
    }
  }

  /// Each process that begins may once take a link's temporary name for a dead one's.
  private static let maximumTryCount = 10

  /// Gives a file a second name; false where another process took the temporary one away.
  private func link(
    _ source: String, to target: String, _ record: CacheRecord, by temporary: String
  ) throws(CacheError) -> Bool {
    try linkOrCopy(source, to: temporary)
    let status = try cacheCall { () throws(SystemError) in try FileSystem.status(of: temporary) }
    guard let status else { return false }
    guard FileObservation(status, isReadable: true).matches(record) else {
      try cacheCall { () throws(SystemError) in try FileSystem.remove(temporary) }
      throw .changed(path: source)
    }
    do throws(SystemError) {
      try rename(temporary, to: target)
      // Renaming to another link of the same file leaves both.
      try FileSystem.remove(temporary)
      return true
    } catch {
      if error.isNotFound { return false }
      throw CacheError(error)
    }
  }

  private func linkOrCopy(_ source: String, to target: String) throws(CacheError) {
    do {
      // It may be from a run that flushed nothing.
      if isDurable { try FileDescriptor.reading(source).synchronize() }
      try FileSystem.makeHardLink(target, to: source)
    } catch {
      if error.isNotFound { throw .changed(path: source) }
      guard error.saysLinkIsImpossible else { throw CacheError(error) }
      try cacheCall { () throws(SystemError) in try copy(source, to: target) }
    }
  }

  /// Whether a copy in the cache's file system can share the original's blocks: found out by making an empty one.
  func sharesBlocks() -> Bool {
    let path = Self.temporaryPath(beside: layout.partialDirectory + "/clone")
    defer {
      // What stays behind is removed with other leftovers.
      try? FileSystem.remove(path + "a")
      try? FileSystem.remove(path + "b")
    }
    do {
      try create(path + "b").clone(create(path + "a"))
      return true
    } catch { return false }
  }

  private func copy(_ source: String, to target: String) throws(SystemError) {
    let original = try FileDescriptor.reading(source)
    let copy = try createLocked(target)
    do { try copy.clone(original) } catch { try copy.copy(original) }
    try copy.setModificationTime(try original.status().modificationTime)
    if isDurable { try copy.synchronize() }
  }
}
