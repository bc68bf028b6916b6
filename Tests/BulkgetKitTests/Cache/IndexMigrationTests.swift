import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// Indexes of every version that users have, and one of a version to come.
@Suite struct IndexMigrationTests {
  private let root: TemporaryDirectory
  private let notices = NoticeLog()

  init() throws {
    root = try TemporaryDirectory()
  }

  private var path: String { root.path("index.sqlite") }

  /// A schema that has come further: it splits off what this version keeps in one column.
  private static let next = IndexSchema(
    steps: IndexSchema.current.steps + [
      "ALTER TABLE files ADD COLUMN seen INTEGER NOT NULL DEFAULT 0; UPDATE files SET seen = used_at"
    ])

  private func open(
    _ access: SQLiteDatabase.Access, _ schema: IndexSchema
  ) throws -> CacheIndex {
    let locks = LockTable(
      file: access == .writing ? try FileDescriptor.updating(root.path("locks")) : nil,
      notices: notices)
    let file = IndexFile(path: path, isDurable: false, schema: schema)
    return try CacheIndex(file, access, locks: locks, notices: notices)
  }

  private func record(_ index: CacheIndex) throws -> CacheRecord? {
    try index.read(nil) { index throws(SQLiteError) in
      try index.record(of: FileKey(namespace: "tools", id: "model/base"))
    }
  }

  private func version() throws -> Int64 {
    try SQLiteDatabase(opening: path, .reading).integer("PRAGMA user_version")
  }

  private func seen() throws -> Int64 {
    try SQLiteDatabase(opening: path, .reading).integer("SELECT sum(seen) FROM files")
  }

  private func make(_ sql: String) throws {
    try SQLiteDatabase(opening: path, .creating).execute(sql)
  }

  private static func expected() throws -> CacheRecord {
    let sha256 = try #require(Digest(.sha256, hexadecimal: String(repeating: "ab", count: 32)))
    let md5 = try #require(Digest(.md5, hexadecimal: String(repeating: "cd", count: 16)))
    var record = CacheRecord(
      key: FileKey(namespace: "tools", id: "model/base"), type: FileType("tar.gz"),
      url: "https://example.org/base", finalURL: "https://mirror.example.org/base",
      digests: [sha256, md5], size: 734_003_200, modificationTime: 1_700_000_000_123_456_789,
      now: 1_700_000_001)
    record.entityTag = "\"e\""
    record.lastModified = "Mon, 01 Jan 2024 00:00:00 GMT"
    record.verifiedAt = 1_700_000_002
    record.usedAt = 1_700_000_003
    return record
  }

  @Test(arguments: [SQLiteDatabase.Access.reading, .writing])
  func anIndexOfTheFirstVersionIsRead(_ access: SQLiteDatabase.Access) throws {
    try make(Self.firstVersion)
    #expect(try record(open(access, .current)) == Self.expected())
    #expect(notices.take().isEmpty)
  }

  @Test func writingBringsAnIndexToTheNextVersion() throws {
    try make(Self.firstVersion)
    let index = try open(.writing, Self.next)
    #expect(try record(index) == Self.expected())
    #expect(try version() == Self.next.version)
    #expect(try seen() == 1_700_000_003 + 7)
    try index.commit([.remove(FileKey(namespace: "tools", id: "model/base"))])
    #expect(try seen() == 7)
    #expect(notices.take().isEmpty)
  }

  @Test func readingBringsOnlyACopyInMemoryThere() throws {
    try make(Self.firstVersion)
    let before = try root.read("index.sqlite")
    #expect(try record(open(.reading, Self.next)) == Self.expected())
    #expect(try root.read("index.sqlite") == before)
    #expect(Array(try root.contents().keys) == ["index.sqlite"])
  }

  @Test func aNewIndexTakesTheSameWay() throws {
    _ = try open(.writing, Self.next)
    #expect(try version() == Self.next.version)
    #expect(try seen() == 0)
  }

  @Test func whoeverHasTheOldVersionOpenGoesOn() throws {
    let old = try open(.writing, .current)
    _ = try open(.writing, Self.next)
    let record = try Self.expected()
    try old.commit([.store(record)])
    #expect(try self.record(old) == record)
    #expect(throws: CacheError.newerFormat(path: path, found: 2, supported: 1)) {
      try open(.writing, .current)
    }
  }

  @Test func anIndexThatCannotBeBroughtThereIsSetAside() throws {
    try make("CREATE TABLE files (x); PRAGMA user_version = 1")
    let index = try open(.writing, Self.next)
    #expect(try record(index) == nil)
    #expect(try version() == Self.next.version)
    #expect(notices.take().map(\.code) == ["index-damaged"])
    #expect(try root.contents().keys.contains("index.sqlite.damaged-1"))
  }

  /// What version 1 left on users' disks. Not made by the program: that is the point.
  private static let firstVersion = """
    CREATE TABLE files (
      namespace TEXT NOT NULL, id TEXT NOT NULL, type TEXT, url TEXT NOT NULL, final_url TEXT,
      sha256 BLOB, sha384 BLOB, sha512 BLOB, sha1 BLOB, md5 BLOB,
      size INTEGER NOT NULL, modification_time INTEGER NOT NULL, entity_tag TEXT, last_modified TEXT,
      fetched_at INTEGER NOT NULL, verified_at INTEGER NOT NULL, used_at INTEGER NOT NULL,
      PRIMARY KEY (namespace, id)
    ) WITHOUT ROWID;
    CREATE INDEX files_by_sha256 ON files (sha256) WHERE sha256 IS NOT NULL;
    CREATE INDEX files_by_sha384 ON files (sha384) WHERE sha384 IS NOT NULL;
    CREATE INDEX files_by_sha512 ON files (sha512) WHERE sha512 IS NOT NULL;
    INSERT INTO files VALUES (
      'tools', 'model/base', 'tar.gz', 'https://example.org/base', 'https://mirror.example.org/base',
      x'\(String(repeating: "ab", count: 32))', NULL, NULL, NULL, x'\(String(repeating: "cd", count: 16))',
      734003200, 1700000000123456789, '"e"', 'Mon, 01 Jan 2024 00:00:00 GMT',
      1700000001, 1700000002, 1700000003);
    INSERT INTO files VALUES (
      'default', '1', NULL, '/file', NULL, NULL, NULL, NULL, NULL, NULL, 1, 2, NULL, NULL, 5, 6, 7);
    PRAGMA user_version = 1;
    """
}
