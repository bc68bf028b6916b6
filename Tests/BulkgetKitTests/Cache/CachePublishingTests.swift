import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CachePublishingTests {
  private let fixture: CacheFixture
  private let cache: DiskCache

  init() throws {
    fixture = try CacheFixture()
    cache = try fixture.open()
  }

  private func lock(_ id: String) throws -> FileLock {
    guard case .acquired(let lock) = try cache.lock(FileKey(id)) else {
      throw CacheError.busy(path: id)
    }
    return lock
  }

  private func bytes(_ record: CacheRecord) throws -> [UInt8] {
    let path = cache.layout.path(of: record.key, type: record.type)
    return try FileDescriptor.reading(path).readAll(limit: .max) ?? []
  }

  private func cachedNames() throws -> Set<String> {
    Set(try FileSystem.names(in: cache.layout.filesDirectory(of: "default")) ?? [])
  }

  @Test func aNewCacheHasItsDirectoriesAndItsTag() throws {
    let tag = String(decoding: try fixture.root.read("cache/CACHEDIR.TAG"), as: UTF8.self)
    #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    #expect(
      Set(try fixture.root.contents().keys) == [
        "cache", "cache/CACHEDIR.TAG", "cache/files", "cache/index.sqlite", "cache/locks",
        "cache/partial",
      ])
  }

  @Test func aTagThatAKilledProcessLeftEmptyIsWrittenAgain() throws {
    try fixture.root.write("", to: "cache/CACHEDIR.TAG")
    _ = try fixture.open()
    #expect(try fixture.root.read("cache/CACHEDIR.TAG").count > 43)
  }

  @Test func aCacheThatIsAFileIsUnusable() throws {
    let path = try fixture.root.write("x", to: "file")
    #expect(throws: CacheError.unusable(directory: path, reason: "it is no directory")) {
      try DiskCache.open(at: path, access: .reading)
    }
    #expect(throws: CacheError.self) { try DiskCache.open(at: path, access: .writing()) }
  }

  @Test func publishingGivesTheRecordItsSizeAndTime() throws {
    let record = try cache.add("hello", id: "a")
    let path = cache.layout.path(of: record.key, type: record.type)
    let status = try #require(try FileSystem.status(of: path))
    #expect(record.size == 5)
    #expect(record.modificationTime == status.modificationTime)
    #expect(status.permissions & 0o222 == 0)
  }

  @Test func nothingIsUnderAFilesNameBeforeItIsPublished() throws {
    let held = try lock("a")
    let file = try cache.stage(FileKey("a"), under: held)
    try file.descriptor.write(Array("hello".utf8))
    #expect(try cachedNames().isEmpty)
    #expect(try cache.snapshot(of: [Entry("a")]).files[FileKey("a")]?.observation == nil)
  }

  @Test func publishingReplacesAnOlderFileAndLeavesNothingElse() throws {
    let old = try cache.add("old", id: "a")
    let new = try cache.add("newer", id: "a", replacing: old)
    try cache.flush()
    #expect(try bytes(new) == Array("newer".utf8))
    #expect(try cachedNames().count == 1)
    #expect(try cache.record(of: new.key) == new)
    #expect(try FileSystem.names(in: cache.layout.partialDirectory) == [])
  }

  @Test func aFileOfAnotherTypeReplacesTheOldOneOnceTheIndexKnows() throws {
    let old = try cache.add("old", id: "a", type: "zip")
    try cache.flush()
    let new = try cache.add("newer", id: "a", type: "tar.gz", replacing: old)
    try cache.flush()
    #expect(try cachedNames() == ["0cc175b9c0f1b6a831c399e269772661.tar.gz"])
    #expect(try cache.record(of: new.key) == new)
  }

  @Test func aDirectoryInTheWayIsPutAsideWithWhatIsInIt() throws {
    try fixture.root.write("x", to: "cache/files/default/0cc175b9c0f1b6a831c399e269772661.bin/y")
    let record = try cache.add("hello", id: "a")
    #expect(try bytes(record) == Array("hello".utf8))
    let aside = try #require(try cachedNames().first { $0.contains("displaced") })
    #expect(try fixture.root.read("cache/files/default/\(aside)/y") == [120])
  }

  @Test func B064_aLongIDIsCachedLikeAnyOther() throws {
    let id = String(repeating: "\u{1f600}", count: 256)
    let record = try cache.add("hello", id: id)
    try cache.flush()
    #expect(try cache.record(of: FileKey(id)) == record)
    #expect(try bytes(record) == Array("hello".utf8))
  }

  @Test func B104_nearlyEqualIDsHaveAFileEach() throws {
    let ids = ["a", "A", "a ", "\u{e9}", "e\u{301}"]
    let records = try ids.map { try cache.add($0, id: $0) }
    let snapshot = try cache.snapshot(of: ids.map { Entry($0) })
    #expect(snapshot.files.count == ids.count)
    for (id, record) in zip(ids, records) {
      #expect(try Array(id.utf8) == bytes(record))
      #expect(snapshot.files[FileKey(id)]?.record == record)
    }
  }

  @Test func aDurableCachePublishesToo() throws {
    let cache = try fixture.open(.writing(durable: true))
    let record = try cache.add("hello", id: "a")
    try cache.flush()
    #expect(try fixture.open(.reading).record(of: record.key) == record)
  }

  @Test func publishingWorksAfterSomebodyRemovedTheDirectories() throws {
    try FileSystem.removeDirectory(cache.layout.filesDirectory)
    try FileSystem.removeDirectory(cache.layout.partialDirectory)
    let record = try cache.add("hello", id: "a")
    #expect(try bytes(record) == Array("hello".utf8))
  }

  // MARK: The same content under another key

  @Test func adoptedContentIsALinkAndSaysWhereItCameFrom() throws {
    let other = try cache.add("hello", id: "b", url: "http://h/b")
    let record = try cache.adoptContent(
      of: other, as: FileKey("a"), type: FileType("zip"), under: try lock("a"))
    try cache.flush()
    #expect(record.key == FileKey("a"))
    #expect(record.url == other.url)
    #expect(record.digests == other.digests)
    #expect(try bytes(record) == Array("hello".utf8))
    let paths = [other, record].map { cache.layout.path(of: $0.key, type: $0.type) }
    let statuses = try paths.map { try FileSystem.status(of: $0) }
    #expect(statuses[0]?.inode == statuses[1]?.inode)
    #expect(try cache.record(of: record.key) == record)
    #expect(try FileSystem.names(in: cache.layout.partialDirectory) == [])
  }

  @Test func adoptingWhatIsLinkedAlreadyLeavesNoOtherName() throws {
    let other = try cache.add("hello", id: "b")
    for _ in 0..<2 {
      _ = try cache.adoptContent(of: other, as: FileKey("a"), type: nil, under: nil)
    }
    #expect(try cachedNames().count == 2)
    #expect(try FileSystem.names(in: cache.layout.partialDirectory) == [])
  }

  @Test func adoptingReplacesWhatWasThere() throws {
    let other = try cache.add("hello", id: "b")
    try cache.add("old", id: "a", type: nil)
    let record = try cache.adoptContent(of: other, as: FileKey("a"), type: nil, under: nil)
    #expect(try bytes(record) == Array("hello".utf8))
  }

  @Test func aFileIsItsOwnContent() throws {
    let record = try cache.add("hello", id: "a")
    let adopted = try cache.adoptContent(of: record, as: record.key, type: record.type, under: nil)
    #expect(adopted == record)
    #expect(try bytes(record) == Array("hello".utf8))
  }

  @Test func contentThatChangedMeanwhileIsNotAdopted() throws {
    let other = try cache.add("hello", id: "b")
    let path = cache.layout.path(of: other.key, type: other.type)
    try FileDescriptor.reading(path).setModificationTime(5)
    #expect(throws: CacheError.changed(path: path)) {
      try cache.adoptContent(of: other, as: FileKey("a"), type: nil, under: nil)
    }
    #expect(try cachedNames().count == 1)
    #expect(try FileSystem.names(in: cache.layout.partialDirectory) == [])
  }

  @Test func contentThatIsGoneIsNotAdopted() throws {
    let other = try cache.add("hello", id: "b")
    let path = cache.layout.path(of: other.key, type: other.type)
    try FileSystem.remove(path)
    #expect(throws: CacheError.changed(path: path)) {
      try cache.adoptContent(of: other, as: FileKey("a"), type: nil, under: nil)
    }
  }

  // MARK: Records

  @Test(arguments: [(60, false), (61, true), (-5, false)])
  func useIsNotedOncePerHour(later: Int64, isNoted: Bool) throws {
    let record = try cache.add("hello", id: "a")
    let now = record.usedAt + later
    cache.noteUse(of: record, now: now)
    #expect(try cache.record(of: record.key)?.usedAt == (isNoted ? now : record.usedAt))
  }

  @Test func notingUseLeavesWhatAnotherProcessRecorded() throws {
    let old = try cache.add("old", id: "a")
    try cache.flush()
    let new = try fixture.open().addAndFlush("newer", id: "a")
    cache.noteUse(of: old, now: 2_000_000)
    let found = try #require(try cache.record(of: old.key))
    #expect(found.size == new.size)
    #expect(found.usedAt == 2_000_000)
  }

  @Test func aThousandRecordsAreCommittedWithoutFlushing() async throws {
    for number in 0..<1024 { cache.record(try makeRecord("file-\(number)")) }
    let reader = try fixture.open(.reading)
    // The batch is committed on its own: nobody here flushes.
    while try reader.records(count: 2000).count < 1024 { await Task.yield() }
    #expect(try reader.records(count: 2000).count == 1024)
  }

  @Test func fewRecordsAreCommittedSoonWithoutFlushing() async throws {
    cache.record(try makeRecord("a"))
    let reader = try fixture.open(.reading)
    while try reader.records().isEmpty { await Task.yield() }
    #expect(try reader.records().map(\.key) == [FileKey("a")])
  }

  private func makeRecord(_ id: String) throws -> CacheRecord {
    CacheRecord(
      key: FileKey(id), type: nil, url: "u", finalURL: "u", digests: [], size: 1,
      modificationTime: 2, now: 3)
  }

  @Test func aFlushThatFailsSaysSoAndLosesNothing() throws {
    let blocker = try SQLiteDatabase(opening: cache.layout.indexPath, .writing)
    try blocker.execute("DROP TABLE files")
    cache.record(try makeRecord("a"))
    #expect(throws: CacheError.self) { try cache.flush() }
    try blocker.execute("PRAGMA user_version = 0")
    try blocker.execute(IndexSchema.current.migration(from: 0))
    try cache.flush()
    #expect(try cache.records().map(\.key) == [FileKey("a")])
  }
}

extension DiskCache {
  @discardableResult
  func addAndFlush(_ text: String, id: String) throws -> CacheRecord {
    let record = try add(text, id: id)
    try flush()
    return record
  }
}
