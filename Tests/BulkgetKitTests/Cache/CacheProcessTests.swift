import BulkgetSystem
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BulkgetKit

/// What several processes do to one cache.
@Suite struct CacheProcessTests {
  private let fixture: CacheFixture

  init() throws {
    fixture = try CacheFixture()
  }

  @Test func B073_aLiveProcessHoldsItsFileAndIsNamed() throws {
    let holder = try CacheProbe().hold(fixture.directory, "a", "half")
    defer { holder.kill() }
    #expect(holder.said == "holding\n")
    let cache = try fixture.open()
    guard case .held(let processID) = try cache.lock(FileKey("a")) else {
      Issue.record("the file is not locked")
      return
    }
    #expect(processID == holder.process.processIdentifier)
    guard case .acquired = try cache.lock(FileKey("b")) else {
      Issue.record("another file is locked too")
      return
    }
  }

  @Test func B073_aStoppedProcessHoldsItsFile() throws {
    let holder = try CacheProbe().hold(fixture.directory, "a", "half")
    defer { holder.kill() }
    kill(holder.process.processIdentifier, SIGSTOP)
    guard case .held = try fixture.open().lock(FileKey("a")) else {
      Issue.record("the file is not locked")
      return
    }
  }

  @Test func B073_aKilledProcessBlocksNobodyAndLeavesItsPart() throws {
    let holder = try CacheProbe().hold(fixture.directory, "a", "half")
    holder.kill()
    let cache = try fixture.open()
    let file = try #require(try cache.snapshot(of: [Entry("a")]).files[FileKey("a")])
    #expect(file.record == nil)
    #expect(file.observation == nil)
    #expect(file.partial?.byteCount == 4)
    #expect(file.partial?.record?.entityTag == "\"1\"")
    guard case .acquired(let lock) = try cache.lock(FileKey("a")) else {
      Issue.record("the dead process still holds the file")
      return
    }
    let resumed = try #require(try cache.resume(FileKey("a"), under: lock))
    try resumed.descriptor.write(Array("whole".utf8))
    #expect(try resumed.descriptor.status().size == 9)
  }

  @Test func partsInUseByAProcessAreNotRemoved() throws {
    let holder = try CacheProbe().hold(fixture.directory, "a", "half")
    let cache = try fixture.open()
    #expect(try cache.prune(PruneRule()).removed.count == 0)
    holder.kill()
    #expect(try cache.prune(PruneRule()).removed.map(\.byteCount) == [4])
    #expect(try FileSystem.names(in: cache.layout.partialDirectory) == [])
  }

  @Test func fortyProcessesCommitAtOnceAndLoseNothing() throws {
    let statuses = try CacheProbe().runAll(
      (0..<40).map { ["commit", fixture.directory, "p\($0)", "50"] })
    #expect(statuses == [Int32](repeating: 0, count: 40))
    var count = 0
    try fixture.open(.reading).forEachRecord { _ in count += 1 }
    #expect(count == 2000)
    #expect(try fixture.open(.reading).takeWarnings().isEmpty)
  }

  @Test(arguments: [
    ("022", 0o444, 0o755), ("002", 0o444, 0o775), ("077", 0o400, 0o700), ("000", 0o444, 0o777),
  ])
  func B080_permissionsAreThoseOfTheUmask(umask: String, file: Int, directory: Int) throws {
    let result = try CacheProbe(umask: umask).run("add", fixture.directory, "a", "text")
    #expect(result.output == "done\n")
    let contents = try fixture.root.contents()
    for (path, status) in contents where path.hasPrefix("cache") {
      switch status.kind {
      case .directory: #expect(Int(status.permissions) == directory, "\(path)")
      case _ where path.hasPrefix("cache/files"):
        #expect(Int(status.permissions) == file, "\(path)")
      default: #expect(status.permissions & 0o600 == 0o600, "\(path)")
      }
    }
    let writable = 0o666 & directory
    #expect(Int(try #require(contents["cache/index.sqlite"]).permissions) == writable)
    #expect(Int(try #require(contents["cache/locks"]).permissions) == writable)
  }

