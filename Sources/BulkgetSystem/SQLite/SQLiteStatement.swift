import CSQLite

/// A compiled statement, finalised with its last owner. Parameters count from 1, columns from 0, as in SQLite.
package final class SQLiteStatement {
  private let statement: OpaquePointer
  /// Keeps the connection open, whose words explain a failure.
  private let database: SQLiteDatabase

  init(_ statement: OpaquePointer, of database: SQLiteDatabase) {
    self.statement = statement
    self.database = database
  }

  deinit {
    // Its result repeats the last step's failure, which was thrown already.
    sqlite3_finalize(statement)
  }

  package func bind(_ value: Int64, at parameter: Int) throws(SQLiteError) {
    try database.check(sqlite3_bind_int64(statement, CInt(parameter), value))
  }

  /// Binds a text, or NULL for nil. The bytes are copied.
  package func bind(_ value: String?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    // As a C string its address is never null, which SQLite would take for NULL.
    let count = CInt(value.utf8.count)
    try database.check(bulkget_sqlite_bind_text(statement, CInt(parameter), value, count))
  }

  /// Binds bytes, or NULL for nil. They are copied.
  package func bind(_ value: [UInt8]?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    // An array's address is never null, not even an empty one's.
    let count = CInt(value.count)
    try database.check(bulkget_sqlite_bind_blob(statement, CInt(parameter), value, count))
  }

  package func bindNull(at parameter: Int) throws(SQLiteError) {
    try database.check(sqlite3_bind_null(statement, CInt(parameter)))
  }

  /// Goes on to the next row; false where there is none, and then the statement is ready to run again.
  package func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(statement)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      reset()
      return false
    default:
      let failure = SQLiteDatabase.error(
        database.connection, database.path,
        code: sqlite3_extended_errcode(database.connection))
      reset()
      throw failure
    }
  }

  /// Makes the statement ready to run again and lets go of its locks.
  package func reset() {
    // Its result repeats the last step's failure, which was thrown already.
    sqlite3_reset(statement)
  }

  package func integer(at column: Int) -> Int64 {
    sqlite3_column_int64(statement, CInt(column))
  }

  /// The column's text, or nil for NULL.
  package func text(at column: Int) -> String? {
    guard let characters = sqlite3_column_text(statement, CInt(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, CInt(column)))
    return String(
      decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
  }

  /// The column's bytes, or nil for NULL.
  package func bytes(at column: Int) -> [UInt8]? {
    guard sqlite3_column_type(statement, CInt(column)) != SQLITE_NULL else { return nil }
    guard let bytes = sqlite3_column_blob(statement, CInt(column)) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, CInt(column)))
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
