import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CacheLockTests {
  private let fixture: CacheFixture
  private let cache: DiskCache

  init() throws {
    fixture = try CacheFixture()
    cache = try fixture.open()
  }

  private func acquire(_ id: String, in cache: DiskCache) throws -> FileLock? {
    guard case .acquired(let lock) = try cache.lock(FileKey(id)) else { return nil }
    return lock
  }

  @Test func aFileIsLockedOnceInOneCache() throws {
    let lock = try #require(try acquire("a", in: cache))
    guard case .held(let processID) = try cache.lock(FileKey("a")) else {
      Issue.record("locked twice")
      return
    }
    #expect(processID == ProcessIdentity.processID)
    lock.release()
    #expect(try acquire("a", in: cache) != nil)
  }

  @Test func twoCachesOfOneProcessExcludeEachOther() throws {
    let other = try fixture.open()
    let lock = try #require(try acquire("a", in: cache))
    guard case .held(let processID) = try other.lock(FileKey("a")) else {
      Issue.record("locked twice")
      return
    }
    #expect(processID == ProcessIdentity.processID)
    lock.release()
    #expect(try acquire("a", in: other) != nil)
  }

  @Test func differentFilesAreLockedBesideEachOther() throws {
    let locks = try (0..<1024).map { try acquire("file-\($0)", in: cache) }
    #expect(locks.allSatisfy { $0 != nil })
    let other = try fixture.open()
    #expect(try acquire("file-7", in: other) == nil)
    #expect(try acquire("another", in: other) != nil)
  }

  @Test func oneIDInTwoNamespacesIsTwoLocks() throws {
    let lock = try acquire("a", in: cache)
    guard case .acquired = try cache.lock(FileKey(namespace: "other", id: "a")) else {
      Issue.record("locked by another namespace")
      return
    }
    lock?.release()
  }

  @Test func aLockIsGivenBackWithItsLastOwner() throws {
    let other = try fixture.open()
    do {
      let lock = try acquire("a", in: cache)
      #expect(try acquire("a", in: other) == nil)
      lock?.release()
    }
    #expect(try acquire("a", in: other) != nil)
  }

  @Test func releasingTwiceDoesNotTakeAnothersLock() throws {
    let lock = try #require(try acquire("a", in: cache))
    lock.release()
    let next = try acquire("a", in: cache)
    lock.release()
    #expect(try acquire("a", in: try fixture.open()) == nil)
    next?.release()
  }

  @Test func aPublishedFileStaysLockedUntilOthersCanReadItsRecord() throws {
    let other = try fixture.open()
    let key = FileKey("a")
    let lock = try #require(try acquire("a", in: cache))
    let file = try cache.stage(key, under: lock)
    let record = CacheRecord(
      key: key, type: nil, url: "u", finalURL: "u", digests: [], size: 0, modificationTime: 0,
      now: 1)
    try cache.publish(file, as: record, replacing: nil, under: lock)
    lock.release()
    try cache.flush()
    _ = try #require(try acquire("a", in: other))
    #expect(try other.record(of: key) != nil)
  }

  @Test func flushingGivesTheLocksOfPublishedFilesBack() throws {
    try cache.add("hello", id: "a")
    try cache.flush()
    let other = try fixture.open()
    #expect(try acquire("a", in: other) != nil)
    #expect(try other.record(of: FileKey("a")) != nil)
  }

  @Test func B073_aSlotWithADeadProcessBlocksNobody() throws {
    let lock = try #require(try acquire("a", in: cache))
    lock.release()
    // The slot still has the process's id; what counts is the kernel's lock.
    #expect(try fixture.root.read("cache/locks").contains { $0 != 0 })
    #expect(try acquire("a", in: try fixture.open()) != nil)
  }

  @Test func B073_aLockFileFullOfNonsenseBlocksNobodyAndNamesNobody() throws {
    try FileDescriptor.updating(cache.layout.locksPath)
      .write([UInt8](repeating: 0xff, count: 70_000))
    let lock = try #require(try acquire("a", in: cache))
    try FileDescriptor.updating(cache.layout.locksPath)
      .write([UInt8](repeating: 0xee, count: 70_000))
    guard case .held(let processID) = try fixture.open().lock(FileKey("a")) else {
      Issue.record("locked twice")
      return
    }
    #expect(processID == nil)
    lock.release()
  }

  @Test func B073_withoutLocksACacheWarnsOnceAndWorks() throws {
    let fixture = try CacheFixture()
    try FileSystem.makeDirectories(fixture.directory + "/locks")
    let cache = try fixture.open()
    for id in ["a", "b"] {
      guard case .unsupported = try cache.lock(FileKey(id)) else {
        Issue.record("a directory can't be locked")
        return
      }
    }
    #expect(cache.takeWarnings().map(\.code) == ["locks-unsupported"])
    let record = try cache.add("hello", id: "a")
    try cache.flush()
    #expect(try fixture.open(.reading).record(of: record.key) == record)
  }

  @Test(arguments: ["ENOLCK", "ENOSYS", "EOPNOTSUPP", "EINVAL"])
  func B073_theseErrorsMeanThatThereAreNoLocks(name: String) throws {
    let codes: [String: Int32] = ["ENOLCK": 37, "ENOSYS": 38, "EOPNOTSUPP": 95, "EINVAL": 22]
    let code = try #require(codes[name])
    #expect(SystemError("lock", "/x", code: code).saysLocksAreUnsupported)
    #expect(!SystemError("lock", "/x", code: 5).saysLocksAreUnsupported)
  }

  @Test func manyThreadsGetALockOneAfterTheOther() async throws {
    let cache = self.cache
    let counter = try fixture.root.write("0", to: "counter")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 { try await Self.increment(counter, in: cache) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try fixture.root.read("counter") == Array("200".utf8))
  }

  /// Reads, adds one and writes, which loses counts unless nobody else does so meanwhile.
  private static func increment(_ path: String, in cache: DiskCache) async throws {
    while true {
      guard case .acquired(let lock) = try cache.lock(FileKey("counter")) else {
        await Task.yield()
        continue
      }
      let file = try FileDescriptor.updating(path)
      let text = String(decoding: try file.readAll(limit: 100) ?? [], as: UTF8.self)
      try file.write(Array("\((Int(text) ?? 0) + 1)".utf8), at: 0)
      lock.release()
      return
    }
  }

  @Test func aCacheOpenedForReadingLocksNothing() throws {
    let reader = try fixture.open(.reading)
    #expect(throws: CacheError.unwritable(path: fixture.directory)) {
      try reader.lock(FileKey("a"))
    }
  }
}
