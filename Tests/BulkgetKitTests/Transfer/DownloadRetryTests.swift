import Foundation
import Testing

@testable import BulkgetKit

/// Tries, waits, mirrors, and what they cost.
@Suite struct DownloadRetryTests {
  typealias Answer = DownloadPlay.Answer

  @Test(arguments: [0, 1, 5])
  func thereAreSoManyTriesAfterTheFirst(retries: Int) throws {
    let answers = Array(repeating: Answer.status(503), count: retries + 1)
    let play = DownloadPlay(try .sample(retries: retries), answers)
    #expect(play.result == "http-status")
    #expect(play.tries.count == retries + 1)
  }

  @Test func waitsGrowAndAreBounded() throws {
    let order = try Download.Order.sample(retries: 4) { $0.policy.maximumWait = .seconds(2) }
    let answers = Array(repeating: Answer.status(503), count: 5)
    #expect(
      DownloadPlay(order, answers).waits
        == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(2)])
    #expect(DownloadPlay(order, answers, jitter: 0).waits.allSatisfy { $0 == .zero })
  }

  /// The plays take place on 2001-09-09 at 01:46:40 GMT.
  @Test(arguments: [
    ("3", Duration.seconds(3)), ("Sun, 09 Sep 2001 01:46:43 GMT", .seconds(3)),
    ("Sunday, 09-Sep-01 01:46:43 GMT", .seconds(3)), ("60", .seconds(60)),
    ("Sun, 09 Sep 2001 01:46:37 GMT", .milliseconds(500)), ("abc", .milliseconds(500)),
    ("-5", .milliseconds(500)), ("1.5", .milliseconds(500)), ("", .milliseconds(500)),
    ("0", .milliseconds(500)),
  ])
  func B050_aServerMaySayHowLongToWait(value: String, wait: Duration) throws {
    let play = DownloadPlay(
      try .sample(retries: 1), [.status(503, ["Retry-After": value]), .status(200, bytes: 1)])
    #expect(play.waits == [wait])
  }

  @Test(arguments: ["61", "99999999999999999999", "Sun, 09 Sep 2001 01:47:41 GMT"])
  func whoAsksForLongerThanAnybodyWaitsIsNotAskedAgain(value: String) throws {
    let play = DownloadPlay(
      try .sample("https://a.example/x", "https://b.example/x", retries: 5),
      [.status(429, ["Retry-After": value]), .status(200, bytes: 1)])
    #expect(play.result == "complete")
    #expect(play.waits.isEmpty)
    #expect(play.urls == ["https://a.example/x", "https://b.example/x"])
  }

  private func cut(_ count: Int64, from offset: Int64 = 0) -> Answer {
    let total: Int64 = 1_000_000_000
    return offset == 0
      ? .status(200, bytes: total, ["ETag": "\"v\""], cutAt: count)
      : .part(from: offset, of: total, ["ETag": "\"v\""], cutAt: count)
  }

  @Test func progressOfAMebibyteCountsAfresh() throws {
    let step: Int64 = 1 << 20
    let steps = (0..<6).map { cut(step, from: $0 * step) }
    let play = DownloadPlay(try .sample(retries: 1), steps + [.status(503)])
    #expect(play.tries.count == 7)
    #expect(play.waits.allSatisfy { $0 <= .seconds(1) })
  }

  @Test func lessProgressDoesNot() throws {
    let first: Int64 = 1 << 20
    let less = (1 << 20) - 1 as Int64
    let play = DownloadPlay(
      try .sample(retries: 1), [cut(first), cut(less, from: first)])
    #expect(play.tries.count == 2)
  }

  @Test func theLongestSoFarCountsNotTheLast() throws {
    let changed = Answer.status(200, bytes: 1_000_000_000, ["ETag": "\"w\""], cutAt: 3_000_000)
    let play = DownloadPlay(try .sample(retries: 1), [cut(4_000_000), changed])
    #expect(play.tries.count == 2)
  }

  @Test func bytesOfAMirrorAreNoProgressOfThisOne() throws {
    let play = DownloadPlay(
      try .sample("https://a.example/x", "https://b.example/x", retries: 1),
      [cut(9_000_000), .status(403)]
        + [.status(503), cut(2_000_000), .status(503)])
    #expect(play.urls.map { $0.contains("a.example") } == [true, true, false, false, false])
    #expect(play.tries == ["truncated", "http-status", "http-status", "truncated", "http-status"])
  }

  @Test func thereAreNeverMoreThanAHundredTries() throws {
    let steps = (0..<100).map { cut(2_000_000, from: Int64($0) * 2_000_000) }
    let play = DownloadPlay(
      try .sample("https://a.example/x", "https://b.example/x", retries: 5), steps)
    #expect(play.result == "truncated")
    #expect(play.tries.count == 100)
  }

  @Test func B031_eachMirrorIsAskedInOrder() throws {
    let order = try Download.Order.sample(
      "https://a.example/x", "https://b.example/x", "https://c.example/x", digests: [digest(1)],
      retries: 5)
    let answers = Array(repeating: Answer.status(200, bytes: 10), count: 3)
    let play = DownloadPlay(
      order, answers, digests: [[try digest(2)], [try digest(3)], [try digest(1)]])
    #expect(play.result == "complete")
    #expect(play.tries == ["checksum-mismatch", "checksum-mismatch", "-"])
    #expect(play.machine.source == order.entry.sources[2])
    #expect(play.discardCount == 2)
    let wrong = DownloadPlay(order, answers, digests: [[try digest(2)]])
    #expect(wrong.result == "checksum-mismatch")
    #expect(wrong.message.contains("https://c.example/x"))
    #expect(wrong.message.contains(try digest(1).hexadecimal))
    #expect(wrong.message.contains(try digest(2).hexadecimal))
  }

  @Test func aWrongDigestNamesTheURLThatARedirectLedTo() throws {
    let play = DownloadPlay(
      try .sample(digests: [digest(1)]),
      [.status(302, ["Location": "https://cdn.example/y?token=SECRET"]), .status(200, bytes: 10)],
      digests: [[try digest(2)]])
    #expect(play.message.contains("https://cdn.example/y"))
    #expect(!play.message.contains("SECRET"))
  }

  @Test func everyDigestMustMatch() throws {
    let wanted = [try digest(1), try digest(1, .md5)]
    let order = try Download.Order.sample(digests: wanted)
    #expect(DownloadPlay(order, [.status(200, bytes: 1)], digests: [wanted]).result == "complete")
    let half = [wanted[0], try digest(2, .md5)]
    #expect(
      DownloadPlay(order, [.status(200, bytes: 1)], digests: [half]).result == "checksum-mismatch")
  }

  @Test func B053_everyMirrorHasItsOwnTries() throws {
    let order = try Download.Order.sample("https://a.example/x", "https://b.example/x", retries: 2)
    let play = DownloadPlay(order, Array(repeating: .status(503), count: 6))
    #expect(play.tries.count == 6)
  }

  // MARK: Local sources

  private func local(size: Int64? = nil, digests: [Digest] = []) throws -> Download.Order {
    try .sample(digests: digests, size: size, retries: 3) {
      $0.entry.sources = [.local(path: "/x"), $0.entry.sources[0]]
    }
  }

  @Test func aLocalSourceIsCopied() throws {
    let play = DownloadPlay(try local(size: 10), copied: (10, nil))
    #expect(play.result == "complete")
    #expect(play.requests.isEmpty)
    #expect(play.machine.attempts.map(\.httpStatus) == [nil])
    #expect(play.machine.stagedByteCount == 10)
  }

  @Test(arguments: ["missing", "wrong size", "empty", "wrong digest"])
  func whatIsWrongLocallyIsNotTriedAgainButElsewhere(fault: String) throws {
    let copied: [String: (Int64, Failure?)] = [
      "missing": (0, Failure(.io, "no such file")), "wrong size": (9, nil), "empty": (0, nil),
      "wrong digest": (10, nil),
    ]
    let isDigest = fault == "wrong digest"
    let play = DownloadPlay(
      try local(size: 10, digests: [digest(1)]), [.status(200, bytes: 10)],
      digests: isDigest ? [[try digest(2)], [try digest(1)]] : [[try digest(1)]],
      copied: try #require(copied[fault]))
    #expect(play.result == "complete")
    #expect(play.waits.isEmpty)
    #expect(play.tries.count == 2)
  }

  @Test func aFullDiskEndsItWithoutAnotherTry() throws {
    var machine = Download(try .sample("https://a.example/x", "https://b.example/x", retries: 5))
    let moment = Download.Moment(date: .distantPast, instant: .now, jitter: 0)
    _ = machine.handle(.start(nil), at: moment)
    let actions = machine.handle(.stagingFailed(Failure(.diskFull, "full")), at: moment)
    guard case .finish(.failed(let failure)) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(failure.code == .diskFull)
  }
}
