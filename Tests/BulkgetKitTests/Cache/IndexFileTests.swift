import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct IndexFileTests {
  private let root: TemporaryDirectory
  private let file: IndexFile

  init() throws {
    root = try TemporaryDirectory()
    file = IndexFile(path: root.path("index.sqlite"), isDurable: false)
  }

  private func isIndex(_ content: IndexFile.Content) -> Bool {
    if case .index = content { true } else { false }
  }

  @Test func nothingIsThereAtFirst() throws {
    for access in [SQLiteDatabase.Access.reading, .writing] {
      guard case .nothing = try file.open(access) else {
        Issue.record("something is there")
        return
      }
    }
    #expect(try root.contents().isEmpty)
  }

  @Test func aNewIndexCanBeReadAndWritten() throws {
    try file.create()
    #expect(isIndex(try file.open(.reading)))
    #expect(isIndex(try file.open(.writing)))
    #expect(Array(try root.contents().keys) == ["index.sqlite"])
  }

  @Test func aNewIndexHasTheCurrentFormat() throws {
    try file.create()
    let database = try SQLiteDatabase(opening: file.path, .reading)
    #expect(try database.integer("PRAGMA user_version") == IndexSchema.current.version)
    #expect(try database.integer("PRAGMA integrity_check") == 0)
    #expect(try database.integer("SELECT count(*) FROM files") == 0)
  }

  @Test func whatAKilledProcessLeftIsReplaced() throws {
    try root.write("rest", to: "index.sqlite-journal")
    try file.create()
    #expect(isIndex(try file.open(.writing)))
    #expect(Array(try root.contents().keys) == ["index.sqlite"])
  }

  @Test func aJournalGoesWithItsIndex() throws {
    try root.write("index", to: "index.sqlite")
    try root.write("journal", to: "index.sqlite-journal")
    #expect(try file.setAside() == root.path("index.sqlite.damaged-1"))
    #expect(try root.read("index.sqlite.damaged-1") == Array("index".utf8))
    #expect(try root.read("index.sqlite.damaged-1-journal") == Array("journal".utf8))
    #expect(try root.contents().count == 2)
  }

  @Test func aDirectoryIsSetAsideWithWhatIsInIt() throws {
    try root.write("x", to: "index.sqlite/inside")
    #expect(try file.setAside() == root.path("index.sqlite.damaged-1"))
    #expect(try root.read("index.sqlite.damaged-1/inside") == [120])
  }

  @Test func aNumberThatIsTakenIsPassedOver() throws {
    try root.write("old", to: "index.sqlite.damaged-1")
    try root.write("new", to: "index.sqlite")
    #expect(try file.setAside() == root.path("index.sqlite.damaged-2"))
    #expect(try root.read("index.sqlite.damaged-1") == Array("old".utf8))
  }

  @Test func aLinkToAnIndexIsOne() throws {
    try file.create()
    try FileSystem.rename(file.path, to: root.path("elsewhere"))
    try FileSystem.makeSymbolicLink(file.path, to: root.path("elsewhere"))
    #expect(isIndex(try file.open(.writing)))
  }

  @Test(arguments: [(false, 0), (true, 3)])
  func onlyADurableIndexWaitsForTheDisk(isDurable: Bool, level: Int64) throws {
    try file.create()
    let file = IndexFile(path: file.path, isDurable: isDurable)
    guard case .index(let connection) = try file.open(.writing) else { return }
    #expect(try connection.database.integer("PRAGMA synchronous") == level)
  }

  @Test(arguments: [
    ("DROP INDEX files_by_sha256", true), ("ALTER TABLE files DROP COLUMN entity_tag", false),
    ("ALTER TABLE files RENAME TO other", false), ("ALTER TABLE files ADD COLUMN extra", true),
    ("PRAGMA user_version = 0", false),
  ])
  func anIndexIsOneWhenItHasWhatIsNeeded(sql: String, isUsable: Bool) throws {
    try file.create()
    try SQLiteDatabase(opening: file.path, .writing).execute(sql)
    #expect(isIndex(try file.open(.writing)) == isUsable)
  }

  @Test func lookingUpWalksTheKeyAndNothingElse() throws {
    try file.create()
    let database = try SQLiteDatabase(opening: file.path, .reading)
    let plans = [
      "SELECT * FROM files WHERE namespace = ? AND id = ?":
        "SEARCH files USING PRIMARY KEY (namespace=? AND id=?)",
      "SELECT * FROM files WHERE (namespace, id) > (?, ?) ORDER BY namespace, id LIMIT ?":
        "SEARCH files USING PRIMARY KEY ((namespace,id)>(?,?))",
      "SELECT * FROM files WHERE sha256 = ? LIMIT 16":
        "SEARCH files USING INDEX files_by_sha256 (sha256=?)",
      "SELECT * FROM files WHERE sha384 = ? LIMIT 16":
        "SEARCH files USING INDEX files_by_sha384 (sha384=?)",
      "SELECT * FROM files WHERE sha512 = ? LIMIT 16":
        "SEARCH files USING INDEX files_by_sha512 (sha512=?)",
    ]
    for (sql, plan) in plans {
      let statement = try database.prepare("EXPLAIN QUERY PLAN " + sql)
      #expect(try statement.step())
      #expect(statement.text(at: 3) == plan)
      #expect(try !statement.step())
    }
  }
}
