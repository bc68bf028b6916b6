import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// A kind of damage to an index that was good.
enum IndexDamage: String, CaseIterable, Sendable {
  case truncatedToAPage, truncatedInAPage, truncatedToAFewBytes, empty, nulBytes, text, otherShape,
    olderFormat, directory, fullDirectory, pagesOverwritten

  func apply(to path: String) throws {
    switch self {
    case .truncatedToAPage: try FileDescriptor.updating(path).truncate(to: 4096)
    case .truncatedInAPage: try FileDescriptor.updating(path).truncate(to: 6000)
    case .truncatedToAFewBytes: try FileDescriptor.updating(path).truncate(to: 40)
    case .empty: try FileDescriptor.updating(path).truncate(to: 0)
    case .nulBytes: try overwrite(path, from: 0)
    case .pagesOverwritten: try overwrite(path, from: 4096)
    case .text: try replace(path, with: "not a database, but longer than its header would be. ")
    case .otherShape: try makeDatabase(path, "CREATE TABLE files (x); PRAGMA user_version = 1")
    case .olderFormat: try makeDatabase(path, "CREATE TABLE files (x)")
    case .directory:
      try FileSystem.remove(path)
      try FileSystem.makeDirectories(path)
    case .fullDirectory:
      try FileSystem.remove(path)
      try FileSystem.makeDirectories(path + "/inside")
    }
  }

  private func overwrite(_ path: String, from offset: Int64) throws {
    let file = try FileDescriptor.updating(path)
    let count = Int(try file.status().size - offset)
    try file.write([UInt8](repeating: 0, count: count), at: offset)
  }

  private func replace(_ path: String, with text: String) throws {
    try FileSystem.remove(path)
    try FileDescriptor.creating(path, mode: 0o644).write(Array(text.utf8))
  }

  private func makeDatabase(_ path: String, _ sql: String) throws {
    try FileSystem.remove(path)
    try SQLiteDatabase(opening: path, .creating).execute(sql)
  }
}

@Suite struct CacheIndexDamageTests {
  private let fixture: CacheFixture
  private let record: CacheRecord
  private var indexPath: String { fixture.directory + "/index.sqlite" }

  init() throws {
    fixture = try CacheFixture()
    record = try fixture.filled()
  }

  @Test(arguments: IndexDamage.allCases)
  func B077_planningTreatsADamagedIndexAsEmptyAndChangesNothing(damage: IndexDamage) throws {
    try damage.apply(to: indexPath)
    let before = try fixture.root.contents()
    let snapshot = try fixture.open(.reading).snapshot(of: [Entry("a")])
    let file = try #require(snapshot.files[FileKey("a")])
    #expect(file.record == nil)
    #expect(file.observation?.size == 5)
    #expect(snapshot.warnings.map(\.code) == ["index-damaged"])
    #expect(try fixture.root.contents() == before)
  }

  @Test(arguments: IndexDamage.allCases)
  func B077_writingSetsADamagedIndexAsideAndLosesNoFile(damage: IndexDamage) throws {
    try damage.apply(to: indexPath)
    let damaged = try FileSystem.status(of: indexPath)
    let cache = try fixture.open()
    let snapshot = try cache.snapshot(of: [Entry("a")])
    #expect(snapshot.files[FileKey("a")]?.record == nil)
    #expect(snapshot.files[FileKey("a")]?.observation?.matches(record) == true)
    #expect(snapshot.warnings.map(\.code) == ["index-damaged"])
    #expect(try FileSystem.status(of: indexPath + ".damaged-1")?.inode == damaged?.inode)
    cache.record(record)
    try cache.flush()
    #expect(cache.takeWarnings().isEmpty)
    #expect(try fixture.open(.reading).record(of: record.key) == record)
  }

