import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// What stays in a cache when something is killed or comes to nothing.
@Suite struct CacheLeftoverTests {
  private let fixture: CacheFixture
  private let cache: DiskCache

  init() throws {
    fixture = try CacheFixture()
    cache = try fixture.open()
  }

  private func partialNames() throws -> Set<String> {
    Set(try FileSystem.names(in: cache.layout.partialDirectory) ?? [])
  }

  @Test func whatNobodyWritesIsRemoved() throws {
    let partial = KeyHasher().fingerprint(of: FileKey("a")).name
    for name in [partial, partial + ".json", partial + ".dead", "clone.deada"] {
      try fixture.root.write("half", to: "cache/partial/" + name)
    }
    let writing = try cache.stage(FileKey("a"), under: nil)
    let name = String(writing.path.dropFirst(cache.layout.partialDirectory.count + 1))
    cache.removeLeftovers()
    #expect(try partialNames() == [partial, partial + ".json", name])
    #expect(cache.takeWarnings().isEmpty)
  }

  @Test func aLinkThatWasTakenForALeftoverIsMadeAgain() async throws {
    let other = try cache.add("hello", id: "b")
    for _ in 0..<3000 {
      async let tidying: Void = cache.removeLeftovers()
      _ = try cache.adoptContent(of: other, as: FileKey("a"), type: nil, under: nil)
      await tidying
    }
    #expect(try partialNames().isEmpty)
    #expect(cache.takeWarnings().isEmpty)
  }

  @Test func anEmptyDirectoryInTheWayIsRemovedWithoutAWord() throws {
    let directory = cache.layout.filesDirectory(of: "default")
    try FileSystem.makeDirectories(directory + "/0cc175b9c0f1b6a831c399e269772661.bin")
    try cache.add("hello", id: "a")
    #expect(try FileSystem.names(in: directory)?.count == 1)
    #expect(cache.takeWarnings().isEmpty)
  }

  @Test func aDirectoryInTheWayWithSomethingInItIsTold() throws {
    try fixture.root.write("x", to: "cache/files/default/0cc175b9c0f1b6a831c399e269772661.bin/y")
    try cache.add("hello", id: "a")
    let warning = try #require(cache.takeWarnings().first)
    #expect(warning.code == "cache-leftover" && warning.message.contains(".bin.displaced."))
  }

  @Test func aFileThatChangedAfterItWasHashedIsNotAdopted() throws {
    let path = try fixture.root.write("other", to: "a.bin")
    let record = CacheRecord(
      key: FileKey("a"), type: nil, url: "u", finalURL: "u", digests: [], size: 5,
      modificationTime: 1, now: 1)
    #expect(throws: CacheError.changed(path: path)) { try cache.adoptFile(at: path, as: record) }
    #expect(try partialNames().isEmpty)
    #expect(try FileSystem.names(in: cache.layout.filesDirectory(of: "default")) == nil)
  }
}
