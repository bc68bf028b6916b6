import Foundation
import Testing

@testable import BulkgetKit

/// Going on from what an earlier try or run has left.
@Suite struct DownloadResumeTests {
  typealias Answer = DownloadPlay.Answer
  private static let url = "https://example.org/a.bin"
  private static let kept: Int64 = 4_000_000
  private static let total: Int64 = 10_000_000
  private static let tag = ["ETag": "\"v1\""]

  private func partial(
    _ byteCount: Int64 = kept, url: String = url, entityTag: String? = "\"v1\"",
    lastModified: String? = nil, date: String? = nil, total: Int64? = total
  ) -> CacheSnapshot.Partial {
    let record = PartialRecord(
      url: url, entityTag: entityTag, lastModified: lastModified, date: date, total: total)
    return CacheSnapshot.Partial(byteCount: byteCount, record: record)
  }

  private static let whole = Answer.status(200, bytes: total, ["ETag": "\"v1\""])

  @Test func aFittingPartIsContinued() throws {
    let play = DownloadPlay(
      try .sample(), found: partial(), [.part(from: Self.kept, of: Self.total, Self.tag)])
    #expect(play.result == "complete")
    #expect(play.sent("Range") == ["bytes=4000000-"])
    #expect(play.sent("If-Range") == ["\"v1\""])
    #expect(play.receptions.map(\.offset) == [Self.kept])
    #expect(play.machine.resumedByteCount == Self.kept)
    #expect(play.machine.attempts.map(\.byteCount) == [6_000_000])
    #expect(play.discardCount == 0)
  }

  @Test func B014_everythingStartsOverInTheSameTry() throws {
    let play = DownloadPlay(try .sample(), found: partial(), [Self.whole])
    #expect(play.result == "complete")
    #expect(play.tries == ["-"])
    #expect(play.receptions.map(\.offset) == [0])
    #expect(play.machine.resumedByteCount == 0)
  }

  @Test(arguments: [
    ["Content-Range": "bytes 0-9/10000000"], ["Content-Range": "bytes 5000000-9999999/10000000"],
    ["Content-Range": ""], ["Content-Range": "bytes=4000000-9999999/10000000"],
    ["Content-Range": "bytes 4000000-9999998/10000000"], ["Content-Range": "bytes */10000000"],
    ["Content-Range": "bytes 4000000-9999998/9999999"],
    ["Content-Range": "bytes 4000000-9999999/*"],
    ["Content-Type": "multipart/byteranges; boundary=x"], ["Content-Length": "7"],
    ["ETag": "\"v2\""], ["ETag": "W/\"v1\""],
  ])
  func B016_aPartThatDoesNotFitStartsOver(fields: [String: String]) throws {
    let part = Answer.part(from: Self.kept, of: Self.total, Self.tag.merging(fields) { $1 })
    let play = DownloadPlay(try .sample(), found: partial(), [part, Self.whole])
    #expect(play.result == "complete")
    #expect(play.tries == ["range-mismatch", "-"])
    #expect(play.sent("Range") == ["bytes=4000000-", nil])
    #expect(play.waits.isEmpty)
    #expect(play.discardCount == 1 && play.hangUpCount == 1)
    #expect(play.machine.resumedByteCount == 0)
  }

  @Test func aPartWithoutItsEntityTagStartsOverUnlessADigestProvesIt() throws {
    let part = Answer.part(from: Self.kept, of: Self.total)
    let unproved = DownloadPlay(try .sample(), found: partial(), [part, Self.whole])
    #expect(unproved.tries == ["range-mismatch", "-"])
    let proved = DownloadPlay(
      try .sample(digests: [digest(1)]), found: partial(), [part], digests: [[try digest(1)]])
    #expect(proved.tries == ["-"])
  }

  @Test func B020_anotherDateStartsOver() throws {
    let (old, new) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT")
    let found = partial(entityTag: nil, lastModified: old, date: "Mon, 07 Nov 1994 08:49:37 GMT")
    for (date, isResumed) in [(old, true), (new, false)] {
      let part = Answer.part(from: Self.kept, of: Self.total, ["Last-Modified": date])
      let play = DownloadPlay(try .sample(), found: found, [part] + (isResumed ? [] : [Self.whole]))
      #expect(play.sent("If-Range").first == old)
      #expect(play.tries == (isResumed ? ["-"] : ["range-mismatch", "-"]))
    }
  }

