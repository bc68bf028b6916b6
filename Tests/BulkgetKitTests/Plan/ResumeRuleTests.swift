import BulkgetKit
import Testing

@testable import BulkgetKit

@Suite struct ResumeRuleTests {
  private let kept: Int64 = 2_000_000
  private let total: Int64 = 4_000_000

  private func point(
    _ record: PartialRecord?, byteCount: Int64? = nil,
    _ change: (inout Entry) throws -> Void = { _ in }
  ) throws -> ResumePoint? {
    var entry = try Entry.sample("a")
    try change(&entry)
    let partial = CacheSnapshot.Partial(byteCount: byteCount ?? kept, record: record)
    return ResumeRule.point(of: partial, for: entry, from: entry.sources[0])
  }

  private func record(
    url: String = "https://example.org/a.bin", entityTag: String? = "\"v1\"",
    total: Int64? = 4_000_000
  ) -> PartialRecord {
    PartialRecord(url: url, entityTag: entityTag, total: total)
  }

  @Test func aStrongValidatorAndATotalAreEnough() throws {
    #expect(try point(record()) == ResumePoint(offset: kept, validator: "\"v1\""))
  }

  @Test func lessThanAMebibyteIsNotResumed() throws {
    #expect(try point(record(), byteCount: 1_048_575) == nil)
    #expect(try point(record(), byteCount: 1_048_576)?.offset == 1_048_576)
  }

  @Test(arguments: [nil, "W/\"x\"", "x", "\"", ""] as [String?])
  func B022_withoutAStrongValidatorOnlyADigestAllowsIt(entityTag: String?) throws {
    let weak = record(entityTag: entityTag)
    #expect(try point(weak) == nil)
    let proved = try point(weak) { $0.digests = [try .sample(.sha256)] }
    #expect(proved == ResumePoint(offset: kept, validator: nil))
  }

  @Test func B023_bytesOfAnotherURLAreContinuedOnlyWithADigest() throws {
    let other = record(url: "https://example.org/old.bin")
    #expect(try point(other) == nil)
    let proved = try point(other) { $0.digests = [try .sample(.sha256)] }
    #expect(proved == ResumePoint(offset: kept, validator: nil))
  }

  @Test func aLostRecordLeavesOnlyTheDigest() throws {
    #expect(try point(nil) == nil)
    #expect(try point(nil) { $0.digests = [try .sample(.md5)] }?.offset == kept)
  }

  @Test func withoutATotalOnlyADigestAllowsIt() throws {
    let unknown = record(total: nil)
    #expect(try point(unknown) == nil)
    let proved = try point(unknown) { $0.digests = [try .sample(.sha256)] }
    #expect(proved == ResumePoint(offset: kept, validator: "\"v1\""))
  }

  @Test func aCompletePartialIsContinuedOnlyWithADigest() throws {
    #expect(try point(record(), byteCount: total) == nil)
    #expect(
      try point(record(), byteCount: total) { $0.digests = [try .sample(.sha256)] }?.offset
        == total)
  }

  @Test func aPartialLongerThanTheFileStartsOver() throws {
    #expect(
      try point(record(), byteCount: total + 1) { $0.digests = [try .sample(.sha256)] } == nil)
    #expect(
      try point(record(total: nil)) {
        $0.digests = [try .sample(.sha256)]
        $0.size = kept - 1
      } == nil)
  }

  @Test func aTotalThatContradictsTheManifestStartsOver() throws {
    #expect(
      try point(record()) {
        $0.digests = [try .sample(.sha256)]
        $0.size = total + 1
      } == nil)
    #expect(try point(record()) { $0.size = total }?.offset == kept)
  }

  @Test func aLocalSourceIsNeverResumed() throws {
    let local = try point(record(url: "/srv/a")) {
      $0.sources = [.local(path: "/srv/a")]
      $0.digests = [try .sample(.sha256)]
    }
    #expect(local == nil)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", true),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:36 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 05 Nov 1994 08:49:37 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, false),
      ("yesterday", "Sun, 06 Nov 1994 08:49:37 GMT", false),
      (nil, "Sun, 06 Nov 1994 08:49:37 GMT", false),
    ] as [(String?, String?, Bool)])
  func aModificationDateIsStrongWhenItIsSafelyOlder(
    modified: String?, date: String?, isStrong: Bool
  ) {
    let record = PartialRecord(url: "u", lastModified: modified, date: date)
    #expect(record.strongValidator == (isStrong ? modified : nil))
  }

  @Test func aWeakEntityTagIsNotHelpedByADate() {
    let record = PartialRecord(
      url: "u", entityTag: "W/\"x\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
      date: "Sun, 06 Nov 1995 08:49:37 GMT")
    #expect(record.strongValidator == nil)
  }
}
