import BulkgetSystem

/// Why the cache can't do what it was asked for.
public enum CacheError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no directory where the cache should be, and it can't be made.
  case unusable(directory: String, reason: String)
  /// The index was written by a later version of bulkget. It was not touched.
  case newerFormat(path: String, found: Int, supported: Int)
  /// The cache may be read but not written.
  case unwritable(path: String)
  /// Other processes kept the index locked for too long.
  case busy(path: String)
  /// SQLite could not read or write the index.
  case index(path: String, reason: String)
  /// The operating system refused a call; `code` is the value of `errno`.
  case system(action: String, path: String, code: Int32)
  /// A file changed while it was read, or is not what the index said.
  case changed(path: String)
  /// What is at the path is no regular file.
  case notAFile(path: String)
  /// The cryptographic library doesn't offer the algorithm.
  case digestUnavailable(String)
  /// The caller asked to stop.
  case cancelled

  init(_ error: SystemError) {
    self = .system(action: error.action, path: error.path, code: error.code)
  }

  init(_ error: SQLiteError) {
    switch error.kind {
    case .busy: self = .busy(path: error.path)
    case .full: self = CacheError(SystemError.noSpace(error.path))
    case .readOnly: self = .unwritable(path: error.path)
    default: self = .index(path: error.path, reason: error.message)
    }
  }

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .unusable(let directory, let reason):
      "cannot use `\(directory)` as the cache: \(reason)"
    case .newerFormat(let path, let found, let supported):
      "the cache's index `\(path)` has format \(found), this version of bulkget knows format \(supported)"
    case .unwritable(let path):
      "the cache is read-only: cannot write `\(path)`"
    case .busy(let path):
      "other processes kept the cache's index `\(path)` locked for too long"
    case .index(let path, let reason):
      "cannot use the cache's index `\(path)`: \(reason)"
    case .system(let action, let path, let code):
      SystemError(action, path, code: code).description
    case .changed(let path):
      "`\(path)` changed while it was read"
    case .notAFile(let path):
      "`\(path)` is no regular file"
    case .digestUnavailable(let algorithm):
      "the cryptographic library offers no \(algorithm)"
    case .cancelled:
      "cancelled"
    }
  }

  /// What the user can do about it, or nil.
  public var hint: String? {
    switch self {
    case .unusable, .unwritable: "choose another directory with `--cache`"
    case .newerFormat: "update bulkget, or choose another directory with `--cache`"
    case .busy: "run the command again"
    default: nil
    }
  }
}

/// Makes a system call's error one of the cache.
func cacheCall<Result>(
  _ body: () throws(SystemError) -> Result
) throws(CacheError) -> Result {
  do { return try body() } catch { throw CacheError(error) }
}