  @Test func afterAChangeTheNewVersionMayBeResumed() throws {
    let changed = Answer.part(from: Self.kept, of: Self.total, ["ETag": "\"v2\""])
    let cut = Answer.status(200, bytes: Self.total, ["ETag": "\"v2\""], cutAt: 6_000_000)
    let rest = Answer.part(from: 6_000_000, of: Self.total, ["ETag": "\"v2\""])
    let play = DownloadPlay(try .sample(retries: 1), found: partial(), [changed, cut, rest])
    #expect(play.result == "complete")
    #expect(play.sent("Range") == ["bytes=4000000-", nil, "bytes=6000000-"])
    #expect(play.sent("If-Range").last == "\"v2\"")
  }

  @Test func whoSendsNonsenseIsNotAskedForPartsAgain() throws {
    let nonsense = Answer.status(206, bytes: 1, Self.tag)
    let cut = Answer.status(200, bytes: Self.total, Self.tag, cutAt: 6_000_000)
    let play = DownloadPlay(try .sample(retries: 1), found: partial(), [nonsense, cut, Self.whole])
    #expect(play.result == "complete")
    #expect(play.sent("Range") == ["bytes=4000000-", nil, nil])
  }

  @Test func B017_aCompletePartialIsCheckedWhereADigestCan() throws {
    let answer = Answer.status(416, ["Content-Range": "bytes */4000000"])
    let play = DownloadPlay(
      try .sample(digests: [digest(1)]), found: partial(total: 4_000_001), [answer],
      digests: [[try digest(1)]])
    #expect(play.result == "complete")
    #expect(play.machine.resumedByteCount == Self.kept)
    #expect(play.machine.stagedByteCount == Self.kept)
    #expect(play.machine.validators.entityTag == "\"v1\"")
  }

  @Test(arguments: ["bytes */4000000", "bytes */3000000", "bytes */*", "nonsense", nil])
  func B017_otherwiseAnUnsatisfiableRangeStartsOver(contentRange: String?) throws {
    let fields = contentRange.map { ["Content-Range": $0] } ?? [:]
    let play = DownloadPlay(try .sample(), found: partial(), [.status(416, fields), Self.whole])
    #expect(play.result == "complete")
    #expect(play.tries == ["range-mismatch", "-"])
    #expect(play.discardCount == 1)
  }

  @Test func B022_aWrongSpliceStartsOverOnceAndCostsNoRetry() throws {
    let part = Answer.part(from: Self.kept, of: Self.total)
    let found = partial(entityTag: "W/\"x\"")
    let play = DownloadPlay(
      try .sample(digests: [digest(1)]), found: found, [part, Self.whole],
      digests: [[try digest(2)], [try digest(1)]])
    #expect(play.result == "complete")
    #expect(play.sent("If-Range") == [nil, nil])
    #expect(play.tries == ["checksum-mismatch", "-"])
    #expect(play.waits.isEmpty)

    let wrong = DownloadPlay(
      try .sample(digests: [digest(1)], retries: 5), found: found, [part, Self.whole],
      digests: [[try digest(2)]])
    #expect(wrong.result == "checksum-mismatch")
    #expect(wrong.tries.count == 2)
    #expect(wrong.discardCount == 2)
  }

  @Test func B023_bytesOfAMirrorAreContinuedOnlyWithADigest() throws {
    let cut = Answer.status(200, bytes: Self.total, Self.tag, cutAt: Self.kept)
    let urls = ("https://a.example/x", "https://b.example/x")
    let unproved = DownloadPlay(try .sample(urls.0, urls.1), [cut, Self.whole])
    #expect(unproved.sent("Range") == [nil, nil])
    let rest = Answer.part(from: Self.kept, of: Self.total, ["ETag": "\"other\""])
    let proved = DownloadPlay(
      try .sample(urls.0, urls.1, digests: [digest(1)]), [cut, rest], digests: [[try digest(1)]])
    #expect(proved.result == "complete")
    #expect(proved.sent("Range") == [nil, "bytes=4000000-"])
    #expect(proved.sent("If-Range") == [nil, nil])
  }

