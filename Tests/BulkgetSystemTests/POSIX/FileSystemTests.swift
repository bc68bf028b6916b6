import BulkgetSystem
import TestSupport
import Testing

@Suite struct FileSystemTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  @Test func theStatusTellsKindsApart() throws {
    try root.write("hello", to: "file")
    try FileSystem.makeDirectories(root.path("directory"))
    try FileSystem.makeSymbolicLink(root.path("link"), to: "file")
    #expect(try FileSystem.status(of: root.path("file"))?.kind == .file)
    #expect(try FileSystem.status(of: root.path("file"))?.size == 5)
    #expect(try FileSystem.status(of: root.path("directory"))?.kind == .directory)
    #expect(try FileSystem.status(of: root.path("link"))?.kind == .symbolicLink)
    #expect(try FileSystem.status(of: root.path("link"), followingLinks: true)?.kind == .file)
    #expect(try FileSystem.status(of: "/dev/null")?.kind == .other)
  }

  @Test func nothingHasNoStatus() throws {
    try root.write("hello", to: "file")
    #expect(try FileSystem.status(of: root.path("none")) == nil)
    #expect(try FileSystem.status(of: root.path("file/inside")) == nil)
  }

  @Test func theStatusInADirectoryIsTheOneOfThePath() throws {
    try root.write("hello", to: "file")
    let directory = try FileDescriptor.directory(root.path)
    #expect(
      try FileSystem.status(of: "file", in: directory) == FileSystem.status(of: root.path("file")))
    #expect(try FileSystem.status(of: "none", in: directory) == nil)
  }

  @Test func aFileIsNoDirectory() throws {
    let path = try root.write("hello", to: "file")
    #expect(throws: SystemError.self) { try FileDescriptor.directory(path) }
    #expect(!FileSystem.isDirectory(path))
    #expect(!FileSystem.isDirectory(root.path("none")))
    #expect(FileSystem.isDirectory(root.path))
  }

  @Test func directoriesAreMadeWithTheirParents() throws {
    try FileSystem.makeDirectories(root.path("a/b/c"))
    try FileSystem.makeDirectories(root.path("a/b/c"))
    #expect(FileSystem.isDirectory(root.path("a/b/c")))
  }

  @Test func aFileInTheWayOfADirectoryIsNamed() throws {
    let path = try root.write("hello", to: "file")
    #expect {
      try FileSystem.makeDirectories(path)
    } throws: {
      "\($0)" == "cannot create the directory `\(path)`: Not a directory"
    }
  }

  @Test func aDirectoryListsItsNames() throws {
    let names = ["a", ".hidden", "with space", "\u{e9}", String(repeating: "x", count: 255)]
    for name in names { try root.write("", to: name) }
    #expect(Set(try #require(try FileSystem.names(in: root.path))) == Set(names))
    #expect(try FileSystem.names(in: root.path("none")) == nil)
  }

  @Test func listingStopsAtTheFirstError() throws {
    for number in 0..<5 { try root.write("", to: "\(number)") }
    let failure = SystemError("stop at", "here", code: 1)
    var count = 0
    #expect(throws: failure) {
      try FileSystem.forEachName(in: root.path) { _ throws(SystemError) in
        count += 1
        throw failure
      }
    }
    #expect(count == 1)
    #expect(try !FileSystem.forEachName(in: root.path("none")) { _ in count += 1 })
    #expect(count == 1)
  }

  @Test func removingWhatIsNotThereIsNoError() throws {
    try FileSystem.remove(root.path("none"))
    let path = try root.write("x", to: "file")
    try FileSystem.remove(path)
    #expect(try FileSystem.status(of: path) == nil)
  }

  @Test func renamingReplaces() throws {
    let new = try root.write("new", to: "new")
    let old = try root.write("old", to: "old")
    try FileSystem.rename(new, to: old)
    #expect(try root.read("old") == Array("new".utf8))
    #expect(try FileSystem.names(in: root.path) == ["old"])
  }

  @Test func aHardLinkIsTheSameFile() throws {
    let path = try root.write("x", to: "file")
    try FileSystem.makeHardLink(root.path("link"), to: path)
    let status = try #require(try FileSystem.status(of: path))
    #expect(status.linkCount == 2)
    #expect(try FileSystem.status(of: root.path("link")) == status)
  }

  @Test(arguments: [("/a", "/"), ("a", "."), ("/a/b", "/a"), ("a/b/c", "a/b"), ("/", "/")])
  func theParentIsTheTextBeforeTheLastSlash(path: String, parent: String) {
    #expect(FileSystem.parentDirectory(of: path) == parent)
  }

  @Test func permissionsAreSetWhateverTheUmask() throws {
    let path = try root.write("x", to: "file")
    try FileSystem.setPermissions(0o666, of: path)
    #expect(try FileSystem.status(of: path)?.permissions == 0o666)
  }

  @Test(arguments: [
    (2, "not found"), (20, "not found"), (17, "there"), (13, "not permitted"), (1, "not permitted"),
    (30, "not permitted"), (21, "directory"), (39, "directory"), (5, ""),
  ])
  func errorsAreToldApart(code: Int32, condition: String) {
    let error = SystemError("open", "/x", code: code)
    #expect(error.isNotFound == (condition == "not found"))
    #expect(error.isAlreadyThere == (condition == "there"))
    #expect(error.isNotPermitted == (condition == "not permitted"))
    #expect(error.isDirectoryInTheWay == ["directory", "there"].contains(condition))
  }

  @Test func aSystemCallIsRepeatedWhenASignalInterruptsIt() throws {
    var results: [CInt] = [-1, -1, 7]
    let result = try systemCall("wait for", "/x") {
      let result = results.removeFirst()
      if result == -1 { setErrorNumber(4) }
      return result
    }
    #expect(result == 7)
    #expect(results.isEmpty)
  }
}
