import BulkgetSystem

extension LockFile {
  /// Finds out whether a lock file can be written, and leaves nothing behind.
  public static func checkWritable(_ path: String) throws(LockError) {
    try mapping(path) { () throws(SystemError) in try OutputFile(path: path).checkWritable() }
  }

  /// Replaces the lock file, or the one that a symbolic link leads to: it is there as it was, or whole. One that says the
  /// same in the same bytes is left alone, and where nothing is recorded none is made.
  ///
  /// - Returns: whether it was written.
  public func update(_ path: String) throws(LockError) -> Bool {
    let bytes = bytes
    // What can't be read is written, which says why that isn't possible either.
    let existing = Result { () throws(InputFile.Refusal) in
      try InputFile.bytes(of: path, limit: Manifest.maximumByteCount)
    }
    switch existing {
    case .success(bytes): return false
    case .failure(.system(let error)) where error.isNotFound && records.isEmpty: return false
    default: break
    }
    try Self.mapping(path) { () throws(SystemError) in
      try OutputFile(path: path).write { (file) throws(SystemError) in try file.write(bytes) }
    }
    return true
  }

  private static func mapping(
    _ path: String, _ body: () throws(SystemError) -> Void
  ) throws(LockError) {
    do throws(SystemError) { try body() } catch {
      throw .unwritable(path: path, reason: error.description)
    }
  }
}
