import Testing

@testable import BulkgetKit

@Suite struct ResponseHeadTests {
  private func parse(_ lines: String...) -> HeadParser.Progress {
    var parser = HeadParser()
    var progress = HeadParser.Progress.incomplete
    for line in lines {
      progress = parser.takeText(line)
      guard case .incomplete = progress else { return progress }
    }
    return progress
  }

  private func head(_ lines: String...) throws -> ResponseHead {
    var parser = HeadParser()
    for line in lines + [""] {
      if case .complete(let head) = parser.takeText(line) { return head }
    }
    throw Failure(.protocolViolation, "no complete head")
  }

  @Test func statusReasonAndFieldsAreRead() throws {
    let head = try head("HTTP/1.1 404 Not  Found", "ETag: \"x\"", "X-Empty:", "x-padded: \t a b \t")
    #expect(head.status == 404)
    #expect(head.reason == "Not  Found")
    #expect(head["etag"] == "\"x\"")
    #expect(head["X-EMPTY"] == "")
    #expect(head["X-Padded"] == "a b")
    #expect(head["missing"] == nil)
  }

  @Test(arguments: [("HTTP/1.1 200", false), ("HTTP/1.0 200 OK", false), ("HTTP/2 200", true)])
  func theVersionTellsWhetherStreamsHaveEnds(line: String, isHTTP2: Bool) throws {
    #expect(try head(line).isHTTP2 == isHTTP2)
    #expect(try head(line).delimitsBody == isHTTP2)
  }

  @Test func informationalResponsesArePassedOver() throws {
    var parser = HeadParser()
    for line in ["HTTP/1.1 103 Early Hints", "Link: x", ""] {
      guard case .incomplete = parser.takeText(line) else {
        Issue.record("ended at `\(line)`")
        return
      }
    }
    for line in ["HTTP/1.1 200 OK", "A: b"] { _ = parser.takeText(line) }
    guard case .complete(let head) = parser.takeText("") else {
      Issue.record("no head")
      return
    }
    #expect(head.status == 200)
    #expect(head["Link"] == nil)
  }

  @Test func aFoldedLineContinuesTheValue() throws {
    #expect(try head("HTTP/1.1 200 OK", "A: b", "  c: d", "E: f")["A"] == "b c: d")
  }

  @Test(arguments: ["HTTP/1.1", "HTTP/1.1 abc", ""])
  func whatIsNoHeadIsMalformed(line: String) {
    guard case .malformed = parse(line) else {
      Issue.record("`\(line)` was taken")
      return
    }
  }

  @Test func anEndlessHeaderIsMalformed() {
    var parser = HeadParser()
    _ = parser.takeText("HTTP/1.1 200 OK")
    let line = "X: " + String(repeating: "x", count: 1_000)
    for _ in 0..<(HeadParser.maximumByteCount / 1_000) {
      if case .malformed = parser.takeText(line) { return }
    }
    Issue.record("it was taken")
  }

  @Test(
    arguments: [
      (["Content-Length": "10"], 10, true), (["Content-Length": "0"], 0, true),
      (["Content-Length": "-1"], nil, false),
      (["Content-Length": "1, 1"], nil, false), (["Content-Length": ""], nil, false),
      (["Content-Length": "99999999999999999999"], nil, false), ([:], nil, false),
      (["Content-Length": "10", "Transfer-Encoding": "chunked"], nil, true),
      (["Transfer-Encoding": "gzip, Chunked"], nil, true),
      (["Transfer-Encoding": "gzip"], nil, false),
    ] as [([String: String], Int64?, Bool)])
  func theLengthDelimitsTheBody(fields: [String: String], length: Int64?, isDelimited: Bool) {
    let head = ResponseHead(
      status: 200, fields: fields.map { HeaderField(name: $0.key, value: $0.value) })
    #expect(head.contentLength == length)
    #expect(head.delimitsBody == isDelimited)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectsSayWhere(status: Int) {
    var head = ResponseHead(status: status)
    #expect(head.redirectLocation == nil)
    head.fields = [HeaderField(name: "location", value: "/x")]
    #expect(head.redirectLocation == "/x")
    head.status = 200
    #expect(head.redirectLocation == nil)
  }
}

extension HeadParser {
  /// Takes a line that is given without its end.
  fileprivate mutating func takeText(_ line: String) -> Progress {
    let bytes = Array((line + "\r\n").utf8)
    return take(bytes.span)
  }
}
