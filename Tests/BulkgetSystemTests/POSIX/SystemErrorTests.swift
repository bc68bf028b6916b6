import BulkgetSystem
import TestSupport
import Testing

@Suite struct SystemErrorTests {
  @Test(
    arguments: [
      ("open", "/x", 2, "cannot open `/x`: No such file or directory"),
      ("rename to /y", "/x", 18, "cannot rename to /y `/x`: Invalid cross-device link"),
      ("write", "/x", 28, "cannot write `/x`: No space left on device"),
    ] as [(String, String, CInt, String)])
  func theMessageNamesActionPathAndReason(
    action: String, path: String, code: CInt, message: String
  ) {
    #expect(SystemError(action, path, code: code).description == message)
  }

  @Test func aFullDiskIsOneError() {
    #expect(SystemError.noSpace("/x") == SystemError("write", "/x", code: 28))
  }

  @Test(
    arguments: [
      (31, true), (18, true), (1, true), (13, true), (38, true), (95, true), (2, false),
      (28, false), (5, false),
    ] as [(CInt, Bool)])
  func onlySomeErrorsOfALinkAreWorthACopy(code: CInt, isImpossible: Bool) {
    #expect(SystemError("link", "/x", code: code).saysLinkIsImpossible == isImpossible)
  }

  @Test func aFailureThatIsNoInterruptIsThrownAtOnce() {
    var calls = 0
    #expect(throws: SystemError("try", "/x", code: 5)) {
      try systemCall("try", "/x") { () -> CInt in
        calls += 1
        setErrorNumber(5)
        return -1
      }
    }
    #expect(calls == 1)
  }

  @Test func theSpaceOfProcessIDsIsTheSameForTheWholeProcess() {
    #expect(ProcessIdentity.processIDSpace == ProcessIdentity.processIDSpace)
    #expect(ProcessIdentity.processIDSpace.contains("pid:["))
    #expect(ProcessIdentity.processID > 0)
  }

  @Test func aChangedFileHasOtherContent() throws {
    let root = try TemporaryDirectory()
    let path = try root.write("hello", to: "file")
    let before = try #require(try FileSystem.status(of: path))
    #expect(before.hasSameContent(as: before))
    try FileSystem.setPermissions(0o600, of: path)
    #expect(try #require(try FileSystem.status(of: path)).hasSameContent(as: before))
    try FileDescriptor.reading(path).setModificationTime(before.modificationTime + 1)
    #expect(try !#require(try FileSystem.status(of: path)).hasSameContent(as: before))
  }

  // MARK: The directory that tests get

  @Test func aTemporaryDirectoryGoesWithWhateverIsInIt() throws {
    var root: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(root?.path)
    try root?.write("x", to: "a/b/c")
    try FileSystem.makeSymbolicLink(path + "/link", to: "/")
    try FileSystem.setPermissions(0, of: path + "/a/b")
    root = nil
    #expect(try FileSystem.status(of: path) == nil)
    #expect(FileSystem.isDirectory("/"))
  }

  @Test func twoTemporaryDirectoriesAreTwo() throws {
    #expect(try TemporaryDirectory().path != TemporaryDirectory().path)
  }

  @Test func theContentsOfADirectoryShowEveryChange() throws {
    let root = try TemporaryDirectory()
    try root.write("x", to: "a/b")
    let before = try root.contents()
    #expect(Set(before.keys) == ["a", "a/b"])
    #expect(try root.contents() == before)
    try FileDescriptor.reading(root.path("a/b")).setModificationTime(1)
    #expect(try root.contents() != before)
  }
}
