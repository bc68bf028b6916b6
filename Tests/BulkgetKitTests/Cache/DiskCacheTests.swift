import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct DiskCacheTests {
  @Test func whatWasPublishedIsFoundAgain() throws {
    let fixture = try CacheFixture()
    let record = try fixture.filled("hello")
    let snapshot = try fixture.open(.reading).snapshot(of: [Entry("a")])
    let file = try #require(snapshot.files[FileKey("a")])
    #expect(file.record == record)
    #expect(file.observation?.matches(record) == true)
    #expect(file.partial == nil)
    #expect(snapshot.warnings.isEmpty)
    #expect(
      try fixture.root.read("cache/files/default/0cc175b9c0f1b6a831c399e269772661.bin")
        == Array("hello".utf8))
  }
}
