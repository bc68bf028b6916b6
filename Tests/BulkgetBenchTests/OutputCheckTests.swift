import BulkgetKit
import TestSupport
import Testing

@testable import bulkget_bench

struct OutputCheckTests {
  private let directory: TemporaryDirectory
  private let job: Job
  private let set = FileSet(name: "s", sizes: .equal(count: 2, byteCount: 9))

  init() throws {
    directory = try TemporaryDirectory()
    let set = set
    let files = (0..<2).map { index in
      let digest = set.body(index, byteCount: 9).hexadecimalDigest()
      return ServedFile(name: set.fileName(index), byteCount: 9, digest: digest)
    }
    job = Job(
      files: files, baseURL: "http://h", output: directory.path("out"), lists: directory.path)
    for index in 0..<2 {
      try directory.write(set.body(index, byteCount: 9).bytes, to: "out/" + set.fileName(index))
    }
  }

  private func failure() throws -> String? {
    try OutputCheck(job, of: .curl).failure(Interruption())
  }

  @Test func whatTheServerHasIsRight() throws {
    #expect(try failure() == nil)
  }

  @Test func aMissingFileIsWrong() throws {
    let empty = Job(files: job.files, baseURL: "", output: directory.path("no"), lists: "")
    #expect(
      try OutputCheck(empty, of: .curl).failure(Interruption())
        == "`s-000000.bin` is missing, and 1 more are wrong")
  }

  @Test func aShortFileIsWrong() throws {
    try directory.write("short", to: "out/s-000001.bin")
    #expect(try failure() == "`s-000001.bin` has 5 bytes rather than 9")
  }

  @Test func otherBytesAreWrong() throws {
    try directory.write("123456789", to: "out/s-000001.bin")
    #expect(try failure() == "`s-000001.bin` has other bytes")
  }

  @Test func aFileThatNobodyAskedForIsWrong() throws {
    try directory.write("", to: "out/deep/s-000001.bin.1")
    #expect(try failure() == "`deep/s-000001.bin.1` is unexpected")
  }

  @Test func bulkgetsFilesAreInItsCache() throws {
    let layout = CacheLayout(directory: job.output)
    for (index, file) in job.files.enumerated() {
      let path = layout.path(of: file.cacheKey, type: FileType("bin"))
      let name = String(path.dropFirst(directory.path.count + 1))
      try directory.write(set.body(index, byteCount: 9).bytes, to: name)
    }
    #expect(try OutputCheck(job, of: .bulkget).failure(Interruption()) == nil)
  }
}
