import BulkgetKit
import BulkgetSystem
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file of its own for one test.
private final class ScratchFile {
  let directory: String
  let path: String

  init(_ text: String) throws {
    directory = "/tmp/bulkget-manifest-\(UInt64.random(in: .min ... .max))"
    path = directory + "/m.yaml"
    try FileSystem.makeDirectories(directory)
    let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT, mode: 0o600)
    try file.write(Array(text.utf8))
  }

  deinit {
    // What is left behind harms no other test.
    try? FileSystem.remove(path)
    try? FileSystem.removeDirectory(directory)
  }
}

@Suite struct ManifestFileTests {
  @Test func aFileIsReadAndItsPathsAreRelativeToIt() throws {
    let file = try ScratchFile("files: [{id: a, url: x.bin}, {id: b, url: ./y}]")
    let manifest = try Manifest(reading: file.path, index: 3, environment: [:])
    #expect(manifest.path == file.path)
    #expect(manifest.entries[0].sources == [.local(path: file.directory + "/x.bin")])
    #expect(manifest.entries[1].sources == [.local(path: file.directory + "/./y")])
    #expect(manifest.entries[0].position == SourcePosition(manifest: 3, line: 1, column: 9))
  }

  @Test func aRelativePathIsOneOfTheCurrentDirectory() throws {
    let current = try #require(FileSystem.currentDirectory)
    let file = try ScratchFile("files: [{id: a, url: x.bin}]")
    let steps = current.split(separator: "/").map { _ in ".." }.joined(separator: "/")
    let relative = steps + file.path
    let manifest = try Manifest(reading: relative, environment: [:])
    #expect(
      manifest.entries[0].sources == [.local(path: "\(current)/\(steps)\(file.directory)/x.bin")])
  }

  @Test func B103_aMissingPathIsSaidPlainly() {
    let error = #expect(throws: ManifestError.self) {
      try Manifest(reading: "/nowhere/m.yaml", environment: [:])
    }
    #expect(
      error?.description
        == "error: /nowhere/m.yaml: cannot open `/nowhere/m.yaml`: No such file or directory")
    #expect(error?.problems.map(\.line) == [0])
  }

  @Test func B103_aDirectoryIsSaidPlainly() {
    let error = #expect(throws: ManifestError.self) {
      try Manifest(reading: "/tmp", environment: [:])
    }
    #expect(
      error?.description
        == "error: /tmp: it is a directory, not a manifest\nhint: name the file in it")
  }

  @Test func B103_aHugeFileIsRefusedByTheSizeLimit() throws {
    let file = try ScratchFile("")
    try FileDescriptor(opening: file.path, O_WRONLY).truncate(to: 1_000_000_000)
    let error = #expect(throws: ManifestError.self) {
      try Manifest(reading: file.path, environment: [:])
    }
    #expect(error?.problems.map(\.message) == ["the manifest is larger than the limit of 256 MiB"])
  }

  @Test func B103_anEmptyFileNamesItsPath() throws {
    let file = try ScratchFile("")
    let error = #expect(throws: ManifestError.self) {
      try Manifest(reading: file.path, environment: [:])
    }
    #expect(
      error?.description.hasPrefix("error: \(file.path):1:1: the manifest is empty\n") == true)
  }

  @Test func theProblemsOfSeveralManifestsComeTogether() throws {
    let good = try ScratchFile("files: []")
    let bad = try ScratchFile("file: []")
    let error = #expect(throws: ManifestError.self) {
      try Manifest.reading([bad.path, good.path, "/nowhere"], environment: [:])
    }
    #expect(error?.problems.map(\.file) == [bad.path, bad.path, "/nowhere"])
    let manifests = try Manifest.reading([good.path, good.path], environment: [:])
    #expect(manifests.count == 2)
  }

  @Test func theEnvironmentIsTheOneThatIsGiven() throws {
    let file = try ScratchFile("files: [{id: a, url: \"${env:PLACE}/x\"}]")
    let manifest = try Manifest(reading: file.path, environment: ["PLACE": "/p"])
    #expect(manifest.entries[0].sources == [.local(path: "/p/x")])
  }
}
