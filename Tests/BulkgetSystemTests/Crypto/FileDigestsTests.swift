import BulkgetSystem
import TestSupport
import Testing

@Suite struct FileDigestsTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  @Test(arguments: [[], [.sha256], [.sha1, .md5], MessageDigestAlgorithm.allCases])
  func digestsComeInTheOrderAskedFor(algorithms: [MessageDigestAlgorithm]) throws {
    let path = try root.write("hello", to: "file")
    let found = try FileDigests(of: path, algorithms, isCancelled: { false })
    #expect(found.digests == algorithms.map { MessageDigest($0)?.digest(of: "hello") ?? [] })
    #expect(found.status == (try FileSystem.status(of: path)))
  }

  @Test func anEmptyFileHasTheEmptyTextsDigest() throws {
    let path = try root.write("", to: "file")
    let found = try FileDigests(of: path, [.sha256], isCancelled: { false })
    #expect(found.digests == [MessageDigest(.sha256)?.finish() ?? []])
  }

  @Test func aCancelledReadingHasNone() throws {
    let path = try root.write("hello", to: "file")
    #expect(throws: FileDigests.Refusal.cancelled) {
      try FileDigests(of: path, [.sha256], isCancelled: { true })
    }
  }

  @Test(arguments: ["touched", "grown", "untouched"])
  func aChangeWhileReadingIsNoticed(change: String) throws {
    let path = try root.write([UInt8](repeating: 1, count: 3 << 20), to: "file")
    let writer = try FileDescriptor.appending(path)
    var asked = 0
    let hash = {
      try FileDigests(of: path, [.sha256]) {
        asked += 1
        guard asked == 2 else { return false }
        do {
          switch change {
          case "touched": try writer.setModificationTime(77)
          case "grown": try writer.write([1])
          default: break
          }
        } catch { Issue.record(error) }
        return false
      }
    }
    if change == "untouched" {
      #expect(try hash().status.size == 3 << 20)
    } else {
      #expect(throws: FileDigests.Refusal.changed) { try hash() }
    }
  }

  @Test(arguments: ["missing", "link"])
  func whatCannotBeOpenedSaysWhy(what: String) throws {
    let path = root.path(what)
    if what == "link" { try FileSystem.makeSymbolicLink(path, to: "/etc/hostname") }
    #expect {
      try FileDigests(of: path, [.sha256], isCancelled: { false })
    } throws: {
      guard case .system(let error) = $0 as? FileDigests.Refusal else { return false }
      return error.action == "open" && error.path == path
    }
  }

  @Test func aDirectoryIsNoFile() throws {
    #expect(throws: FileDigests.Refusal.notAFile) {
      try FileDigests(of: root.path, [.sha256], isCancelled: { false })
    }
  }
}
