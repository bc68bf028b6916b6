import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct CacheCommandTests {
  private let recording = RecordingConsole()

  @Test func dirPrintsTheDirectoryWithoutLookingAtIt() async {
    #expect(await World(recording).run("cache", "dir") == 0)
    #expect(recording.output == "/home/user/.cache/bulkget\n")
  }

  @Test func listShowsColumns() async {
    var world = World(recording)
    world.context.actions.cachedFiles = { directory throws(CommandFailure) in
      #expect(directory == "/c")
      return [file("1001", type: "tar.gz", size: 4096), file("z\u{1B}", type: nil, size: 7)]
    }
    #expect(await world.run("cache", "list", "--cache", "/c") == 0)
    #expect(
      recording.output == """
        default  1001     tar.gz  4.1 kB  /c/files/1001
        default  z\\u001b  -          7 B  /c/files/z\\u001b

        """)
  }

  @Test func anEmptyCacheIsAnEmptyList() async {
    var world = World(recording)
    world.context.actions.cachedFiles = { _ throws(CommandFailure) in [] }
    #expect(await world.run("cache", "list") == 0)
    #expect(recording.output == "" && recording.errors == "")
  }

  @Test func pathPrintsOnlyThePath() async {
    var world = World(recording)
    world.context.actions.cachedFile = { _, key throws(CommandFailure) in
      #expect(key == FileKey(namespace: "default", id: "1001"))
      return file("1001", type: nil, size: 1)
    }
    #expect(await world.run("cache", "path", "1001") == 0)
    #expect(recording.output == "/c/files/1001\n")
  }

  @Test(arguments: [(true, "/c/files/a\\u001b\n"), (false, "/c/files/a\u{1B}\n")])
  func B071_aPathIsEscapedForATerminalAndExactForAScript(
    _ isTerminal: Bool, _ expected: String
  ) async {
    let recording = RecordingConsole(isTerminal: isTerminal)
    var world = World(recording)
    world.context.actions.cachedFile = { _, _ throws(CommandFailure) in
      file("a\u{1B}", type: nil, size: 1)
    }
    #expect(await world.run("cache", "path", "a") == 0)
    #expect(recording.output == expected)
  }

  @Test func anIdThatIsNotThereIsStatusOne() async {
    var world = World(recording)
    world.context.actions.cachedFile = { _, _ throws(CommandFailure) in nil }
    world.context.actions.cachedFiles = { _ throws(CommandFailure) in [] }
    #expect(await world.run("cache", "path", "7", "--cache", "/c") == 1)
    #expect(
      recording.errors == """
        error: `7` is not in the namespace `default` of the cache `/c`
        hint: `bulkget cache list` shows what is there

        """)
  }

  @Test func anIdOfAnotherNamespaceIsPointedOut() async {
    var world = World(recording)
    world.context.actions.cachedFile = { _, _ throws(CommandFailure) in nil }
    world.context.actions.cachedFiles = { _ throws(CommandFailure) in
      [file("7", namespace: "tools", type: nil, size: 1), file("8", type: nil, size: 1)]
    }
    #expect(await world.run("cache", "path", "7", "--cache", "/c") == 1)
    #expect(recording.errors.hasSuffix("hint: it is in `tools`: add `--namespace`\n"))
  }

  @Test func sizeCountsPartialsToo() async {
    var world = World(recording)
    world.context.actions.cacheSize = { _ throws(CommandFailure) in
      size(files: 12, bytes: 34_500_000, partials: 1, partialBytes: 500_000)
    }
    #expect(await world.run("cache", "size") == 0)
    #expect(
      recording.output == "complete: 12 files, 34.5 MB\npartial: 1 file, 500.0 kB\ntotal: 35.0 MB\n"
    )
  }

  @Test(arguments: [["list"], ["path", "1001"], ["size"]])
  func JSONIsPrintedWhereItIsAskedFor(_ words: [String]) async {
    var world = World(recording)
    world.context.actions.cachedFiles = { _ throws(CommandFailure) in
      [file("1001", type: nil, size: 1)]
    }
    world.context.actions.cachedFile = { _, _ throws(CommandFailure) in
      file("1001", type: nil, size: 1)
    }
    world.context.actions.cacheSize = { _ throws(CommandFailure) in size(files: 1) }
    world.context.actions.write = { document, sink throws(StreamError) in
      switch document {
      case .cacheList(let files): try sink(Array("list \(files.count)\n".utf8))
      case .cacheSize(let size): try sink(Array("size \(size.fileCount)\n".utf8))
      default: Issue.record("another document")
      }
    }
    let status = await BulkgetCLI.CommandLine.run(["cache"] + words + ["--json"], in: world.context)
    #expect(status == .success)
    #expect(recording.output == (words == ["size"] ? "size 1\n" : "list 1\n"))
  }

  @Test func aCacheThatCannotBeReadIsStatusFour() async {
    var world = World(recording)
    world.context.actions.cachedFiles = { _ throws(CommandFailure) in
      throw .surroundings(Failure(.io, "the index has format 9"), hint: "use a later bulkget")
    }
    #expect(await world.run("cache", "list") == 4)
    #expect(recording.errors == "error: the index has format 9\nhint: use a later bulkget\n")
  }
}

private func file(
  _ id: String, namespace: String = "default", type: String?, size: Int64
) -> CachedFile {
  let record = CacheRecord(
    key: FileKey(namespace: namespace, id: id), type: type.flatMap(FileType.init), url: "",
    finalURL: "", digests: [], size: size, modificationTime: 0, now: 0)
  return CachedFile(record: record, path: "/c/files/\(id)")
}

private func size(
  files: Int, bytes: Int64 = 0, partials: Int = 0, partialBytes: Int64 = 0
) -> CacheSize {
  var size = CacheSize()
  size.fileCount = files
  size.byteCount = bytes
  size.partialCount = partials
  size.partialByteCount = partialBytes
  return size
}
