import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CacheStagingTests {
  private let fixture: CacheFixture
  private let cache: DiskCache
  private let key = FileKey("a")

  init() throws {
    fixture = try CacheFixture()
    cache = try fixture.open()
  }

  private func acquire() throws -> FileLock {
    guard case .acquired(let lock) = try cache.lock(key) else {
      throw CacheError.busy(path: "a")
    }
    return lock
  }

  private func partialNames() throws -> [String] {
    try #require(try FileSystem.names(in: cache.layout.partialDirectory)).sorted()
  }

  /// Leaves four bytes and a record, as an interrupted download does.
  private func interrupt() throws {
    let lock = try acquire()
    var file = try cache.stage(key, under: lock)
    try cache.keep(PartialRecord(url: "http://h/a"), beside: &file)
    try file.descriptor.write(Array("half".utf8))
  }

  @Test func aStagedFileIsEmptyAndReadOnlyForOthers() throws {
    let file = try cache.stage(key, under: try acquire())
    let status = try file.descriptor.status()
    #expect(status.size == 0)
    #expect(status.permissions & 0o333 == 0)
    #expect(file.path == cache.layout.partialPath(of: key))
  }

  @Test func resumingGoesOnWhereTheBytesEnd() throws {
    try interrupt()
    let file = try #require(try cache.resume(key, under: try acquire()))
    try file.descriptor.write(Array("+rest".utf8))
    #expect(try fixture.root.read(relative(file.path)) == Array("half+rest".utf8))
  }

  private func relative(_ path: String) -> String {
    String(path.dropFirst(fixture.root.path.count + 1))
  }

  @Test func nothingKeptIsNothingToResume() throws {
    #expect(try cache.resume(key, under: try acquire()) == nil)
  }

  @Test func startingOverDropsTheKeptBytesAndTheirRecord() throws {
    try interrupt()
    let file = try cache.stage(key, under: try acquire())
    #expect(try file.descriptor.status().size == 0)
    #expect(try partialNames() == [KeyHasher().fingerprint(of: key).name])
  }

  @Test func publishingAResumedFileLeavesNoRecordBehind() throws {
    try interrupt()
    let lock = try acquire()
    let file = try #require(try cache.resume(key, under: lock))
    try file.descriptor.write(Array("+rest".utf8))
    let record = CacheRecord(
      key: key, type: nil, url: "u", finalURL: "u", digests: [], size: 0, modificationTime: 0,
      now: 1)
    #expect(try cache.publish(file, as: record, replacing: nil, under: lock).size == 9)
    #expect(try partialNames().isEmpty)
  }

  @Test func aRecordIsReplacedByALaterOne() throws {
    let lock = try acquire()
    var file = try cache.stage(key, under: lock)
    let long = PartialRecord(url: String(repeating: "x", count: 5000))
    let short = PartialRecord(url: "http://h/a", total: 7)
    try cache.keep(long, beside: &file)
    try cache.keep(short, beside: &file)
    #expect(try cache.snapshot(of: [Entry("a")]).files[key]?.partial?.record == short)
  }

  @Test func discardingRemovesBytesAndRecord() throws {
    let lock = try acquire()
    var file = try cache.stage(key, under: lock)
    try cache.keep(PartialRecord(url: "http://h/a"), beside: &file)
    try cache.discard(file)
    #expect(try partialNames().isEmpty)
    try cache.discard(file)
  }

  @Test func B079_whatIsKeptOfAKeyCanBeRemoved() throws {
    try interrupt()
    try cache.discardPartial(of: key, under: try acquire())
    #expect(try partialNames().isEmpty)
  }

  @Test func downloadsWithoutTheLockGoBesideEachOther() throws {
    let first = try cache.stage(key, under: nil)
    let second = try cache.stage(key, under: nil)
    try first.descriptor.write(Array("first".utf8))
    try second.descriptor.write(Array("second".utf8))
    #expect(first.path != second.path)
    let record = CacheRecord(
      key: key, type: nil, url: "u", finalURL: "u", digests: [], size: 0, modificationTime: 0,
      now: 1)
    #expect(try cache.publish(first, as: record, replacing: nil, under: nil).size == 5)
    #expect(try cache.publish(second, as: record, replacing: nil, under: nil).size == 6)
    #expect(try cache.snapshot(of: [Entry("a", type: nil)]).files[key]?.observation?.size == 6)
    #expect(try partialNames().isEmpty)
  }

  @Test func aDownloadWithoutTheLockKeepsNothingToResume() throws {
    try interrupt()
    var file = try cache.stage(key, under: nil)
    let before = try partialNames()
    try cache.keep(PartialRecord(url: "http://other"), beside: &file)
    #expect(try partialNames() == before)
    #expect(try cache.snapshot(of: [Entry("a")]).files[key]?.partial?.record?.url == "http://h/a")
  }

  @Test func stagingIsRefusedInACacheOpenedForReading() throws {
    let reader = try fixture.open(.reading)
    #expect(throws: CacheError.unwritable(path: cache.layout.partialPath(of: key))) {
      try reader.stage(key, under: nil)
    }
  }

  // MARK: Removing what is left

  @Test func B079_interruptedDownloadsAreCountedAndRemoved() throws {
    try interrupt()
    let size = try cache.size()
    #expect(size.partialCount == 1)
    #expect(size.partialByteCount == 4)
    let removed = try cache.prune(PruneRule()).removed
    #expect(removed.map(\.kind) == [.partial])
    #expect(removed.map(\.byteCount) == [4])
    #expect(try partialNames().isEmpty)
  }

  @Test func whatWasWrittenLaterStays() throws {
    try interrupt()
    var rule = PruneRule()
    rule.maximumAge = .seconds(3600)
    #expect(try cache.prune(rule).removed.isEmpty)
    rule.maximumAge = .zero
    #expect(try cache.prune(rule).removed.count == 1)
  }

  @Test func aDownloadUnderWayInThisProcessStays() throws {
    let lock = try acquire()
    let file = try cache.stage(key, under: lock)
    #expect(try cache.prune(PruneRule()).removed.count == 0)
    #expect(try fixture.open().prune(PruneRule()).removed.count == 0)
    withExtendedLifetime(file) { lock.release() }
  }

  @Test func aPrivateDownloadStaysWhileItsFileIsOpen() throws {
    var file: StagedFile? = try cache.stage(key, under: nil)
    #expect(file != nil)
    #expect(try cache.prune(PruneRule()).removed.count == 0)
    file = nil
    // A process that another test is just starting shares the open file, and so its lock, until it runs its program.
    var removedCount = 0
    for _ in 0..<100_000 where removedCount == 0 {
      removedCount = try cache.prune(PruneRule()).removed.count
    }
    #expect(removedCount == 1)
  }

  @Test func filesOfOtherNamesStay() throws {
    try fixture.root.write("x", to: "cache/partial/notes.txt")
    #expect(try cache.prune(PruneRule()).removed.count == 0)
    #expect(try partialNames() == ["notes.txt"])
  }
}
