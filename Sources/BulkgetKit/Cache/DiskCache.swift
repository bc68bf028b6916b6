import BulkgetSystem

/// One cache on the disk: complete files, kept parts of interrupted downloads, the index that knows them, and the locks that
/// keep processes out of each other's way.
///
/// Everything is synchronous and may be called from any thread; calls read and write the disk, so none belongs on the
/// thread that serves the network. Nothing here decides what is downloaded.
public final class DiskCache: Sendable {
  /// What a cache is opened for.
  public enum Access: Sendable {
    /// Creates, changes and removes nothing. A cache that is not there is an empty one.
    case reading
    /// Makes what is missing. A cache that may not be written serves what it has.
    case writing(durable: Bool = false)
  }

  /// Where everything lies.
  public let layout: CacheLayout
  /// Whether files can be added; false for `.reading` and for a cache that may not be written.
  public let isWritable: Bool

  let isDurable: Bool
  let index: CacheIndex
  let writer: IndexWriter
  let locks: LockTable
  let notices: NoticeLog

  /// Opens the cache in `directory`.
  ///
  /// - Throws: ``CacheError/unusable(directory:reason:)`` where it can neither be made nor read,
  ///   ``CacheError/newerFormat(path:found:supported:)`` where a later version wrote the index, and what the index's
  ///   files gave. A damaged index is no error but a warning.
  public static func open(
    at directory: String, access: Access
  ) throws(CacheError) -> DiskCache {
    guard KeyHasher.isAvailable else { throw .digestUnavailable("MD5") }
    let layout = CacheLayout(directory: directory)
    switch access {
    case .reading:
      try checkReadable(layout)
      return try DiskCache(layout, isWritable: false, isDurable: false)
    case .writing(let durable):
      let isWritable = try prepare(layout, isDurable: durable)
      return try DiskCache(layout, isWritable: isWritable, isDurable: durable)
    }
  }

  private init(_ layout: CacheLayout, isWritable: Bool, isDurable: Bool) throws(CacheError) {
    self.layout = layout
    self.isWritable = isWritable
    self.isDurable = isDurable
    notices = NoticeLog()
    locks = LockTable(
      file: isWritable ? try Self.openLocks(layout) : nil, notices: notices)
    index = try CacheIndex(
      IndexFile(
        path: layout.indexPath, isDurable: isDurable, hasLocks: Self.hasLocks(layout)),
      isWritable ? .writing : .reading,
      locks: locks, notices: notices)
    writer = IndexWriter(index, notices: notices)
  }

  /// Gives the warnings since the last time, such as a damaged index; a snapshot takes those that are there by then.
  public func takeWarnings() -> [Notice] { notices.take() }

  /// Commits what is known about new files, and waits for it. Call it at the end: until it returns, what was published in
  /// the last quarter of a second may be missing in the index.
  public func flush() throws(CacheError) {
    try writer.flush()
  }
}

extension DiskCache {
  private static func checkReadable(_ layout: CacheLayout) throws(CacheError) {
    let status = try cacheCall { () throws(SystemError) in
      try FileSystem.status(of: layout.directory, followingLinks: true)
    }
    guard let status, status.kind != .directory else { return }
    throw .unusable(directory: layout.directory, reason: "it is no directory")
  }

  /// Makes what is missing; false where there is a cache that may not be written.
  private static func prepare(
    _ layout: CacheLayout, isDurable: Bool
  ) throws(CacheError) -> Bool {
    do {
      for directory in [layout.directory, layout.filesDirectory, layout.partialDirectory] {
        try FileSystem.makeDirectories(directory, isDurable: isDurable)
        guard FileSystem.isWritable(directory) else { return false }
      }
      try writeTag(layout)
    } catch {
      if error.isNotPermitted, FileSystem.isDirectory(layout.directory) { return false }
      throw .unusable(directory: layout.directory, reason: error.description)
    }
    return isIndexWritable(layout)
  }

  /// An index that may be read but not written can take no file; one that may not even be read is set aside.
  private static func isIndexWritable(_ layout: CacheLayout) -> Bool {
    let path = layout.indexPath
    return !FileSystem.isReadable(path) || FileSystem.isWritable(path)
  }

  private static func writeTag(_ layout: CacheLayout) throws(SystemError) {
    let status = try FileSystem.status(of: layout.tagPath)
    // One that is empty was left by a killed process.
    if let status, status.kind != .file || status.size > 0 { return }
    try FileDescriptor.updating(layout.tagPath).write(Array(tag.utf8))
  }

  private static let tag = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This file is a cache directory tag created by bulkget.
    # For information about cache directory tags see https://bford.info/cachedir/

    """

  /// Whether the cache's file system has locks, as far as somebody can tell who may not write.
  private static func hasLocks(_ layout: CacheLayout) -> Bool {
    (try? FileDescriptor.reading(layout.locksPath).hasLocks()) ?? true
  }

  /// nil where the lock file can't be written although the cache can: then there are no locks.
  private static func openLocks(_ layout: CacheLayout) throws(CacheError) -> FileDescriptor? {
    do {
      return try FileDescriptor.updating(layout.locksPath)
    } catch  where error.isNotPermitted || error.isDirectoryInTheWay {
      return nil
    } catch {
      throw CacheError(error)
    }
  }
}
