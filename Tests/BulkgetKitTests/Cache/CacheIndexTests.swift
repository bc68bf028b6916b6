import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CacheIndexTests {
  private let root: TemporaryDirectory
  private let notices = NoticeLog()
  private let record = CacheRecord(
    key: FileKey("a"), type: nil, url: "u", finalURL: "u", digests: [], size: 1,
    modificationTime: 2, now: 3)

  init() throws {
    root = try TemporaryDirectory()
  }

  private var file: IndexFile { IndexFile(path: root.path("index.sqlite"), isDurable: false) }

  private func open(_ access: SQLiteDatabase.Access) throws -> CacheIndex {
    let locks = LockTable(
      file: access == .writing ? try FileDescriptor.updating(root.path("locks")) : nil,
      notices: notices)
    return try CacheIndex(file, access, locks: locks, notices: notices)
  }

  private func keys(in index: CacheIndex) throws -> [String] {
    let none: [String] = ["nothing"]
    return try index.read(none) { index throws(SQLiteError) in
      try index.records(after: FileKey(namespace: "", id: ""), count: 100).map(\.key.id)
    }
  }

  @Test func readingWithoutAnIndexGivesWhatItIsTold() throws {
    let index = try open(.reading)
    #expect(try keys(in: index) == ["nothing"])
    #expect(notices.take().isEmpty)
    #expect(try root.contents().isEmpty)
  }

  @Test func openingForWritingMakesOne() throws {
    #expect(try keys(in: open(.writing)) == [])
    #expect(notices.take().isEmpty)
  }

  @Test func whatOneCommitsTheOtherReads() throws {
    let writer = try open(.writing)
    let reader = try open(.reading)
    try writer.commit([.store(record)])
    #expect(try keys(in: reader) == ["a"])
    try writer.commit([.remove(record.key)])
    #expect(try keys(in: reader) == [])
  }

  @Test func committingToAnIndexOpenedForReadingIsRefused() throws {
    let index = try open(.reading)
    #expect(throws: CacheError.unwritable(path: file.path)) {
      try index.commit([.store(record)])
    }
    #expect(try root.contents().isEmpty)
  }

  @Test func anIndexOfALaterVersionThatTakesTheOldOnesPlaceIsNotTouched() throws {
    let index = try open(.writing)
    try FileSystem.remove(file.path)
    try SQLiteDatabase(opening: file.path, .creating).execute("PRAGMA user_version = 2")
    let before = try root.read("index.sqlite")
    #expect(throws: CacheError.newerFormat(path: file.path, found: 2, supported: 1)) {
      try index.commit([.store(record)])
    }
    #expect(try root.read("index.sqlite") == before)
  }

  @Test func twoThatFindOneIndexDamagedSetItAsideOnce() throws {
    let first = try open(.writing)
    let second = try open(.writing)
    try FileDescriptor.updating(file.path).write([UInt8](repeating: 0, count: 40_960))
    try first.commit([.store(record)])
    var other = record
    other.key = FileKey("b")
    try second.commit([.store(other)])
    #expect(try keys(in: first) == ["a", "b"])
    #expect(notices.take().map(\.code) == ["index-damaged"])
    #expect(try FileSystem.status(of: file.path + ".damaged-2") == nil)
  }

  @Test func anIndexThatIsADirectoryByNowIsReplaced() throws {
    let index = try open(.writing)
    try FileSystem.remove(file.path)
    try FileSystem.makeDirectories(file.path)
    try index.commit([.store(record)])
    #expect(try keys(in: index) == ["a"])
    #expect(notices.take().count == 1)
  }

  @Test func aReaderGoesOnWithTheIndexItHasOpen() throws {
    let writer = try open(.writing)
    try writer.commit([.store(record)])
    let reader = try open(.reading)
    try FileSystem.remove(file.path)
    #expect(try keys(in: reader) == ["a"])
  }

  @Test func whileOneRepairsAnotherWaits() throws {
    let locks = try FileDescriptor.updating(root.path("locks"))
    let table = LockTable(file: locks, notices: notices)
    let other = LockTable(file: try FileDescriptor.updating(root.path("locks")), notices: notices)
    try table.withIndexLock { () throws(CacheError) in
      let probe = try cacheCall { () throws(SystemError) in
        try FileDescriptor.updating(root.path("locks")).lockByte(at: 1 << 62)
      }
      #expect(!probe)
    }
    try other.withIndexLock { () throws(CacheError) in }
  }

  @Test func theIndexLockIsGivenBackAfterAnError() throws {
    let table = LockTable(file: try FileDescriptor.updating(root.path("locks")), notices: notices)
    #expect(throws: CacheError.cancelled) {
      try table.withIndexLock { () throws(CacheError) in throw CacheError.cancelled }
    }
    #expect(try FileDescriptor.updating(root.path("locks")).lockByte(at: 1 << 62))
  }

  @Test func noticesAreTakenOnce() {
    notices.add("one", "first")
    notices.add("two", "second")
    #expect(notices.take().map(\.message) == ["first", "second"])
    #expect(notices.take().isEmpty)
  }

  // MARK: Who holds a lock

  @Test(arguments: [0, 1, 4095, 4096, 1 << 40, (1 << 62) - 1] as [Int64])
  func aSlotTellsItsHolder(offset: Int64) throws {
    let file = try FileDescriptor.updating(root.path("locks"))
    #expect(LockSlot(offset, in: file).processID() == nil)
    LockSlot(offset, in: file).write()
    #expect(LockSlot(offset, in: file).processID() == ProcessIdentity.processID)
    #expect(try file.status().size <= 65_536)
  }

  @Test func aSlotThatAnotherKeyTookTellsNobody() throws {
    let file = try FileDescriptor.updating(root.path("locks"))
    LockSlot(7, in: file).write()
    LockSlot(7 + 4096, in: file).write()
    #expect(LockSlot(7, in: file).processID() == nil)
    #expect(LockSlot(7 + 4096, in: file).processID() == ProcessIdentity.processID)
  }

  @Test func aSlotOfAnotherMachineTellsNobody() throws {
    let file = try FileDescriptor.updating(root.path("locks"))
    LockSlot(7, in: file).write()
    try file.write([1, 2, 3, 4], at: 7 * 16 + 8)
    #expect(LockSlot(7, in: file).processID() == nil)
  }
}
