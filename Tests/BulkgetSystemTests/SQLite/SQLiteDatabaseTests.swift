import BulkgetSystem
import TestSupport
import Testing

@Suite struct SQLiteDatabaseTests {
  private let root: TemporaryDirectory
  private var path: String { root.path("database") }

  init() throws {
    root = try TemporaryDirectory()
  }

  private func makeTable() throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(opening: path, .creating)
    try database.execute("CREATE TABLE t (text TEXT, bytes BLOB, number INTEGER)")
    return database
  }

  @Test(arguments: [
    "", "a", "\u{e9}\u{1f600}", "a\0b", "'; DROP TABLE t; --",
    String(repeating: "x", count: 100_000),
  ])
  func textsComeBackAsTheyWere(text: String) throws {
    let database = try makeTable()
    let insert = try database.prepare("INSERT INTO t (text) VALUES (?)")
    try insert.bind(text, at: 1)
    #expect(try !insert.step())
    let select = try database.prepare("SELECT text FROM t")
    #expect(try select.step())
    #expect(select.text(at: 0).map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(arguments: [[], [0], [0xff, 0, 0xfe], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
  func bytesComeBackAsTheyWere(bytes: [UInt8]) throws {
    let database = try makeTable()
    let insert = try database.prepare("INSERT INTO t (bytes) VALUES (?)")
    try insert.bind(bytes, at: 1)
    _ = try insert.step()
    let select = try database.prepare("SELECT bytes FROM t")
    #expect(try select.step())
    #expect(select.bytes(at: 0) == bytes)
  }

  @Test(arguments: [0, 1, -1, Int64.min, .max])
  func numbersComeBackAsTheyWere(number: Int64) throws {
    let database = try makeTable()
    let insert = try database.prepare("INSERT INTO t (number) VALUES (?)")
    try insert.bind(number, at: 1)
    _ = try insert.step()
    #expect(try database.integer("SELECT number FROM t") == number)
  }

  @Test func nilIsNullAndEmptyIsNot() throws {
    let database = try makeTable()
    let insert = try database.prepare("INSERT INTO t (text, bytes) VALUES (?, ?)")
    try insert.bind(String?.none, at: 1)
    try insert.bind([UInt8]?.none, at: 2)
    _ = try insert.step()
    try insert.bind("", at: 1)
    try insert.bind([], at: 2)
    _ = try insert.step()
    #expect(
      try database.integer("SELECT count(*) FROM t WHERE text IS NULL AND bytes IS NULL") == 1)
    #expect(try database.integer("SELECT count(*) FROM t WHERE text = '' AND bytes = x''") == 1)
    let select = try database.prepare("SELECT text, bytes FROM t WHERE text IS NULL")
    #expect(try select.step())
    #expect(select.text(at: 0) == nil)
    #expect(select.bytes(at: 1) == nil)
  }

  @Test func aStatementRunsAgainAfterItsLastRow() throws {
    let database = try makeTable()
    try database.execute("INSERT INTO t (number) VALUES (1), (2)")
    let select = try database.prepare("SELECT number FROM t WHERE number > ?")
    for (limit, expected) in [(Int64(0), [Int64(1), 2]), (1, [2]), (2, [])] {
      try select.bind(limit, at: 1)
      var numbers: [Int64] = []
      while try select.step() { numbers.append(select.integer(at: 0)) }
      #expect(numbers == expected)
    }
  }

  @Test func aStatementKeepsItsDatabaseOpen() throws {
    let select = try SQLiteDatabase(opening: path, .creating).prepare("SELECT 7")
    #expect(try select.step())
    #expect(select.integer(at: 0) == 7)
  }

  @Test(arguments: [SQLiteDatabase.Access.reading, .writing])
  func onlyCreatingMakesAFile(access: SQLiteDatabase.Access) throws {
    #expect {
      try SQLiteDatabase(opening: path, access)
    } throws: {
      ($0 as? SQLiteError)?.kind == .cannotOpen && "\($0)".contains("`\(path)`")
    }
    #expect(try root.contents().isEmpty)
  }

  @Test func readingRefusesToWrite() throws {
    _ = try makeTable()
    let reader = try SQLiteDatabase(opening: path, .reading)
    #expect {
      try reader.execute("DELETE FROM t")
    } throws: {
      ($0 as? SQLiteError)?.kind == .readOnly
    }
  }

  @Test func whatIsNoDatabaseIsDamaged() throws {
    try root.write(String(repeating: "x", count: 5000), to: "database")
    let database = try SQLiteDatabase(opening: path, .reading)
    #expect {
      try database.integer("PRAGMA user_version")
    } throws: {
      ($0 as? SQLiteError)?.kind == .damaged
    }
  }

  @Test func aMissingTableIsAnotherShape() throws {
    let database = try SQLiteDatabase(opening: path, .creating)
    #expect {
      try database.prepare("SELECT x FROM nowhere")
    } throws: {
      ($0 as? SQLiteError) == SQLiteError(path: path, code: 1, message: "no such table: nowhere")
    }
  }

  @Test func aLockedDatabaseIsBusy() throws {
    let first = try makeTable()
    try first.execute("BEGIN IMMEDIATE")
    let second = try SQLiteDatabase(opening: path, .writing)
    second.setBusyTimeout(milliseconds: 1)
    #expect {
      try second.execute("BEGIN IMMEDIATE")
    } throws: {
      ($0 as? SQLiteError)?.kind == .busy
    }
    #expect(first.isInTransaction)
    #expect(!second.isInTransaction)
  }

  @Test func writingToAMovedDatabaseIsNoticed() throws {
    let database = try makeTable()
    try FileSystem.rename(path, to: path + "-away")
    #expect {
      try database.execute("DELETE FROM t")
    } throws: {
      ($0 as? SQLiteError)?.kind == .moved
    }
  }

  @Test func aDatabaseIsReadFromItsBytes() throws {
    try makeTable().execute("INSERT INTO t (number) VALUES (41)")
    let database = try SQLiteDatabase(loading: try root.read("database"), of: "/somewhere")
    #expect(try database.integer("SELECT number FROM t") == 41)
    try database.execute("INSERT INTO t (number) SELECT 1 FROM t, (VALUES (1), (2), (3))")
    let again = try SQLiteDatabase(loading: try database.serialized(), of: "/elsewhere")
    #expect(try again.integer("SELECT sum(number) FROM t") == 44)
    #expect {
      try again.execute("DELETE FROM nothing")
    } throws: {
      ($0 as? SQLiteError)?.path == "/elsewhere"
    }
    #expect(
      try SQLiteDatabase(opening: root.path("database"), .reading).integer(
        "SELECT sum(number) FROM t") == 41)
  }

  @Test func aCopyIsOfOneMoment() throws {
    let original = try makeTable()
    try original.execute("INSERT INTO t (number) VALUES (41)")
    let copy = try SQLiteDatabase(copying: original)
    try original.execute("DELETE FROM t")
    #expect(try copy.integer("SELECT number FROM t") == 41)
  }

  @Test func whatIsLockedCannotBeCopied() throws {
    let original = try makeTable()
    try original.execute("BEGIN EXCLUSIVE")
    #expect {
      try SQLiteDatabase(copying: SQLiteDatabase(opening: original.path, .reading))
    } throws: {
      ($0 as? SQLiteError)?.kind == .busy
    }
  }

  @Test func bytesThatAreNoDatabaseAreDamaged() throws {
    let database = try SQLiteDatabase(
      loading: [UInt8](repeating: 9, count: 4096), of: "/somewhere")
    #expect {
      try database.integer("PRAGMA user_version")
    } throws: {
      ($0 as? SQLiteError)?.kind == .damaged
    }
  }

  @Test(
    arguments: [
      (5, SQLiteError.Kind.busy), (6, .busy), (11, .damaged), (26, .damaged), (8, .readOnly),
      (776, .hotJournal), (1032, .moved), (264, .readOnly), (14, .cannotOpen), (13, .full),
      (1, .shapeMismatch), (10, .other), (517, .busy), (267, .damaged),
    ] as [(Int32, SQLiteError.Kind)])
  func codesAreToldApart(code: Int32, kind: SQLiteError.Kind) {
    #expect(SQLiteError(path: "/d", code: code, message: "").kind == kind)
  }
}
