import Testing

@testable import BulkgetKit

/// What becomes of one answer.
@Suite struct DownloadAnswerTests {
  typealias Answer = DownloadPlay.Answer

  @Test(arguments: [200, 203])
  func aWholeBodyIsComplete(status: Int) throws {
    let play = DownloadPlay(try .sample(), [.status(status, bytes: 10)])
    #expect(play.result == "complete")
    #expect(play.machine.attempts.map(\.httpStatus) == [status])
    #expect(play.machine.attempts.map(\.byteCount) == [10])
    #expect(play.receptions.map(\.total) == [10])
    #expect(play.sent("Accept-Encoding") == ["identity"])
    #expect(play.sent("Range") == [nil])
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func whatCanPassIsTriedAgain(status: Int) throws {
    let play = DownloadPlay(try .sample(retries: 2), [.status(status), .status(200, bytes: 10)])
    #expect(play.result == "complete")
    #expect(play.tries == ["http-status", "-"])
    #expect(play.waits.count == 1)
  }

  @Test(arguments: [
    204, 205, 300, 304, 305, 400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 416, 418, 451,
    501, 505,
  ])
  func whatCannotChangeIsNotTriedAgain(status: Int) throws {
    let play = DownloadPlay(try .sample(retries: 5), [.status(status)])
    #expect(play.result == "http-status")
    #expect(play.message.contains("\(status)"))
    #expect(play.waits.isEmpty)
  }

  @Test func aProxyThatWantsCredentialsIsNamed() throws {
    let play = DownloadPlay(try .sample(retries: 5), [.status(407)])
    #expect(play.result == "proxy")
    #expect(play.requests.count == 1)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectIsFollowedInTheSameTry(status: Int) throws {
    let play = DownloadPlay(
      try .sample("https://a.example/x"),
      [.status(status, ["Location": "../y?z"]), .status(200, bytes: 1)])
    #expect(play.result == "complete")
    #expect(play.urls == ["https://a.example/x", "https://a.example/y?z"])
    #expect(play.tries == ["-"])
    #expect(play.machine.finalURL?.redacted == "https://a.example/y?z")
  }

  @Test func aRedirectWithoutALocationIsAStatus() throws {
    #expect(DownloadPlay(try .sample(), [.status(302)]).result == "http-status")
  }

  @Test func twentyRedirectsAreFollowedAndNoMore() throws {
    let hop = Answer.status(302, ["Location": "/again"])
    let enough = Array(repeating: hop, count: 20) + [.status(200, bytes: 1)]
    #expect(DownloadPlay(try .sample(), enough).result == "complete")
    let play = DownloadPlay(try .sample(retries: 3), Array(repeating: hop, count: 21))
    #expect(play.result == "too-many-redirects")
    #expect(play.requests.count == 21)
  }

  @Test(arguments: [
    ("http://b.example/", "insecure-redirect"), ("ftp://b.example/", "unsupported-scheme"),
    ("file:///etc/passwd", "unsupported-scheme"), ("data:,x", "unsupported-scheme"),
  ])
  func aRedirectNeverLeavesHTTPNorTLS(location: String, code: String) throws {
    let play = DownloadPlay(
      try .sample("https://a.example/x", retries: 3), [.status(302, ["Location": location])])
    #expect(play.result == code)
    #expect(play.hangUpCount == 1)
  }

  @Test func httpsThatARedirectLedToIsNotLeftEither() throws {
    let play = DownloadPlay(
      try .sample("http://a.example/x"),
      [
        .status(302, ["Location": "https://b.example/y"]),
        .status(302, ["Location": "http://c.example/z"]),
      ])
    #expect(play.result == "insecure-redirect")
    #expect(play.urls == ["http://a.example/x", "https://b.example/y"])
  }

  @Test(arguments: [999, 1_001])
  func anAnnouncedLengthMustBeTheManifestsSize(length: Int64) throws {
    let play = DownloadPlay(try .sample(size: 1_000, retries: 3), [.status(200, bytes: length)])
    #expect(play.result == "size-mismatch")
    #expect(play.hangUpCount == 1)
    #expect(play.waits.isEmpty && play.receptions.isEmpty)
  }

  @Test func moreThanTheManifestsSizeIsCutOff() throws {
    let endless = Answer.status(200, bytes: 5_000, ["Transfer-Encoding": "chunked"])
    let play = DownloadPlay(try .sample(size: 1_000, retries: 3), [endless])
    #expect(play.result == "size-mismatch")
    #expect(play.discardCount == 1)
    #expect(play.requests.count == 1)
  }

  @Test func lessThanTheManifestsSizeIsAMismatchWhereTheBodyIsWhole() throws {
    let short = Answer.status(200, bytes: 500, ["Transfer-Encoding": "chunked"])
    let play = DownloadPlay(try .sample(size: 1_000, retries: 3), [short])
    #expect(play.result == "size-mismatch")
    #expect(play.discardCount == 1)
  }

  @Test(arguments: [true, false])
  func aLargerFileThanAllowedIsCutOff(isAnnounced: Bool) throws {
    let fields = isAnnounced ? [:] : ["Transfer-Encoding": "chunked"]
    let order = try Download.Order.sample(retries: 3) { $0.maximumFileSize = 1_000 }
    let play = DownloadPlay(order, [.status(200, bytes: 1_001, fields)])
    #expect(play.result == "too-large")
    #expect(play.receptions.isEmpty == isAnnounced)
    #expect(play.requests.count == 1)
    #expect(DownloadPlay(order, [.status(200, bytes: 1_000, fields)]).result == "complete")
  }

  @Test func theSmallerOfSizeAndLimitCounts() throws {
    let order = try Download.Order.sample(size: 2_000) { $0.maximumFileSize = 1_000 }
    let play = DownloadPlay(order, [.status(200, bytes: 2_000, ["Transfer-Encoding": "chunked"])])
    #expect(play.result == "too-large")
    #expect(play.receptions.map(\.limit) == [1_000])
  }

  @Test(arguments: [true, false])
  func B007_anEmptyBodyWhereBytesArePromisedIsTruncated(bySize: Bool) throws {
    let order = try Download.Order.sample(
      digests: bySize ? [] : [digest(1)], size: bySize ? 10 : nil, retries: 3)
    let answers: [Answer] = [
      .status(200), .status(200, ["Transfer-Encoding": "chunked"]), .status(204),
      .status(200, bytes: 10),
    ]
    let play = DownloadPlay(order, answers, digests: [[try digest(1)]])
    #expect(play.result == "complete")
    #expect(play.tries == ["truncated", "truncated", "http-status", "-"])
  }

  @Test func anEmptyFileIsFineWhereNothingOrItsDigestIsPromised() throws {
    #expect(DownloadPlay(try .sample(), [.status(200)]).result == "complete")
    let empty = try #require(Digest.empty(.sha256))
    let play = DownloadPlay(try .sample(digests: [empty]), [.status(200)], digests: [[empty]])
    #expect(play.result == "complete")
  }

  @Test(arguments: [
    ("text/html", true), ("TEXT/HTML; charset=utf-8", true), ("application/xhtml+xml", true),
    ("application/octet-stream", false),
  ])
  func aPageInPlaceOfAFileIsRecognised(type: String, isPage: Bool) throws {
    let answer = Answer.status(200, bytes: 10, ["Content-Type": type])
    let play = DownloadPlay(try .sample(retries: 3), [answer], isHTML: true)
    #expect(play.result == (isPage ? "unexpected-content" : "complete"))
    #expect(play.discardCount == (isPage ? 1 : 0))
    #expect(play.requests.count == 1)
  }

  @Test(arguments: ["html", "htm", "xhtml", nil])
  func aPageThatIsWantedIsTaken(type: String?) throws {
    let order = try Download.Order.sample { $0.entry.type = type.flatMap { FileType($0) } }
    let answer = Answer.status(200, bytes: 10, ["Content-Type": "text/html"])
    #expect(DownloadPlay(order, [answer], isHTML: true).result == "complete")
  }

  @Test func aDigestRulesOutThatAPageIsAMistake() throws {
    let answer = Answer.status(200, bytes: 10, ["Content-Type": "text/html"])
    let play = DownloadPlay(
      try .sample(digests: [digest(1)]), [answer], digests: [[try digest(1)]], isHTML: true)
    #expect(play.result == "complete")
  }

  @Test func anEncodingNobodyAskedForIsSaid() throws {
    let answer = Answer.status(200, bytes: 10, ["Content-Encoding": "gzip"])
    let play = DownloadPlay(try .sample(), [answer])
    #expect(play.machine.warnings.map(\.code) == ["content-encoding"])
    let wrong = DownloadPlay(
      try .sample(digests: [digest(1)]), [answer], digests: [[try digest(2)]])
    #expect(wrong.result == "checksum-mismatch")
    #expect(wrong.message.contains("gzip"))
    let identity = Answer.status(200, bytes: 10, ["Content-Encoding": "Identity"])
    #expect(DownloadPlay(try .sample(), [identity]).machine.warnings.isEmpty)
  }

  @Test func anUndelimitedBodyIsAcceptedWithAWarningUnlessProved() throws {
    let answer = Answer.status(200, bytes: 10, isDelimited: false)
    let play = DownloadPlay(try .sample(), [answer])
    #expect(play.result == "complete")
    #expect(play.machine.warnings.map(\.code) == ["unconfirmed-length"])
    #expect(DownloadPlay(try .sample(size: 10), [answer]).machine.warnings.isEmpty)
    let short = DownloadPlay(try .sample(size: 11), [answer])
    #expect(short.result == "truncated")
  }

  @Test(arguments: ["none", "size", "other size", "digest", "other digest"])
  func B116_overTLSAnUndelimitedBodyNeedsAFarewellOrAProof(proof: String) throws {
    var order = try Download.Order.sample("https://a.example/x")
    switch proof {
    case "size": order.entry.size = 10
    case "other size": order.entry.size = 11
    case "digest": order.entry.digests = [try digest(1)]
    case "other digest": order.entry.digests = [try digest(2)]
    default: break
    }
    let answer = Answer.status(200, bytes: 10, isDelimited: false, cutAt: 10, fault: .reset("eof"))
    let play = DownloadPlay(order, [answer], digests: [[try digest(1)]])
    #expect(play.result == (["size", "digest"].contains(proof) ? "complete" : "truncated"))
  }

  @Test(arguments: [
    (TransferFault.nameResolution("x"), "name-resolution", true),
    (.connection("x"), "connection-failed", true),
    (.connectTimeout, "timeout", true), (.stalled, "stalled", true),
    (.reset("x"), "connection-failed", true),
    (.truncated("x"), "connection-failed", true), (.tooManyOpenFiles, "too-many-open-files", true),
    (.certificate("x"), "tls", false), (.certificateFile("x"), "tls", false),
    (.tls("x"), "tls", false),
    (.malformed("x"), "protocol", false), (.proxy("x", status: 403), "proxy", false),
  ])
  func aFaultBeforeTheHeaderHasItsCode(fault: TransferFault, code: String, isRetried: Bool) throws {
    let play = DownloadPlay(
      try .sample(retries: 1), [.fault(fault)] + (isRetried ? [.fault(fault)] : []))
    #expect(play.result == code)
    #expect(play.tries.count == (isRetried ? 2 : 1))
  }

  @Test(arguments: [
    (TransferFault.truncated("x"), "truncated"), (.reset("x"), "truncated"), (.stalled, "stalled"),
    (.malformed("x"), "protocol"),
  ])
  func aFaultInTheBodyHasItsCode(fault: TransferFault, code: String) throws {
    let play = DownloadPlay(try .sample(), [.status(200, bytes: 10, cutAt: 7, fault: fault)])
    #expect(play.result == code)
    if code == "truncated" { #expect(play.message.contains("7 of 10")) }
  }

  @Test(arguments: [true, false])
  func aRunThatEndsCancels(inTheBody: Bool) throws {
    let play = DownloadPlay(
      try .sample("https://a.example/x", "https://b.example/x", retries: 3),
      [inTheBody ? .status(200, bytes: 10, cutAt: 7, fault: .cancelled) : .fault(.cancelled)])
    #expect(play.result == "cancelled")
    #expect(play.requests.count == 1 && play.discardCount == 0)
  }
}
