import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CacheHashingTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  @Test func everyAlgorithmIsComputedInOneReading() throws {
    let path = try root.write("abc", to: "file")
    let hashed = try DiskCache.hash(path, Set(DigestAlgorithm.allCases))
    #expect(
      hashed.digests.map(\.description) == [
        "md5:900150983cd24fb0d6963f7d28e17f72",
        "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha384:cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      ])
    #expect(hashed.observation.size == 3)
    #expect(
      hashed.observation.modificationTime == (try FileSystem.status(of: path))?.modificationTime)
  }

  @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20])
  func filesOfEverySizeHashAsAWhole(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try root.write(bytes, to: "file")
    let digest = try #require(MessageDigest(.sha256))
    unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
    #expect(try DiskCache.hash(path, [.sha256]).digests.map(\.bytes) == [digest.finish()])
  }

  @Test func hashingStopsBetweenPieces() throws {
    let path = try root.write([UInt8](repeating: 0, count: 4 << 20), to: "file")
    var asked = 0
    #expect(throws: CacheError.cancelled) {
      try DiskCache.hash(path, [.sha256]) {
        asked += 1
        return asked == 3
      }
    }
    #expect(asked == 3)
  }

  @Test func aFileThatChangesWhileItIsReadHasNoDigest() throws {
    let path = try root.write([UInt8](repeating: 0, count: 2 << 20), to: "file")
    let writer = try FileDescriptor.updating(path)
    var asked = 0
    #expect(throws: CacheError.changed(path: path)) {
      try DiskCache.hash(path, [.sha256]) {
        asked += 1
        if asked == 2 { do { try writer.truncate(to: 1) } catch { Issue.record(error) } }
        return false
      }
    }
  }

  @Test func onlyRegularFilesAreHashed() throws {
    #expect(throws: CacheError.notAFile(path: root.path)) {
      try DiskCache.hash(root.path, [.sha256])
    }
  }

  @Test func aMissingFileIsNamed() throws {
    let path = root.path("none")
    #expect {
      try DiskCache.hash(path, [.sha256])
    } throws: {
      "\($0)" == "cannot open `\(path)`: No such file or directory"
    }
  }

  @Test func aLinkIsNotFollowed() throws {
    let path = try root.write("abc", to: "file")
    try FileSystem.makeSymbolicLink(root.path("link"), to: path)
    #expect(throws: CacheError.self) { try DiskCache.hash(root.path("link"), [.sha256]) }
  }
}
