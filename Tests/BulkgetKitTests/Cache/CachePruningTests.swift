import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// Pruning of real files.
struct CachePruningTests {
  private let fixture: CacheFixture
  private let cache: DiskCache

  init() throws {
    fixture = try CacheFixture()
    cache = try fixture.open()
  }

  private func prune(_ change: (inout PruneRule) -> Void) throws -> PruneResult {
    var rule = PruneRule()
    change(&rule)
    return try fixture.open().prune(rule)
  }

  private func ids() throws -> [String] { try cache.records().map(\.key.id) }

  @Test func whatNoManifestListsGoesWithItsRecord() throws {
    for id in ["a", "b", "c"] { try cache.addAndFlush("hello", id: id) }
    let result = try prune { $0.keptKeys = [FileKey("b")] }
    #expect(Set(result.removed.compactMap(\.key?.id)) == ["a", "c"])
    #expect(try ids() == ["b"])
    #expect(try cache.size().fileCount == 1)
  }

  @Test func aRehearsalRemovesNothing() throws {
    try cache.addAndFlush("hello", id: "a")
    var rule = PruneRule()
    rule.maximumByteCount = 0
    let result = try fixture.open(.reading).prune(rule, isRehearsal: true)
    #expect(result.removed.map(\.key?.id) == ["a"])
    #expect(try ids() == ["a"])
  }

  @Test func whatALivingRunClaimsStaysUntilItEnds() throws {
    for id in ["a", "b"] { try cache.addAndFlush("hello", id: id) }
    var claim: CacheClaim? = try CacheClaim([FileKey("a")], in: cache.layout)
    #expect(claim != nil)
    let result = try prune { $0.maximumByteCount = 0 }
    #expect(result.inUse.map(\.key?.id) == ["a"])
    #expect(result.removed.map(\.key?.id) == ["b"])
    #expect(try cache.remove(FileKey("a")) == .inUse)
    claim = nil
    #expect(try cache.remove(FileKey("a")) == .removed)
    #expect(try cache.remove(FileKey("a")) == .missing)
    #expect(try FileSystem.names(in: cache.layout.claimsDirectory) == [])
  }

  @Test func theClaimOfADeadProcessIsClearedAway() throws {
    try FileSystem.makeDirectories(cache.layout.claimsDirectory)
    try fixture.root.write("0123456789abcdef", to: "cache/claims/dead")
    try cache.addAndFlush("hello", id: "a")
    #expect(try prune { $0.maximumByteCount = 0 }.removed.count == 1)
    #expect(try FileSystem.names(in: cache.layout.claimsDirectory) == [])
  }

  /// It may be what a run is about to adopt.
  @Test func aFileThatTheIndexLostGoesOnlyWhereNothingRuns() throws {
    try cache.addAndFlush("hello", id: "a")
    try FileSystem.remove(cache.layout.indexPath)
    var claim: CacheClaim? = try CacheClaim([FileKey("z")], in: cache.layout)
    #expect(claim != nil)
    #expect(try prune { $0.maximumByteCount = 0 }.inUse.count == 1)
    claim = nil
    #expect(try prune { $0.maximumByteCount = 0 }.removed.map(\.key) == [nil])
    #expect(try cache.size().fileCount == 0)
  }

  @Test func aHeldFileStays() throws {
    let record = try cache.addAndFlush("hello", id: "a")
    guard case .acquired(let lock) = try cache.lock(record.key) else {
      Issue.record("the lock is not to be had")
      return
    }
    #expect(try prune { $0.maximumByteCount = 0 }.inUse.count == 1)
    lock.release()
    #expect(try prune { $0.maximumByteCount = 0 }.removed.count == 1)
  }

  @Test func aCacheThatMayNotBeWrittenIsNotPruned() throws {
    let reader = try fixture.open(.reading)
    #expect(throws: CacheError.unwritable(path: cache.layout.directory)) {
      try reader.prune(PruneRule())
    }
  }
}
