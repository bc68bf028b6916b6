import BulkgetSystem

/// Looks at one key while a run goes on.
extension DiskCache {
  /// Whether another process has put a file under the step's key since the step was planned.
  ///
  /// One look at the file's path answers that for nearly all downloads: nothing is there.
  func hasChanged(_ key: FileKey, since step: Step) throws(CacheError) -> Bool {
    // What the own cache had when the step was planned is not known; it was nothing that could be used.
    if step.record?.readCache != nil { return false }
    let path = layout.path(of: key, type: step.entry.type)
    let status = try cacheCall { () throws(SystemError) in try FileSystem.status(of: path) }
    guard let status else { return false }
    let observation = FileObservation(status, isReadable: true)
    guard let record = try record(of: key) else {
      // Killed between name and commit. Once hashed, a file that turned out wrong is no longer called missing.
      return step.reason == .missing && step.entry.canBeProved(by: observation)
    }
    guard observation.matches(record) else { return false }
    guard let planned = step.record else { return true }
    return record.size != planned.size || record.modificationTime != planned.modificationTime
      || record.digests != planned.digests
  }

  /// How far a download of the key has come: two that are equal mean that nothing has happened in between.
  struct PartialProgress: Hashable, Sendable {
    var byteCount: Int64
    var modificationTime: Int64
  }

  /// How far whoever downloads the key has come; nil where there is nothing to see, for whatever reason.
  func partialProgress(of key: FileKey) -> PartialProgress? {
    let status = try? FileSystem.status(of: layout.partialPath(of: key))
    return status.map {
      PartialProgress(byteCount: $0.size, modificationTime: $0.modificationTime)
    }
  }

  /// What an interrupted download of the key left.
  func partial(of key: FileKey) throws(CacheError) -> CacheSnapshot.Partial? {
    try PartialDirectory(layout, entryCount: 1).partial(of: key, KeyHasher())
  }

  /// Takes a copy of a file from outside, whose content was hashed, under the record's key.
  ///
  /// - Throws: ``CacheError/changed(path:)`` where it has no longer the record's size and time after being copied.
  func adoptFile(at path: String, as record: CacheRecord) throws(CacheError) -> CacheRecord {
    let file = try stage(record.key, under: nil)
    do throws(CacheError) {
      let status = try cacheCall { () throws(SystemError) in
        let source = try FileDescriptor.reading(path)
        do { try file.descriptor.clone(source) } catch { try file.descriptor.copy(source) }
        return try source.status()
      }
      guard FileObservation(status, isReadable: true).matches(record) else {
        throw CacheError.changed(path: path)
      }
      return try publish(file, as: record, replacing: nil, under: nil)
    } catch {
      try discard(file)
      throw error
    }
  }
}
