import CSQLite

/// A connection to one database. Confined to one thread at a time by its owner.
package final class SQLiteDatabase {
  /// How a database is opened.
  package enum Access: Sendable {
    /// Nothing is created, and nothing in the file changes.
    case reading
    /// The file has to be there.
    case writing
    /// A file that is not there is created.
    case creating
  }

  let connection: OpaquePointer
  package let path: String

  /// Opens the database. SQLite looks into the file only at the first statement.
  package init(opening path: String, _ access: Access) throws(SQLiteError) {
    let flags =
      switch access {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    // SQLite's own mutexes are not needed: the owner keeps to one thread at a time.
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      // A connection is handed out even where opening failed, and has to be closed.
      let failure = Self.error(opened, path, code: code)
      sqlite3_close_v2(opened)
      throw failure
    }
    sqlite3_extended_result_codes(opened, 1)
    connection = opened
    self.path = path
  }

  /// Makes a database in memory of a database file's bytes. `path` is for messages.
  package init(loading image: [UInt8], of path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let failure = Self.error(opened, path, code: code)
      sqlite3_close_v2(opened)
      throw failure
    }
    sqlite3_extended_result_codes(opened, 1)
    connection = opened
    self.path = path
    try load(image)
  }

  /// Makes a copy in memory, of one moment even where other processes write the original.
  package convenience init(copying original: SQLiteDatabase) throws(SQLiteError) {
    try self.init(opening: ":memory:", .creating)
    guard let backup = sqlite3_backup_init(connection, "main", original.connection, "main") else {
      throw Self.error(connection, original.path, code: sqlite3_errcode(connection))
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    if code != SQLITE_DONE { throw Self.error(nil, original.path, code: code) }
  }

  deinit {
    // Never fails: where a statement is still alive, it closes with the last of them.
    sqlite3_close_v2(connection)
  }

  private func load(_ image: [UInt8]) throws(SQLiteError) {
    guard let copy = sqlite3_malloc64(UInt64(max(image.count, 1))) else {
      throw SQLiteError(path: path, code: SQLITE_NOMEM, message: "out of memory")
    }
    image.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: copy, count: image.count).copyMemory(from: source)
    }
    // With FREEONCLOSE the copy is SQLite's from here on, also where the call fails.
    let code = sqlite3_deserialize(
      connection, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count),
      Int64(image.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE) | UInt32(SQLITE_DESERIALIZE_RESIZEABLE))
    if code != SQLITE_OK { throw Self.error(connection, path, code: code) }
  }

  /// The bytes that a file of this database would have.
  package func serialized() throws(SQLiteError) -> [UInt8] {
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(connection, "main", &size, 0) else {
      throw SQLiteError(path: path, code: SQLITE_NOMEM, message: "out of memory")
    }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  /// How long a statement waits for the locks of other connections before it is `busy`.
  package func setBusyTimeout(milliseconds: CInt) {
    sqlite3_busy_timeout(connection, milliseconds)
  }

  /// Runs statements that give no rows worth reading.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// Compiles one statement, to be run any number of times.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(
        connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else {
      throw SQLiteError(path: path, code: SQLITE_MISUSE, message: "no statement in the text")
    }
    return SQLiteStatement(statement, of: self)
  }

  /// The first column of the first row as a number; 0 where there is none.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// The rows that the last statement changed.
  package var changeCount: Int { Int(sqlite3_changes(connection)) }

  func check(_ code: CInt) throws(SQLiteError) {
    if code != SQLITE_OK { throw Self.error(connection, path, code: code) }
  }

  static func error(_ connection: OpaquePointer?, _ path: String, code: CInt) -> SQLiteError {
    let message =
      connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
      ?? String(cString: sqlite3_errstr(code))
    return SQLiteError(path: path, code: code, message: message)
  }
}