  @Test func joinedBytesGetNoValidatorThatNotAllOfThemHad() throws {
    let rest = Answer.part(from: Self.kept, of: Self.total, Self.tag, cutAt: 1_000_000)
    let order = try Download.Order.sample(digests: [digest(1)])
    let found = partial(url: "https://mirror.example/a.bin", entityTag: nil)
    let play = DownloadPlay(order, found: found, [rest])
    #expect(play.receptions.map(\.record) == [PartialRecord(url: Self.url, total: Self.total)])
  }

  @Test func aPartKeepsTheRecordOfItsBeginning() throws {
    let (modified, date) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:37 GMT")
    let found = partial(lastModified: modified, date: date)
    let rest = Answer.part(
      from: Self.kept, of: Self.total, ["ETag": "\"v1\"", "Date": "Mon, 07 Nov 1994 08:49:37 GMT"])
    let play = DownloadPlay(try .sample(), found: found, [rest])
    #expect(play.receptions.map(\.record) == [found.record])
    #expect(play.machine.validators.lastModified == modified)
  }

  @Test func whatIsNotKeptIsNotResumed() throws {
    let cut = Answer.status(200, bytes: Self.total, Self.tag, cutAt: Self.kept)
    let play = DownloadPlay(try .sample(retries: 1), [cut, Self.whole], keepsPartials: false)
    #expect(play.sent("Range") == [nil, nil])
  }

  @Test func aPartNobodyAskedForIsRefused() throws {
    let play = DownloadPlay(try .sample(retries: 3), [.part(from: 0, of: 10)])
    #expect(play.result == "range-mismatch")
    #expect(play.requests.count == 1)
  }

  @Test(arguments: [404, 410])
  func whatIsGoneTakesItsPartialAlong(status: Int) throws {
    #expect(DownloadPlay(try .sample(), found: partial(), [.status(status)]).discardCount == 1)
    let other = partial(url: "https://mirror.example/a.bin")
    #expect(DownloadPlay(try .sample(), found: other, [.status(status)]).discardCount == 0)
  }

  @Test(arguments: [403, 500, 503])
  func otherRefusalsLeaveThePartial(status: Int) throws {
    #expect(DownloadPlay(try .sample(), found: partial(), [.status(status)]).discardCount == 0)
  }

  @Test func aRetryThatFollowsARedirectResumesThere() throws {
    let first = Answer.status(302, ["Location": "/signed?t=1"])
    let second = Answer.status(302, ["Location": "/signed?t=2"])
    let cut = Answer.status(200, bytes: Self.total, Self.tag, cutAt: Self.kept)
    let rest = Answer.part(from: Self.kept, of: Self.total, Self.tag)
    let play = DownloadPlay(try .sample(retries: 1), [first, cut, second, rest])
    #expect(play.result == "complete")
    #expect(
      play.urls.map { $0.split(separator: "/").last } == [
        "a.bin", "signed?t=1", "a.bin", "signed?t=2",
      ])
    #expect(play.sent("Range") == [nil, nil, "bytes=4000000-", "bytes=4000000-"])
  }

  @Test func keptBytesThatVanishAreFetchedAgain() throws {
    var machine = Download(try .sample())
    let moment = Download.Moment(date: .distantPast, instant: .now, jitter: 0)
    _ = machine.handle(.start(partial()), at: moment)
    var head = ResponseHead(status: 206)
    head.fields = [
      HeaderField(name: "Content-Range", value: "bytes 4000000-9999999/10000000"),
      HeaderField(name: "ETag", value: "\"v1\""),
    ]
    _ = machine.handle(.head(head), at: moment)
    let actions = machine.handle(.partialLost, at: moment)
    guard case .discardPartial = actions.first, case .send(let request) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(!request.headerLines.contains { $0.hasPrefix("Range") })
  }
}
