/// One change that waits for the index.
enum IndexChange: Sendable {
  /// A file is there, with this record.
  case store(CacheRecord)
  /// A file was used. Nothing else of its record changes: another process may have replaced it meanwhile.
  case touch(FileKey, usedAt: Int64)
  /// A file is gone.
  case remove(FileKey)
}
