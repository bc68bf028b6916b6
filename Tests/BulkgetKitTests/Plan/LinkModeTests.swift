import Testing

@testable import BulkgetKit

/// When a hard link counts as right.
@Suite struct LinkModeTests {
  @Test(arguments: [(7, 5, 9, true), (8, 5, 9, false), (7, 6, 9, false), (7, 5, 8, false)])
  func aHardLinkIsTheCachedFileAndHasItsSizeAndTime(
    inode: UInt64, size: Int64, time: Int64, isRight: Bool
  ) throws {
    let record = CacheRecord(
      key: FileKey("a"), type: nil, url: "u", finalURL: "u", digests: [], size: 5,
      modificationTime: 9, now: 1)
    let content = PlacedContent(mode: .hardlink, record: record, path: "", sharedInode: 7)
    var place = FileObservation(size: size, modificationTime: time)
    place.sharedInode = inode
    #expect(content.isRight(place, for: try .sample("a")) == isRight)
  }
}
