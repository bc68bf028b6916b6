import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct IndexWriterTests {
  private let root: TemporaryDirectory
  private let index: CacheIndex
  private let writer: IndexWriter
  private let notices = NoticeLog()
  private var path: String { root.path("index.sqlite") }

  init() throws {
    root = try TemporaryDirectory()
    index = try CacheIndex(
      IndexFile(path: root.path("index.sqlite"), isDurable: false), .writing,
      locks: LockTable(file: nil, notices: notices), notices: notices)
    writer = IndexWriter(index, notices: notices)
  }

  private func makeRecord(_ id: String, size: Int64 = 1) -> CacheRecord {
    CacheRecord(
      key: FileKey(id), type: nil, url: "u", finalURL: "u", digests: [], size: size,
      modificationTime: 2, now: 3)
  }

  private func records() throws -> [CacheRecord] {
    try index.read([]) { index throws(SQLiteError) in
      try index.records(after: FileKey(namespace: "", id: ""), count: 5000)
    }
  }

  private func store(_ record: CacheRecord, obsolete: String? = nil) {
    writer.add(IndexWriter.Item(change: .store(record), obsoletePath: obsolete))
  }

  @Test func flushingCommitsEverythingInOrder() throws {
    for size in 1...5 { store(makeRecord("a", size: Int64(size))) }
    store(makeRecord("b"))
    try writer.flush()
    #expect(try records() == [makeRecord("a", size: 5), makeRecord("b")])
  }

  @Test func flushingNothingIsNoError() throws {
    try writer.flush()
    try writer.flush()
    #expect(try records().isEmpty)
  }

  @Test func changesOfOneKeyApplyInTheirOrder() throws {
    store(makeRecord("a"))
    writer.add(IndexWriter.Item(change: .touch(FileKey("a"), usedAt: 9)))
    store(makeRecord("b"))
    writer.add(IndexWriter.Item(change: .remove(FileKey("b"))))
    writer.add(IndexWriter.Item(change: .remove(FileKey("c"))))
    writer.add(IndexWriter.Item(change: .touch(FileKey("d"), usedAt: 9)))
    try writer.flush()
    let records = try records()
    #expect(records.map(\.key) == [FileKey("a")])
    #expect(records.map(\.usedAt) == [9])
  }

  @Test func anEarlierUseDoesNotReplaceALaterOne() throws {
    store(makeRecord("a"))
    for time in [Int64(50), 40] {
      writer.add(IndexWriter.Item(change: .touch(FileKey("a"), usedAt: time)))
    }
    try writer.flush()
    #expect(try records().map(\.usedAt) == [50])
  }

  @Test func anObsoleteFileGoesOnlyAfterTheCommit() throws {
    let obsolete = try root.write("old", to: "old")
    let blocker = try SQLiteDatabase(opening: path, .writing)
    try blocker.execute("ALTER TABLE files RENAME TO away")
    store(makeRecord("a"), obsolete: obsolete)
    #expect(throws: CacheError.self) { try writer.flush() }
    #expect(try FileSystem.status(of: obsolete) != nil)
    try blocker.execute("ALTER TABLE away RENAME TO files")
    try writer.flush()
    #expect(try FileSystem.status(of: obsolete) == nil)
    #expect(try records() == [makeRecord("a")])
  }

  @Test func anObsoleteFileThatCannotGoIsAWarning() throws {
    try root.write("x", to: "directory/inside")
    store(makeRecord("a"), obsolete: root.path("directory"))
    try writer.flush()
    #expect(try records() == [makeRecord("a")])
    #expect(notices.take().map(\.code) == ["cache-leftover"])
    #expect(notices.take().isEmpty)
  }

  @Test func whatCameAfterAFailureIsCommittedAfterIt() throws {
    let blocker = try SQLiteDatabase(opening: path, .writing)
    try blocker.execute("ALTER TABLE files RENAME TO away")
    store(makeRecord("a", size: 1))
    #expect(throws: CacheError.self) { try writer.flush() }
    store(makeRecord("a", size: 2))
    try blocker.execute("ALTER TABLE away RENAME TO files")
    try writer.flush()
    #expect(try records() == [makeRecord("a", size: 2)])
  }

  @Test func aFailedBatchKeepsNobodyWaiting() throws {
    let table = LockTable(file: try FileDescriptor.updating(root.path("locks")), notices: notices)
    let blocker = try SQLiteDatabase(opening: path, .writing)
    try blocker.execute("ALTER TABLE files RENAME TO away")
    do {
      guard case .acquired(let lock) = try table.lock(7) else { return }
      writer.add(IndexWriter.Item(change: .store(makeRecord("a")), lock: lock))
    }
    #expect(throws: CacheError.self) { try writer.flush() }
    guard case .acquired = try table.lock(7) else {
      Issue.record("the lock is still held")
      return
    }
  }

  @Test func aReaderThatIsAtItDelaysACommitButDoesNotFailIt() async throws {
    let reader = try SQLiteDatabase(opening: path, .reading)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM files")
    store(makeRecord("a"))
    let writer = self.writer
    async let flushed: Void = Task.detached { try writer.flush() }.value
    await Task.yield()
    try reader.execute("COMMIT")
    try await flushed
    #expect(try records() == [makeRecord("a")])
  }

  @Test func manyThreadsAddAtOnce() async throws {
    let writer = self.writer
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<300 {
            let record = CacheRecord(
              key: FileKey("\(thread)-\(number)"), type: nil, url: "u", finalURL: "u", digests: [],
              size: 1, modificationTime: 2, now: 3)
            writer.add(IndexWriter.Item(change: .store(record)))
          }
        }
      }
    }
    try writer.flush()
    #expect(try records().count == 2400)
  }
}
