import Testing

@testable import BulkgetKit

/// What is asked for a size, without a network.
struct ProbeTests {
  private typealias Answer = (head: ResponseHead?, fault: TransferFault?)

  private func head(_ status: Int, _ fields: [String: String] = [:]) -> Answer {
    let fields = fields.map { HeaderField(name: $0.key, value: $0.value) }
    return (ResponseHead(status: status, fields: fields), .stopped)
  }

  private func fault(_ fault: TransferFault) -> Answer { (nil, fault) }

  /// The requests as `METHOD URL`, and the result.
  private func play(
    _ order: Download.Order, _ answers: [Answer]
  ) throws -> (requests: [String], result: ProbeResult?) {
    var probe = Probe(order)
    var requests: [String] = []
    var answers = answers[...]
    var actions = probe.handle(.start)
    while case .send(let request)? = actions.first {
      let isRange = request.headerLines.contains("Range: bytes=0-0")
      requests.append((request.isHead ? "HEAD " : isRange ? "BYTE " : "GET ") + request.url)
      let next = answers.popFirst()
      let answer = try #require(next)
      if let head = answer.head { _ = probe.handle(.head(head)) }
      actions = probe.handle(.ended(answer.fault))
    }
    guard case .finish(let result)? = actions.first else { return (requests, nil) }
    return (requests, result)
  }

  @Test func headTellsTheSizeAndTheValidators() throws {
    let fields = ["Content-Length": "6000000000", "ETag": "\"1\"", "Last-Modified": "yesterday"]
    let (requests, result) = try play(.sample("http://a/x"), [head(200, fields)])
    #expect(requests == ["HEAD http://a/x"])
    #expect(result?.byteCount == 6_000_000_000 && result?.entityTag == "\"1\"")
    #expect(result?.lastModified == "yesterday" && result?.servesRanges == nil)
  }

  @Test(arguments: [405, 403, 501, 404, 500])
  func oneByteIsAskedForWhereHeadIsRefused(status: Int) throws {
    let part = head(206, ["Content-Range": "bytes 0-0/42"])
    let (requests, result) = try play(.sample("http://a/x"), [head(status), part])
    #expect(requests == ["HEAD http://a/x", "BYTE http://a/x"])
    #expect(result?.byteCount == 42 && result?.servesRanges == true)
  }

  @Test func aLengthOfZeroAndNoneTellNothing() throws {
    for fields in [["Content-Length": "0"], [:]] {
      let whole = head(200, ["Content-Length": "7"])
      let (_, result) = try play(.sample("http://a/x"), [head(200, fields), whole])
      #expect(result?.byteCount == 7 && result?.servesRanges == false)
    }
  }

  @Test func anEmptyFileHasNoFirstByte() throws {
    let (_, result) = try play(
      .sample("http://a/x"), [head(405), head(416, ["Content-Range": "bytes */0"])])
    #expect(result?.byteCount == 0 && result?.servesRanges == nil)
  }

  @Test func whatADownloadTakesForTheFileIsItsSizeToo() throws {
    let fields = ["Content-Length": "7"]
    let (requests, result) = try play(.sample("http://a/x"), [head(203, fields)])
    #expect(requests == ["HEAD http://a/x"] && result?.byteCount == 7)
    let (_, whole) = try play(.sample("http://a/x"), [head(405), head(203, fields)])
    #expect(whole?.byteCount == 7 && whole?.servesRanges == false)
  }

  @Test(arguments: [
    (206, "bytes 5-9/42"), (206, "bytes */42"), (206, "octets 0-0/42"),
    (206, ""), (416, "bytes */42"), (416, ""),
  ])
  func anAnswerToAnotherQuestionProvesNothing(status: Int, range: String) throws {
    let (_, result) = try play(
      .sample("http://a/x"), [head(405), head(status, ["Content-Range": range])])
    #expect(result?.byteCount == nil && result?.servesRanges == nil)
    #expect(result?.failure?.code == (status == 206 ? .rangeMismatch : .httpStatus))
  }

  @Test(arguments: [TransferFault.stalled, .reset("x"), .truncated("x"), .malformed("x")])
  func whoeverDropsHeadIsAskedForAByte(fault: TransferFault) throws {
    let part = head(206, ["Content-Range": "bytes 0-0/42"])
    let (requests, result) = try play(.sample("http://a/x"), [self.fault(fault), part])
    #expect(requests == ["HEAD http://a/x", "BYTE http://a/x"])
    #expect(result?.byteCount == 42)
  }

  @Test func theNextMirrorIsAskedWhereOneCannotBeReached() throws {
    let (requests, result) = try play(
      .sample("http://a/x", "http://b/x"),
      [fault(.connection("refused")), head(200, ["Content-Length": "5"])])
    #expect(requests == ["HEAD http://a/x", "HEAD http://b/x"])
    #expect(result?.byteCount == 5)
  }

  @Test func redirectsAreFollowedAndNeverOutOfHTTPS() throws {
    let (requests, result) = try play(
      .sample("https://a/x"),
      [head(302, ["Location": "https://b/y"]), head(303, ["Location": "http://c/z"])])
    #expect(requests == ["HEAD https://a/x", "HEAD https://b/y"])
    #expect(result?.failure?.code == .insecureRedirect)
  }

  @Test func whatNobodyTellsStaysUnknown() throws {
    let (_, result) = try play(.sample("http://a/x"), [head(404), head(404)])
    #expect(result?.byteCount == nil && result?.failure?.code == .httpStatus)
    let (_, chunked) = try play(.sample("http://a/x"), [head(200), head(200)])
    #expect(chunked?.byteCount == nil && chunked?.failure == nil)
  }
}
