import BulkgetSystem
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A directory of its own for one test, removed with everything in it.
private final class ScratchDirectory {
  let path: String

  init() throws {
    path = "/tmp/bulkget-input-\(UInt64.random(in: .min ... .max))"
    try FileSystem.makeDirectories(path)
  }

  deinit {
    for name in (try? FileSystem.names(in: path)) ?? [] { unlink(path + "/" + name) }
    rmdir(path)
  }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = try FileDescriptor(
      opening: path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    try file.write(bytes)
    return file.path
  }
}

@Suite struct InputFileTests {
  @Test func readsAFileToItsLastByte() throws {
    let scratch = try ScratchDirectory()
    for count in [0, 1, 262_144, 300_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let path = try scratch.write(bytes, to: "file\(count)")
      #expect(try InputFile.bytes(of: path, limit: 1_000_000) == bytes)
    }
  }

  @Test func aFileOfExactlyTheLimitIsRead() throws {
    let scratch = try ScratchDirectory()
    let path = try scratch.write([1, 2, 3], to: "file")
    #expect(try InputFile.bytes(of: path, limit: 3) == [1, 2, 3])
    #expect(throws: InputFile.Refusal.tooLarge) { try InputFile.bytes(of: path, limit: 2) }
  }

  @Test func B103_aHugeFileIsRefusedByItsSizeAlone() throws {
    let scratch = try ScratchDirectory()
    let path = try scratch.write([], to: "huge")
    #expect(truncate(path, 1_000_000_000) == 0)
    #expect(throws: InputFile.Refusal.tooLarge) {
      try InputFile.bytes(of: path, limit: 256 * 1024 * 1024)
    }
  }

  @Test func aPipeIsReadUntilTheLimit() throws {
    #expect(throws: InputFile.Refusal.tooLarge) {
      try InputFile.bytes(of: "/dev/zero", limit: 1_000_000)
    }
  }

  @Test func aDirectoryIsCalledOne() throws {
    #expect(throws: InputFile.Refusal.directory) { try InputFile.bytes(of: "/", limit: 10) }
  }

  @Test func aMissingFileIsNamed() throws {
    #expect(throws: InputFile.Refusal.system(SystemError("open", "/nowhere/x", code: ENOENT))) {
      try InputFile.bytes(of: "/nowhere/x", limit: 10)
    }
  }
}