  @Test func B077_theWarningSaysWhereTheDamagedIndexIs() throws {
    try IndexDamage.empty.apply(to: indexPath)
    let message = try #require(try fixture.open().takeWarnings().first?.message)
    #expect(
      message
        == "the cache's index was damaged (it is another program's, or empty) and is set aside as `\(indexPath).damaged-1`; the cached files are still there"
    )
  }

  @Test func severalDamagedIndexesAreKeptApart() throws {
    for _ in 0..<3 {
      try IndexDamage.empty.apply(to: indexPath)
      _ = try fixture.open()
    }
    let names = try #require(try FileSystem.names(in: fixture.directory))
    #expect(
      Set(names.filter { $0.contains("damaged") }) == [
        "index.sqlite.damaged-1", "index.sqlite.damaged-2", "index.sqlite.damaged-3",
      ])
  }

  @Test func B077_aDamagedIndexIsRepairedOnceByManyProcesses() throws {
    try IndexDamage.nulBytes.apply(to: indexPath)
    let statuses = try CacheProbe().runAll(
      (0..<12).map { ["commit", fixture.directory, "p\($0)", "10"] })
    #expect(statuses.allSatisfy { $0 == 0 })
    let cache = try fixture.open(.reading)
    #expect(try cache.records().count == 120)
    let names = try #require(try FileSystem.names(in: fixture.directory))
    #expect(names.filter { $0.hasPrefix("index.sqlite.damaged") }.count == 1)
  }

  @Test(arguments: [DiskCache.Access.reading, .writing()])
  func B077_aNewerFormatIsRefusedUntouched(access: DiskCache.Access) throws {
    try SQLiteDatabase(opening: indexPath, .writing).execute("PRAGMA user_version = 7")
    let before = try fixture.root.read("cache/index.sqlite")
    #expect(throws: CacheError.newerFormat(path: indexPath, found: 7, supported: 1)) {
      try fixture.open(access)
    }
    #expect(try fixture.root.read("cache/index.sqlite") == before)
  }

  @Test func anIndexThatIsReplacedWhileItIsOpenLosesNoRecord() throws {
    let cache = try fixture.open()
    try FileSystem.rename(indexPath, to: indexPath + ".away")
    cache.record(record)
    try cache.flush()
    #expect(try fixture.open(.reading).record(of: record.key) == record)
  }

  @Test func anIndexThatIsRemovedWhileItIsOpenIsMadeAnew() throws {
    let cache = try fixture.open()
    try FileSystem.remove(indexPath)
    cache.record(record)
    try cache.flush()
    #expect(try fixture.open(.reading).record(of: record.key) == record)
  }

  @Test func damageThatShowsOnlyWhenWritingIsRepairedThen() throws {
    let cache = try fixture.open()
    try IndexDamage.nulBytes.apply(to: indexPath)
    cache.record(record)
    try cache.flush()
    #expect(cache.takeWarnings().map(\.code) == ["index-damaged"])
    #expect(try fixture.open(.reading).record(of: record.key) == record)
  }

  @Test func damageThatShowsOnlyWhenReadingIsAWarning() throws {
    let cache = try fixture.open(.reading)
    try IndexDamage.nulBytes.apply(to: indexPath)
    let snapshot = try cache.snapshot(of: [Entry("a")])
    #expect(snapshot.files[FileKey("a")]?.record == nil)
    #expect(snapshot.warnings.map(\.code) == ["index-damaged"])
  }

  @Test func aJournalWithoutItsIndexIsNotRolledBackIntoANewOne() throws {
    let journal = try makeHotJournal(durable: true)
    try FileSystem.remove(indexPath)
    try fixture.root.write(journal.journal, to: "cache/index.sqlite-journal")
    let cache = try fixture.open()
    #expect(try cache.records().isEmpty)
    cache.record(record)
    try cache.flush()
    #expect(try fixture.open(.reading).records() == [record])
  }

  // MARK: What a process that is killed in a commit leaves

  /// The files as they are in the middle of a transaction that has begun to write: what `kill -9` would leave.
  private func makeHotJournal(durable: Bool) throws -> (index: [UInt8], journal: [UInt8]) {
    let cache = try fixture.open()
    for number in 0..<200 {
      var other = record
      other.key = FileKey("file-\(number)")
      cache.record(other)
    }
    try cache.flush()
    let database = try SQLiteDatabase(opening: indexPath, .writing)
    try database.execute("PRAGMA synchronous = \(durable ? "FULL" : "OFF")")
    try database.execute("PRAGMA cache_size = 1")
    try database.execute("BEGIN IMMEDIATE; UPDATE files SET url = url || '-changed', size = 1")
    let index = try fixture.root.read("cache/index.sqlite")
    let journal = try fixture.root.read("cache/index.sqlite-journal")
    try database.execute("ROLLBACK")
    return (index, journal)
  }

  private func leaveHotJournal(durable: Bool) throws {
    let files = try makeHotJournal(durable: durable)
    try #require(files.journal.count > 4096)
    try #require(files.index.count > 4096)
    try fixture.root.write(files.index, to: "cache/index.sqlite")
    try fixture.root.write(files.journal, to: "cache/index.sqlite-journal")
  }

  @Test(arguments: [false, true])
  func planningSeesTheIndexAsItWasBeforeAKilledCommitAndChangesNothing(durable: Bool) throws {
    try leaveHotJournal(durable: durable)
    let before = try fixture.root.contents()
    let cache = try fixture.open(.reading)
    let snapshot = try cache.snapshot(of: [Entry("a")])
    #expect(snapshot.files[FileKey("a")]?.record == record)
    #expect(snapshot.warnings.isEmpty)
    let records = try cache.records()
    #expect(records.count == 201)
    #expect(records.allSatisfy { $0.url == record.url && $0.size == record.size })
    #expect(try fixture.root.contents() == before)
  }

  @Test(arguments: [false, true])
  func writingRollsAKilledCommitBack(durable: Bool) throws {
    try leaveHotJournal(durable: durable)
    let cache = try fixture.open()
    #expect(try cache.record(of: record.key) == record)
    #expect(try cache.records().count == 201)
    #expect(cache.takeWarnings().isEmpty)
  }

  @Test(arguments: [40, 4096, 6000])
  func aJournalBesideATruncatedIndexIsDamage(size: Int64) throws {
    try leaveHotJournal(durable: true)
    let journal = try fixture.root.read("cache/index.sqlite-journal")
    try fixture.root.write(Array(journal.prefix(600)), to: "cache/index.sqlite-journal")
    try FileDescriptor.updating(indexPath).truncate(to: size)
    let before = try fixture.root.contents()
    let snapshot = try fixture.open(.reading).snapshot(of: [Entry("a")])
    #expect(snapshot.files[FileKey("a")]?.record == nil)
    #expect(snapshot.warnings.map(\.code) == ["index-damaged"])
    #expect(try fixture.root.contents() == before)
    let cache = try fixture.open()
    cache.record(record)
    try cache.flush()
    #expect(try fixture.open(.reading).records() == [record])
  }
}
