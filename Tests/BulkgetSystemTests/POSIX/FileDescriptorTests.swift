import BulkgetSystem
import TestSupport
import Testing

@Suite struct FileDescriptorTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  @Test func anErrorNamesTheActionAndThePath() throws {
    let path = root.path("none")
    #expect {
      try FileDescriptor.reading(path)
    } throws: {
      "\($0)" == "cannot open `\(path)`: No such file or directory"
    }
  }

  @Test func creatingRefusesWhatIsThere() throws {
    let path = try root.write("x", to: "file")
    #expect {
      try FileDescriptor.creating(path, mode: 0o666)
    } throws: {
      ($0 as? SystemError)?.isAlreadyThere == true
    }
    #expect(try root.read("file") == [120])
  }

  @Test func aReadOnlyFileIsWritableThroughTheDescriptorThatMadeIt() throws {
    let file = try FileDescriptor.creating(root.path("file"), mode: 0o444)
    try file.write(Array("hello".utf8))
    #expect(try file.status().permissions & 0o222 == 0)
    #expect(try root.read("file") == Array("hello".utf8))
  }

  @Test func appendingWritesAtTheEndWhateverThePosition() throws {
    let path = try root.write("half", to: "file")
    let file = try FileDescriptor.appending(path)
    try file.seek(to: 0)
    try file.write(Array("+rest".utf8))
    #expect(try root.read("file") == Array("half+rest".utf8))
  }

  @Test func appendingFollowsNoLink() throws {
    try root.write("x", to: "file")
    try FileSystem.makeSymbolicLink(root.path("link"), to: root.path("file"))
    #expect(throws: SystemError.self) { try FileDescriptor.appending(root.path("link")) }
  }

  @Test func writingAtAnOffsetLeavesThePosition() throws {
    let file = try FileDescriptor.creating(root.path("file"), mode: 0o666)
    try file.write(Array("abc".utf8))
    try file.write(Array("X".utf8), at: 1)
    try file.write(Array("d".utf8))
    #expect(try root.read("file") == Array("aXcd".utf8))
  }

  @Test(arguments: [(0, 3, "abc"), (1, 10, "bc"), (3, 4, ""), (9, 1, "")])
  func readingAtAnOffsetGivesWhatIsThere(offset: Int64, count: Int, text: String) throws {
    let file = try FileDescriptor.reading(try root.write("abc", to: "file"))
    #expect(try file.read(count: count, at: offset) == Array(text.utf8))
  }

  @Test func readingAllStopsAtTheLimit() throws {
    let path = try root.write("abcd", to: "file")
    #expect(try FileDescriptor.reading(path).readAll(limit: 4) == Array("abcd".utf8))
    #expect(try FileDescriptor.reading(path).readAll(limit: 3) == nil)
  }

  @Test(arguments: [0, 1, 999_999_999, 1_700_000_000_123_456_789])
  func theModificationTimeIsSetToTheNanosecond(time: Int64) throws {
    let file = try FileDescriptor.creating(root.path("file"), mode: 0o666)
    try file.setModificationTime(time)
    #expect(try file.status().modificationTime == time)
  }

  // MARK: Copies

  @Test(arguments: [0, 1, 4096, 3_000_000])
  func aCopyHasTheSameBytes(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let source = try FileDescriptor.reading(try root.write(bytes, to: "source"))
    let copy = try FileDescriptor.creating(root.path("copy"), mode: 0o666)
    #expect(try copy.copy(source) == size)
    #expect(try root.read("copy") == bytes)
  }

  @Test func aCopyFromWhatTheKernelCannotSendIsMadeThroughMemory() throws {
    let source = try FileDescriptor.reading("/proc/self/status")
    let copy = try FileDescriptor.creating(root.path("copy"), mode: 0o666)
    #expect(try copy.copy(source) > 0)
    #expect(String(decoding: try root.read("copy"), as: UTF8.self).contains("Umask:"))
  }

  @Test func aCloneIsWholeOrAnError() throws {
    let source = try FileDescriptor.reading(try root.write("hello", to: "source"))
    let clone = try FileDescriptor.creating(root.path("clone"), mode: 0o666)
    do {
      try clone.clone(source)
      #expect(try root.read("clone") == Array("hello".utf8))
    } catch {
      #expect(try root.read("clone").isEmpty)
    }
  }

  // MARK: Locks

  @Test func twoDescriptionsExcludeEachOtherByteByByte() throws {
    let first = try FileDescriptor.updating(root.path("locks"))
    let second = try FileDescriptor.updating(root.path("locks"))
    #expect(try first.lockByte(at: 7))
    #expect(try !second.lockByte(at: 7))
    #expect(try second.lockByte(at: 8))
    #expect(try second.lockByte(at: 1 << 62))
    try first.unlockByte(at: 7)
    #expect(try second.lockByte(at: 7))
  }

  @Test func aLockEndsWithItsDescription() throws {
    var first: FileDescriptor? = try FileDescriptor.updating(root.path("locks"))
    #expect(try first?.lockByte(at: 0) == true)
    let second = try FileDescriptor.updating(root.path("locks"))
    #expect(try !second.lockByte(at: 0))
    first = nil
    #expect(try second.lockByte(at: 0))
  }

  @Test func sharedLocksExcludeOnlyExclusiveOnes() throws {
    let path = try root.write("", to: "locks")
    let first = try FileDescriptor.reading(path)
    let second = try FileDescriptor.reading(path)
    let writer = try FileDescriptor.updating(path)
    #expect(try first.lockByte(at: 0, isShared: true))
    #expect(try second.lockByte(at: 0, isShared: true))
    #expect(try !writer.lockByte(at: 0))
  }

  @Test func closingAnotherDescriptorOfTheFileKeepsTheLock() throws {
    let first = try FileDescriptor.updating(root.path("locks"))
    #expect(try first.lockByte(at: 0))
    _ = try FileDescriptor.updating(root.path("locks")).status()
    #expect(try !FileDescriptor.updating(root.path("locks")).lockByte(at: 0))
  }

  @Test func waitingForAHeldLockEnds() throws {
    let first = try FileDescriptor.updating(root.path("locks"))
    #expect(try first.lockByte(at: 0))
    let second = try FileDescriptor.updating(root.path("locks"))
    #expect(try !second.waitForLock(ofByteAt: 0, milliseconds: 20))
    try first.unlockByte(at: 0)
    #expect(try second.waitForLock(ofByteAt: 0, milliseconds: 0))
  }
}
