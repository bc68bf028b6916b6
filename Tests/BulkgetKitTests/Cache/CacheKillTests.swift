import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// What `kill -9` leaves, at moments that differ from run to run: the promises hold at all of them.
@Suite struct CacheKillTests {
  private let fixture: CacheFixture
  private var layout: CacheLayout { CacheLayout(directory: fixture.directory) }

  init() throws {
    fixture = try CacheFixture()
  }

  /// Whether the file is what one round of `churn` writes, from the first byte to the last.
  private func isWhole(_ bytes: [UInt8]) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: ";"))
    return parts.count == 1000 && bytes.last == UInt8(ascii: ";")
      && parts.allSatisfy { $0 == parts[0] }
  }

  @Test(arguments: [1, 100, 700, 1500, 2600, 3700])
  func B025_afterAKillEveryFileIsWholeAndTheIndexIsSound(byteCount: Int) throws {
    try CacheProbe().kill("churn", fixture.directory, "file", "100000", after: byteCount)
    let planned = try fixture.open(.reading).snapshot(of: (0..<10).map { Entry("file-\($0)") })
    #expect(planned.warnings.isEmpty)
    let names = try FileSystem.names(in: layout.filesDirectory(of: "default")) ?? []
    for name in names {
      #expect(isWhole(try fixture.root.read("cache/files/default/\(name)")), "\(name)")
    }
    let cache = try fixture.open()
    #expect(cache.takeWarnings().isEmpty)
    for record in try cache.records() {
      let path = layout.path(of: record.key, type: record.type)
      // The record may be of a file that was replaced since; what it may not be is of one that never was whole.
      #expect(try FileSystem.status(of: path) != nil, "\(record.key.id)")
      #expect(record.size >= 9000)
    }
  }

  @Test func afterKillsTheNextProcessGoesOn() throws {
    for round in 1...5 {
      try CacheProbe().kill("churn", fixture.directory, "file", "100000", after: round * 150)
    }
    let result = try CacheProbe().run("churn", fixture.directory, "file", "40")
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == 41)
    let cache = try fixture.open()
    let records = try cache.records()
    #expect(records.count == 10)
    for record in records {
      let path = layout.path(of: record.key, type: record.type)
      let status = try #require(try FileSystem.status(of: path))
      #expect(FileObservation(status, isReadable: true).matches(record))
    }
    #expect(try cache.prune(PruneRule()).removed.count <= 1)
    #expect(try FileSystem.names(in: layout.partialDirectory) == [])
  }

  @Test func aResumeRecordNeverOutlivesItsBytes() throws {
    for round in 1...6 {
      try CacheProbe().kill("churn", fixture.directory, "file", "100000", after: round * 70)
      let names = Set(try FileSystem.names(in: layout.partialDirectory) ?? [])
      for name in names where name.hasSuffix(".json") {
        #expect(names.contains(String(name.dropLast(5))), "\(name)")
      }
    }
  }

  @Test func processesThatChurnTheSameFilesLeaveWholeOnes() throws {
    let statuses = try CacheProbe().runAll(
      (0..<6).map { _ in ["churn", fixture.directory, "file", "60"] })
    #expect(statuses.allSatisfy { $0 == 0 })
    let cache = try fixture.open()
    let records = try cache.records()
    #expect(records.count == 10)
    for record in records {
      let path = layout.path(of: record.key, type: record.type)
      let status = try #require(try FileSystem.status(of: path))
      #expect(FileObservation(status, isReadable: true).matches(record))
      let bytes = try FileDescriptor.reading(path).readAll(limit: .max) ?? []
      #expect(isWhole(bytes))
    }
    #expect(try FileSystem.names(in: layout.filesDirectory(of: "default"))?.count == 10)
  }

  @Test func manyProcessesThatOpenANewCacheAtOnceMakeOne() throws {
    let statuses = try CacheProbe().runAll(
      (0..<16).map { ["commit", fixture.directory, "p\($0)", "3"] })
    #expect(statuses.allSatisfy { $0 == 0 })
    #expect(try fixture.open(.reading).records().count == 48)
    let names = try #require(try FileSystem.names(in: fixture.directory))
    #expect(
      Set(names) == ["CACHEDIR.TAG", "files", "index.sqlite", "locks", "partial"])
  }
}
