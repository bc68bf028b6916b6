import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CacheContentsTests {
  private let fixture: CacheFixture
  private let cache: DiskCache

  init() throws {
    fixture = try CacheFixture()
    cache = try fixture.open()
  }

  private func names(in cache: DiskCache) throws -> [String] {
    var names: [String] = []
    try cache.forEachRecord { names.append($0.key.namespace + "/" + $0.key.id) }
    return names
  }

  @Test func recordsAreListedByNamespaceAndID() throws {
    for (namespace, id) in [("b", "1"), ("a", "2"), ("a", "10"), ("a", "1"), ("a-b", "0")] {
      try cache.add("x", id: id, namespace: namespace)
    }
    #expect(try names(in: cache) == ["a/1", "a/10", "a/2", "a-b/0", "b/1"])
  }

  @Test(arguments: [511, 512, 513, 1500])
  func aListHasEveryRecordOnceWhateverThePages(count: Int) throws {
    for number in 0..<count {
      cache.record(
        CacheRecord(
          key: FileKey("\(number)"), type: nil, url: "u", finalURL: "u", digests: [], size: 1,
          modificationTime: 1, now: 1))
    }
    let names = try names(in: cache)
    #expect(names.count == count)
    #expect(Set(names).count == count)
  }

  @Test func aListThatIsReadSlowlyKeepsNoWriterWaiting() throws {
    try cache.add("x", id: "a")
    let writer = try fixture.open()
    var failure: (any Error)?
    try cache.forEachRecord { _ throws(CacheError) in
      do { _ = try writer.addAndFlush("y", id: "b") } catch { failure = error }
    }
    #expect(failure == nil)
    #expect(try cache.record(of: FileKey("b")) != nil)
  }

  @Test func aMissingCacheHasNothing() throws {
    let fixture = try CacheFixture()
    let cache = try fixture.open(.reading)
    #expect(try names(in: cache).isEmpty)
    #expect(try cache.size() == CacheSize())
  }

  @Test func theSizeCountsFilesAndParts() throws {
    try cache.add("hello", id: "a")
    try cache.add("more", id: "b", namespace: "other")
    let file = try cache.stage(FileKey("c"), under: nil)
    try file.descriptor.write(Array("rest".utf8))
    let size = try fixture.open(.reading).size()
    #expect(size.fileCount == 2)
    #expect(size.byteCount == 9)
    #expect(size.partialCount == 1)
    #expect(size.partialByteCount == 4)
  }

  @Test func theSizeCountsTheBytesOfLinkedFilesOnce() throws {
    let record = try cache.add("hello", id: "a")
    _ = try cache.adoptContent(of: record, as: FileKey("b"), type: nil, under: nil)
    let size = try cache.size()
    #expect(size.fileCount == 2)
    #expect(size.byteCount == 5)
  }

  @Test func theSizeCountsFilesThatTheIndexLost() throws {
    try cache.addAndFlush("hello", id: "a")
    try FileSystem.remove(cache.layout.indexPath)
    #expect(try fixture.open(.reading).size().fileCount == 1)
  }

  @Test func removingTakesTheFileAndItsRecord() throws {
    let record = try cache.addAndFlush("hello", id: "a")
    #expect(try cache.remove(record))
    #expect(try cache.record(of: record.key) == nil)
    #expect(try cache.size().fileCount == 0)
  }

  @Test func aFileThatARunIsAtIsNotRemoved() throws {
    let record = try cache.addAndFlush("hello", id: "a")
    guard case .acquired(let lock) = try fixture.open().lock(record.key) else { return }
    #expect(try cache.remove(record) == false)
    #expect(try cache.size().fileCount == 1)
    lock.release()
  }
}
