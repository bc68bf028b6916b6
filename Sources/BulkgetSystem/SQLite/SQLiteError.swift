import CSQLite

/// A call to SQLite that failed.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// What callers tell apart, from SQLite's extended result codes.
  package enum Kind: Sendable {
    /// Another connection holds a lock that is in the way.
    case busy
    /// The file is no database, or not a whole one.
    case damaged
    /// A killed process left a journal that this read-only connection must not roll back.
    case hotJournal
    /// The file under the path is another one than the one that was opened.
    case moved
    /// It may only be read.
    case readOnly
    /// It can't be opened.
    case cannotOpen
    /// The statement's tables or columns are not there.
    case shapeMismatch
    /// The disk is full.
    case full
    case other
  }

  /// The database's path.
  package let path: String
  /// SQLite's extended result code.
  package let code: CInt
  /// SQLite's own words.
  package let message: String

  package init(path: String, code: CInt, message: String) {
    self.path = path
    self.code = code
    self.message = message
  }

  package var kind: Kind {
    switch code {
    // SQLITE_READONLY_ROLLBACK and SQLITE_READONLY_DBMOVED, macros that Swift can't import.
    case SQLITE_READONLY | (3 << 8): return .hotJournal
    case SQLITE_READONLY | (4 << 8): return .moved
    default: break
    }
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
    case SQLITE_READONLY: return .readOnly
    case SQLITE_CANTOPEN: return .cannotOpen
    case SQLITE_ERROR: return .shapeMismatch
    case SQLITE_FULL: return .full
    default: return .other
    }
  }

  package var description: String {
    "cannot use the database `\(path)`: \(message)"
  }
}
