import TestSupport
import Testing

/// The rules of RFC 9110 that a correct server follows, and each way of not following them.
@Suite
struct ResourceTests {
  private let body = Body.pseudoRandom(10_000)
  private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func resource(_ change: (inout Resource) -> Void = { _ in }) -> Resource {
    Resource(body, etag: "\"v1\"", lastModified: date).with(change)
  }

  private func reply(
    _ resource: Resource, _ fields: [Field] = [], method: String = "GET"
  ) throws -> PlainClient.Reply {
    let server = try TestServer(["/a": [.file(resource)]])
    return try PlainClient.get("/a", from: server, fields, method: method)
  }

  @Test func sendsEverythingWithItsValidators() throws {
    let reply = try reply(resource())
    #expect(reply.head.hasPrefix("HTTP/1.1 200 "))
    for line in ["ETag: \"v1\"", "Last-Modified: \(date)", "Accept-Ranges: bytes"] {
      #expect(reply.head.contains("\r\n\(line)\r\n"))
    }
    #expect(reply.head.contains("\r\nDate: "))
    #expect(reply.body == body.bytes)
  }

  @Test(
    arguments: [
      ("bytes=4000-", 4_000, 9_999), ("bytes=0-0", 0, 0), ("bytes=9999-20000", 9_999, 9_999),
      ("bytes=-10", 9_990, 9_999), ("bytes=5-9,20-30", 5, 9),
    ] as [(String, Int64, Int64)])
  func honoursARange(range: String, first: Int64, last: Int64) throws {
    let reply = try reply(resource(), [Field("Range", range)])
    #expect(reply.head.hasPrefix("HTTP/1.1 206 "))
    #expect(reply.head.contains("\r\nContent-Range: bytes \(first)-\(last)/10000\r\n"))
    #expect(reply.body == body.bytes(first..<last + 1))
  }

  @Test(arguments: ["bytes=10000-", "bytes=20000-30000"])
  func aRangeBehindTheEndIsNotSatisfiable(range: String) throws {
    let reply = try reply(resource(), [Field("Range", range)])
    #expect(reply.head.hasPrefix("HTTP/1.1 416 "))
    #expect(reply.head.contains("\r\nContent-Range: bytes */10000\r\n"))
    #expect(reply.body.isEmpty)
  }

  @Test(arguments: ["items=0-1", "bytes=x-", "bytes=5-2", "bytes=7"])
  func aRangeThatIsNotUnderstoodIsIgnored(range: String) throws {
    #expect(try reply(resource(), [Field("Range", range)]).head.hasPrefix("HTTP/1.1 200 "))
  }

  @Test(arguments: [
    ("\"v1\"", 206), ("\"v0\"", 200), ("W/\"v1\"", 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 206),
    ("Mon, 07 Nov 1994 08:49:37 GMT", 200),
  ])
  func ifRangeDecidesBetweenPartAndWhole(validator: String, status: Int) throws {
    let reply = try reply(
      resource(), [Field("Range", "bytes=1-"), Field("If-Range", validator)])
    #expect(reply.head.hasPrefix("HTTP/1.1 \(status) "))
  }

  @Test func aWeakTagNeverMatchesIfRange() throws {
    let fields = [Field("Range", "bytes=1-"), Field("If-Range", "W/\"v1\"")]
    let reply = try reply(resource { $0.etag = "W/\"v1\"" }, fields)
    #expect(reply.head.hasPrefix("HTTP/1.1 200 "))
  }

  @Test(arguments: [
    ("If-None-Match", "\"v1\"", 304), ("If-None-Match", "W/\"v1\"", 304),
    ("If-None-Match", "\"v0\", \"v1\"", 304), ("If-None-Match", "*", 304),
    ("If-None-Match", "\"v0\"", 200), ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 304),
    ("If-Modified-Since", "Sat, 05 Nov 1994 08:49:37 GMT", 200),
  ])
  func conditionsAreHonoured(name: String, value: String, status: Int) throws {
    let reply = try reply(resource(), [Field(name, value)])
    #expect(reply.head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(reply.body == (status == 304 ? [] : body.bytes))
  }

  @Test func anEntityTagOutranksADate() throws {
    let fields = [Field("If-None-Match", "\"v0\""), Field("If-Modified-Since", date)]
    #expect(try reply(resource(), fields).head.hasPrefix("HTTP/1.1 200 "))
  }

  @Test func headIsAGetWithoutABody() throws {
    let reply = try reply(resource(), method: "HEAD")
    #expect(reply.head.hasPrefix("HTTP/1.1 200 "))
    #expect(reply.head.contains("\r\nContent-Length: 10000\r\n"))
    #expect(reply.body.isEmpty)
  }

  @Test func otherMethodsAreNotAllowed() throws {
    let reply = try reply(resource(), method: "DELETE")
    #expect(reply.head.hasPrefix("HTTP/1.1 405 "))
    #expect(reply.head.contains("\r\nAllow: GET, HEAD\r\n"))
  }

  @Test func rangesCanBeIgnoredThoughTheyAreAnnounced() throws {
    let reply = try reply(resource { $0.honoursRanges = false }, [Field("Range", "bytes=1-")])
    #expect(reply.head.hasPrefix("HTTP/1.1 200 "))
    #expect(reply.head.contains("\r\nAccept-Ranges: bytes\r\n"))
    let silent = try self.reply(resource { $0.announcesRanges = false })
    #expect(!silent.head.contains("Accept-Ranges"))
  }

  @Test func ifRangeCanBeIgnored() throws {
    let fields = [Field("Range", "bytes=1-"), Field("If-Range", "\"v0\"")]
    let reply = try reply(resource { $0.honoursIfRange = false }, fields)
    #expect(reply.head.hasPrefix("HTTP/1.1 206 "))
  }

  @Test func conditionsCanBeIgnored() throws {
    let fields = [Field("If-None-Match", "\"v1\"")]
    let reply = try reply(resource { $0.honoursConditions = false }, fields)
    #expect(reply.head.hasPrefix("HTTP/1.1 200 "))
  }

  @Test func contentRangeCanBeWrongOrMissing() throws {
    let fields = [Field("Range", "bytes=4000-")]
    let wrong = try reply(resource { $0.contentRange = .literal("bytes 0-9/10000") }, fields)
    #expect(wrong.head.contains("\r\nContent-Range: bytes 0-9/10000\r\n"))
    let missing = try reply(resource { $0.contentRange = .absent }, fields)
    #expect(missing.head.hasPrefix("HTTP/1.1 206 "))
    #expect(!missing.head.contains("Content-Range"))
  }

  @Test func aRangeCanCarryOtherBytes() throws {
    let reply = try reply(resource { $0.rangeBody = "other" }, [Field("Range", "bytes=4000-")])
    #expect(reply.body == Array("other".utf8))
  }
}
