import BulkgetSystem
import TestSupport
import Testing

/// A rollback in memory has to give, byte for byte, what SQLite's own gives on the disk.
@Suite struct RollbackJournalTests {
  private let root: TemporaryDirectory
  private var path: String { root.path("database") }

  init() throws {
    root = try TemporaryDirectory()
  }

  /// A database and its journal in the middle of a transaction that changes, appends and removes, with most of its pages
  /// written already.
  private func makeInterrupted(_ synchronous: String, pageSize: Int) throws -> (
    index: [UInt8], journal: [UInt8], original: [UInt8]
  ) {
    let database = try SQLiteDatabase(opening: path, .creating)
    try database.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA synchronous = \(synchronous); PRAGMA cache_size = 1;
      CREATE TABLE t (id INTEGER PRIMARY KEY, text);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO t SELECT i, hex(randomblob(200)) FROM n;
      """)
    let original = try root.read("database")
    try database.execute(
      """
      BEGIN;
      UPDATE t SET text = 'changed' || text;
      DELETE FROM t WHERE id < 20;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t (text) SELECT hex(randomblob(300)) FROM n;
      """)
    let found = (try root.read("database"), try root.read("database-journal"), original)
    try database.execute("ROLLBACK")
    return found
  }

  @Test(arguments: ["OFF", "NORMAL", "FULL"], [512, 1024, 4096, 65536])
  func everyPageIsPutBack(synchronous: String, pageSize: Int) throws {
    var files = try makeInterrupted(synchronous, pageSize: pageSize)
    try #require(files.index != files.original)
    RollbackJournal(files.journal).rollBack(&files.index)
    #expect(files.index == files.original)
  }

  @Test(arguments: [0.3, 0.7])
  func aJournalThatEndsInTheMiddleOfAPageRestoresThePagesBefore(part: Double) throws {
    let files = try makeInterrupted("OFF", pageSize: 4096)
    let journal = Array(files.journal.prefix(Int(Double(files.journal.count) * part)))
    var index = files.index
    RollbackJournal(journal).rollBack(&index)
    try root.write(files.index, to: "copy")
    try root.write(journal, to: "copy-journal")
    _ = try SQLiteDatabase(opening: root.path("copy"), .writing).integer("PRAGMA user_version")
    #expect(try root.read("copy") == index)
  }

  @Test(arguments: [0, 10, 27, 28, 512])
  func whatIsNoJournalChangesNothing(count: Int) throws {
    var image = [UInt8](repeating: 5, count: 8192)
    RollbackJournal([UInt8](repeating: 0, count: count)).rollBack(&image)
    #expect(image == [UInt8](repeating: 5, count: 8192))
  }

  @Test func aHeaderWithImpossibleSizesChangesNothing() throws {
    let files = try makeInterrupted("OFF", pageSize: 4096)
    for field in [20, 24] {
      var journal = files.journal
      journal.replaceSubrange(field..<field + 4, with: [0, 0, 0, 0])
      var index = files.index
      RollbackJournal(journal).rollBack(&index)
      #expect(index == files.index)
    }
  }

  @Test func aReaderDoesNotRollBackOnTheDisk() throws {
    let files = try makeInterrupted("OFF", pageSize: 4096)
    try root.write(files.index, to: "copy")
    try root.write(files.journal, to: "copy-journal")
    let database = try SQLiteDatabase(opening: root.path("copy"), .reading)
    #expect {
      try database.integer("PRAGMA user_version")
    } throws: {
      ($0 as? SQLiteError)?.kind == .hotJournal
    }
    #expect(try root.read("copy") == files.index)
  }
}
