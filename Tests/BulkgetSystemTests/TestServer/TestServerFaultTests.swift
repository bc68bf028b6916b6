import TestSupport
import Testing

/// Every fault that a script can ask for, seen from a client that understands nothing.
@Suite
struct TestServerFaultTests {
  private let body = Body.pseudoRandom(100_000)

  private func reply(to response: Response) throws -> PlainClient.Reply {
    try PlainClient.get("/a", from: TestServer(["/a": [.respond(response)]]))
  }

  @Test func sendsAWholeBodyWithItsLength() throws {
    let reply = try reply(to: Response(body: body))
    #expect(reply.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(reply.head.contains("\r\nContent-Length: 100000\r\n"))
    #expect(reply.body == body.bytes)
    #expect(reply.ending == .normal)
  }

  @Test(arguments: [0, 1, 70_000, 99_999, 100_000] as [Int64])
  func cutsAfterExactlySoManyBytesWithANormalClose(count: Int64) throws {
    let reply = try reply(to: Response(body: body).cut(after: count))
    #expect(reply.head.contains("\r\nContent-Length: 100000\r\n"))
    #expect(reply.body == body.bytes(0..<count))
    #expect(reply.ending == .normal)
  }

  @Test func resetsInsideTheBodyAfterTheClientGotItsBytes() throws {
    let reply = try reply(to: Response(body: body).reset(after: 70_000))
    #expect(reply.body == body.bytes(0..<70_000))
    #expect(reply.ending == .reset)
  }

  @Test func resetsBeforeTheHeader() throws {
    let reply = try reply(to: .resetBeforeHead)
    #expect(reply.bytes.isEmpty)
    #expect(reply.ending == .reset)
  }

  @Test func closesBeforeTheHeader() throws {
    let reply = try reply(to: .closeBeforeHead)
    #expect(reply.bytes.isEmpty)
    #expect(reply.ending == .normal)
  }

  @Test(arguments: [Response.Point.head(10), .body(0), .body(3), .end])
  func pausesAtEveryPoint(point: Response.Point) throws {
    let response = Response(body: "abcdef").chunked(3).adding(.pause(.milliseconds(1)), at: point)
      .adding(.close, at: point)
    let text = try reply(to: response).text
    switch point {
    case .head: #expect(text == "HTTP/1.1 2")
    case .body(0): #expect(text.hasSuffix("\r\n\r\n"))
    case .body: #expect(text.hasSuffix("\r\n\r\n3\r\nabc\r\n"))
    default: #expect(text.hasSuffix("def\r\n0\r\n\r\n"))
    }
  }

  @Test func endsAmidTheHeader() throws {
    let reply = try reply(to: Response(body: body).adding(.close, at: .head(20)))
    #expect(reply.bytes.count == 20)
    #expect(reply.text == "HTTP/1.1 200 OK\r\nDat")
  }

  @Test func sendsChunksToTheirEnd() throws {
    let reply = try reply(to: Response(body: "0123456789abcdef!").chunked(8))
    #expect(reply.head.contains("\r\nTransfer-Encoding: chunked\r\n"))
    #expect(!reply.head.contains("Content-Length"))
    #expect(
      String(decoding: reply.body, as: UTF8.self)
        == "8\r\n01234567\r\n8\r\n89abcdef\r\n1\r\n!\r\n0\r\n\r\n")
  }

  @Test func leavesOutTheLastChunk() throws {
    let reply = try reply(to: Response(body: "0123456789abcdef").chunked(8).cut(after: 16))
    #expect(
      String(decoding: reply.body, as: UTF8.self) == "8\r\n01234567\r\n8\r\n89abcdef\r\n")
  }

  @Test func cutsInsideAChunk() throws {
    let reply = try reply(to: Response(body: body).chunked(0x7000).cut(after: 3))
    #expect(reply.body == Array("7000\r\n".utf8) + body.bytes(0..<3) + [])
  }

  @Test func announcesALengthThatIsNotTrue() throws {
    let response = Response(body: "abc").announcing(10).closing(.announced)
    let reply = try reply(to: response)
    #expect(reply.head.contains("\r\nContent-Length: 10\r\n"))
    #expect(reply.body == Array("abc".utf8))
  }

  @Test func endsABodyWithNothingButTheConnection() throws {
    let reply = try reply(to: Response(body: "abc").framed(.untilClose))
    #expect(!reply.head.contains("Content-Length"))
    #expect(!reply.head.contains("chunked"))
    #expect(reply.body == Array("abc".utf8))
    #expect(reply.ending == .normal)
  }

  @Test func sendsSurplusBytes() throws {
    let reply = try reply(to: Response(body: "abc").followed(by: Array("xyz".utf8)))
    #expect(reply.head.contains("\r\nContent-Length: 3\r\n"))
    #expect(reply.body == Array("abcxyz".utf8))
  }

  @Test func sendsRawBytesAsTheyStand() throws {
    let bytes = Array("HTTP/1.1 500 \u{1b}[2J\r\nX: ".utf8) + [0, 0x9b] + Array("\r\n\r\n".utf8)
    #expect(try reply(to: .raw(bytes)).bytes == bytes)
  }

  @Test func sendsInterimResponsesFirst() throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    let reply = try reply(to: Response(body: "abc").preceded(by: interim))
    #expect(reply.text.hasPrefix(interim + "HTTP/1.1 200 OK\r\n"))
  }

  @Test func dripsHeaderAndBody() throws {
    let response = Response(body: "abcdef").dripping(2, every: .milliseconds(1))
      .drippingHead(7, every: .milliseconds(1))
    let reply = try reply(to: response)
    #expect(reply.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(reply.body == Array("abcdef".utf8))
  }

  @Test func answersHeadWithoutABody() throws {
    let server = try TestServer(["/a": [.respond(Response(body: body))]])
    let reply = try PlainClient.get("/a", from: server, method: "HEAD")
    #expect(reply.head.contains("\r\nContent-Length: 100000\r\n"))
    #expect(reply.body.isEmpty)
  }

  @Test(arguments: [204, 304]) func statusesWithoutABodySendNone(status: Int) throws {
    let reply = try reply(to: Response(status, body: "abc"))
    #expect(reply.body.isEmpty)
    #expect(!reply.head.contains("Content-Length"))
  }

  @Test func handsTheConnectionOver() throws {
    let reply = try reply(to: .takeover { try $0.send(Array("anything".utf8)) })
    #expect(reply.text == "anything")
  }
}