  @Test func B080_thisProcessesUmaskStays() throws {
    let before = try ownUmask()
    try fixture.filled()
    #expect(try ownUmask() == before)
  }

  /// Asking with `umask` would change it for the tests that run beside this one.
  private func ownUmask() throws -> String? {
    let status = try FileDescriptor.reading("/proc/self/status").readAll(limit: 65_536) ?? []
    let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("Umask:") }.map(String.init)
  }

  @Test func aResumedPartIsReadOnlyAgain() throws {
    let holder = try CacheProbe().hold(fixture.directory, "a", "half")
    holder.kill()
    let cache = try fixture.open()
    guard case .acquired(let lock) = try cache.lock(FileKey("a")) else { return }
    let file = try #require(try cache.resume(FileKey("a"), under: lock))
    #expect(try file.descriptor.status().permissions == 0o444)
  }

  // MARK: A cache that may not be written. Permission bits don't bind root, so another user looks.

  private func makeReadOnly() throws {
    for (path, status) in try fixture.root.contents() where path.hasPrefix("cache") {
      try FileSystem.setPermissions(status.permissions & 0o555, of: fixture.root.path(path))
    }
  }

  private var otherUser: Int { getuid() == 0 ? CacheProbe.nobody : 0 }

  @Test func B076_aReadOnlyCacheServesItsHits() throws {
    try fixture.filled()
    try makeReadOnly()
    let before = try fixture.root.contents()
    let result = try CacheProbe(user: otherUser).run("look", fixture.directory, "a")
    #expect(result.output == "writable false\nrecorded true\nreadable true\nwarnings \ndone\n")
    #expect(try fixture.root.contents() == before)
  }

  @Test func B076_aMissInAReadOnlyCacheNamesTheCache() throws {
    try fixture.filled()
    try makeReadOnly()
    let result = try CacheProbe(user: otherUser).run("add", fixture.directory, "b", "text")
    #expect(result.status == 1)
    #expect(result.output == "error: the cache is read-only: cannot write `\(fixture.directory)`\n")
  }

  @Test func B035_aFileThatMayNotBeReadIsSeen() throws {
    let record = try fixture.filled()
    let path = CacheLayout(directory: fixture.directory).path(of: record.key, type: record.type)
    try FileSystem.setPermissions(0, of: path)
    let result = try CacheProbe(user: otherUser).run("look", fixture.directory, "a")
    #expect(result.output.contains("recorded true\nreadable false\n"))
  }

  @Test func B077_anUnreadableIndexIsTreatedAsEmptyWhereItCannotBeSetAside() throws {
    try fixture.filled()
    try makeReadOnly()
    try FileSystem.setPermissions(0, of: fixture.root.path("cache/index.sqlite"))
    let result = try CacheProbe(user: otherUser).run("look", fixture.directory, "a")
    #expect(result.output.contains("recorded false\nreadable true\nwarnings index-damaged\ndone\n"))
  }

  @Test func B077_anUnreadableIndexIsSetAsideByWhoeverOwnsTheDirectory() throws {
    try fixture.filled()
    for (path, status) in try fixture.root.contents() where status.kind == .directory {
      try FileSystem.setPermissions(0o777, of: fixture.root.path(path))
    }
    try FileSystem.setPermissions(0o666, of: fixture.root.path("cache/locks"))
    try FileSystem.setPermissions(0, of: fixture.root.path("cache/index.sqlite"))
    let result = try CacheProbe(user: otherUser).run("look", fixture.directory, "a")
    #expect(
      result.output
        == "writable true\nrecorded false\nreadable true\nwarnings index-damaged\ndone\n")
    #expect(try FileSystem.status(of: fixture.root.path("cache/index.sqlite.damaged-1")) != nil)
  }

  @Test func aDirectoryThatCannotBeMadeIsUnusable() throws {
    try FileSystem.setPermissions(0o555, of: fixture.root.path)
    let result = try CacheProbe(user: otherUser).run("look", fixture.directory, "a")
    #expect(result.status == 1)
    #expect(
      result.output
        == "error: cannot use `\(fixture.directory)` as the cache: cannot create the directory `\(fixture.directory)`: Permission denied\n"
    )
  }
}
