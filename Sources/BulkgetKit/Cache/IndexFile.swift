import BulkgetSystem

/// The index as a file: finds out what is there, makes a new one, sets a damaged one aside. It keeps nothing open.
///
/// The journal is SQLite's default, a file that is removed with each commit. At 512 records a commit an emptied or overwritten
/// one costs as much, and would stay in the directory.
struct IndexFile: Sendable {
  let path: String
  /// Flushes each commit to the disk. Without it a killed process loses nothing, only a power cut may.
  let isDurable: Bool
  /// Where the file system has no locks, SQLite can't keep processes apart. Then the index is read whole into memory, and
  /// each commit replaces the file: of two at once one is lost, which costs a download later, and nobody reads half of one.
  var hasLocks = true
  var schema = IndexSchema.current

  /// What was found.
  enum Content {
    case index(IndexConnection)
    case nothing
    case damaged(reason: String)
    /// An earlier version of the program made it, and it was opened for writing; ``migrate()`` makes it an index.
    case outdated
    case newer(format: Int64)
  }

  /// How long a statement waits for other processes: forty that commit at once take turns of some milliseconds.
  static let busyTimeoutMilliseconds: Int32 = 60_000

  /// Opens what is there. Reading changes nothing on the disk, also where a killed process left a journal.
  func open(_ access: SQLiteDatabase.Access) throws(CacheError) -> Content {
    let status = try cacheCall { () throws(SystemError) in
      try FileSystem.status(of: path, followingLinks: true)
    }
    guard let status else { return .nothing }
    guard status.kind == .file else { return .damaged(reason: "it is no regular file") }
    guard FileSystem.isReadable(path) else { return .damaged(reason: "it may not be read") }
    let content: Content
    do { content = try examine(access) } catch {
      if error.kind == .cannotOpen, try isGone() { return .nothing }
      throw CacheError(error)
    }
    guard case .newer(let format) = content else { return content }
    throw .newerFormat(path: path, found: Int(format), supported: Int(schema.version))
  }

  /// Whether another process has just set it aside.
  private func isGone() throws(CacheError) -> Bool {
    try cacheCall { () throws(SystemError) in try FileSystem.status(of: path) == nil }
  }

  private func examine(_ access: SQLiteDatabase.Access) throws(SQLiteError) -> Content {
    do {
      return try examineRollingBack(access)
    } catch {
      guard error.kind == .damaged || error.kind == .shapeMismatch else { throw error }
      return .damaged(reason: error.message)
    }
  }

  private func examineRollingBack(
    _ access: SQLiteDatabase.Access
  ) throws(SQLiteError) -> Content {
    do {
      let database =
        hasLocks ? try SQLiteDatabase(opening: path, access) : try rolledBackCopy()
      return try examine(database, access)
    } catch {
      guard error.kind == .hotJournal else { throw error }
      return try examine(try rolledBackCopy(), access)
    }
  }

  private func examine(
    _ database: SQLiteDatabase, _ access: SQLiteDatabase.Access
  ) throws(SQLiteError) -> Content {
    database.setBusyTimeout(milliseconds: Self.busyTimeoutMilliseconds)
    let version = try database.integer("PRAGMA user_version")
    if version > schema.version { return .newer(format: version) }
    guard version > 0 else {
      return .damaged(reason: "it is another program's, or empty")
    }
    if version < schema.version {
      if access == .writing, hasLocks { return .outdated }
      return .index(try migratedCopy(of: database, from: version, access))
    }
    try database.execute("PRAGMA cache_size = -16384")
    if access == .writing { try setSynchronous(database) }
    return .index(try IndexConnection(database, isWritable: access == .writing))
  }

  /// What migrating would give, made in memory: reading changes nothing on the disk.
  private func migratedCopy(
    of database: SQLiteDatabase, from version: Int64, _ access: SQLiteDatabase.Access
  ) throws(SQLiteError) -> IndexConnection {
    let copy = try SQLiteDatabase(copying: database)
    try copy.execute(schema.migration(from: version))
    return try IndexConnection(copy, isWritable: access == .writing)
  }

