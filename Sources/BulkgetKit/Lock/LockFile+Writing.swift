import BulkgetSystem

extension LockFile {
  /// Finds out whether a lock file can be written, and leaves nothing behind.
  public static func checkWritable(_ path: String) throws(LockError) {
    try mapping(path) { () throws(SystemError) in try OutputFile(path: path).checkWritable() }
  }

  /// Replaces the lock file, or the one that a symbolic link leads to: it is there as it was, or whole.
  public func write(to path: String) throws(LockError) {
    try Self.mapping(path) { () throws(SystemError) in
      try OutputFile(path: path).write { (file) throws(SystemError) in try file.write(bytes) }
    }
  }

  private static func mapping(
    _ path: String, _ body: () throws(SystemError) -> Void
  ) throws(LockError) {
    do throws(SystemError) { try body() } catch {
      throw .unwritable(path: path, reason: error.description)
    }
  }
}
