/// Which of several caches serves an entry. Pure.
extension CacheSnapshot {
  /// The entries that nothing serves yet as it is.
  func unserved(_ entries: [Entry]) -> [Entry] {
    entries.filter { entry in
      guard let file = files[entry.key] else { return true }
      guard case .current = CachedContent(of: file, for: entry) else { return true }
      return false
    }
  }

  /// Adds what a read cache has of `entries`, none of which was served so far: its current files, those that hashing may
  /// prove where there was nothing of the kind, and the content of other ids that is not known yet.
  ///
  /// A file that the read cache's own index doesn't know is left alone: nobody may put it in order there. Kept parts of
  /// downloads are not used.
  mutating func add(_ other: CacheSnapshot, of entries: [Entry], from directory: String) {
    for entry in entries {
      guard var file = other.files[entry.key], file.record != nil else { continue }
      let known = files[entry.key]
      switch CachedContent(of: file, for: entry) {
      case .unusable: continue
      case .unproven where known?.mayServe(entry) == true: continue
      case .unproven, .current: break
      }
      file.record?.readCache = directory
      file.partial = known?.partial
      files[entry.key] = file
    }
    for (digest, record) in other.content where content[digest] == nil {
      var record = record
      record.readCache = directory
      content[digest] = record
    }
    warnings += other.warnings
  }
}

extension CacheSnapshot.File {
  /// Whether the bytes are the wanted ones, or hashing may show that they are.
  fileprivate func mayServe(_ entry: Entry) -> Bool {
    if case .unusable = CachedContent(of: self, for: entry) { return false }
    return true
  }
}