  /// Brings an index to the newest version, or leaves it as it is and throws. Call it with the index lock held.
  func migrate() throws(SQLiteError) {
    let database = try SQLiteDatabase(opening: path, .writing)
    database.setBusyTimeout(milliseconds: Self.busyTimeoutMilliseconds)
    try setSynchronous(database)
    // An earlier program may write it meanwhile, but none migrates it.
    let version = try database.integer("PRAGMA user_version")
    try database.execute(schema.migration(from: version))
  }

  /// A write that a killed process had made is in the system's memory, and the system lives on: to survive a kill, no commit
  /// has to wait for the disk. EXTRA also flushes the directory, from which the journal's name must be gone.
  private func setSynchronous(_ database: SQLiteDatabase) throws(SQLiteError) {
    try database.execute("PRAGMA synchronous = \(isDurable ? "EXTRA" : "OFF")")
    // Only macOS tells the drive's memory from the disk.
    if isDurable { try database.execute("PRAGMA fullfsync = ON") }
  }

  /// What a writer would find after rolling back the journal, made in memory.
  private func rolledBackCopy() throws(SQLiteError) -> SQLiteDatabase {
    var image: [UInt8]
    do {
      image = try FileDescriptor.reading(path).readAll(limit: .max) ?? []
      if try FileSystem.status(of: journalPath) != nil {
        let journal = try FileDescriptor.reading(journalPath).readAll(limit: .max) ?? []
        RollbackJournal(journal).rollBack(&image)
      }
    } catch {
      throw SQLiteError(path: path, code: 0, message: error.description)
    }
    return try SQLiteDatabase(loading: image, of: path)
  }

  private var journalPath: String { path + "-journal" }

  /// Makes an empty index. Call it with the index lock held.
  func create() throws(CacheError) {
    let empty: SQLiteDatabase
    do throws(SQLiteError) {
      empty = try SQLiteDatabase(opening: ":memory:", .creating)
      try empty.execute(schema.migration(from: 0))
    } catch { throw CacheError(error) }
    // A journal without its index would be rolled back into the new one.
    try cacheCall { () throws(SystemError) in try FileSystem.remove(journalPath) }
    try replace(by: empty)
  }

  /// Writes a database beside the path and gives it its name when it is whole.
  func replace(by database: SQLiteDatabase) throws(CacheError) {
    let bytes: [UInt8]
    do { bytes = try database.serialized() } catch { throw CacheError(error) }
    try cacheCall { () throws(SystemError) in
      let new = path + ".new-" + String(UInt64.random(in: .min ... .max), radix: 36)
      do throws(SystemError) {
        // SQLite would leave others no right to write, whatever the umask allows.
        let file = try FileDescriptor.creating(new, mode: 0o666)
        try file.write(bytes)
        if isDurable { try file.synchronize() }
        try FileSystem.rename(new, to: path)
      } catch {
        // The first error is the one that tells.
        try? FileSystem.remove(new)
        throw error
      }
      if isDurable {
        try FileDescriptor.directory(FileSystem.parentDirectory(of: path)).synchronize()
      }
    }
  }

  /// Renames a damaged index, so that nothing of it is lost, and gives its new path. Call it with the index lock held.
  func setAside() throws(CacheError) -> String {
    try cacheCall { () throws(SystemError) in
      var number = 1
      while try FileSystem.status(of: "\(path).damaged-\(number)") != nil { number += 1 }
      let aside = "\(path).damaged-\(number)"
      // The journal first: beside a new index it would be rolled back into that.
      if try FileSystem.status(of: journalPath) != nil {
        try FileSystem.rename(journalPath, to: aside + "-journal")
      }
      try FileSystem.rename(path, to: aside)
      return aside
    }
  }
}
