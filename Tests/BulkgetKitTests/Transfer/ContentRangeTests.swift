import Testing

@testable import BulkgetKit

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-9/10", 0, 9, 10), ("bytes 5-9/*", 5, 9, nil), ("bytes */10", nil, nil, 10),
      ("BYTES 0-0/1", 0, 0, 1),
      ("bytes  4294967296-6000000000/6000000001", 4_294_967_296, 6_000_000_000, 6_000_000_001),
    ] as [(String, Int64?, Int64?, Int64?)])
  func whatTheStandardAllowsIsRead(text: String, first: Int64?, last: Int64?, total: Int64?) throws
  {
    let range = try #require(ContentRange(text))
    #expect(range.first == first && range.last == last && range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes 0-9", "bytes=0-9/10", "bytes 0-9/10/11", "bytes 9-0/10",
    "bytes 0-10/10", "bytes */*",
    "bytes -9/10", "bytes 0-/10", "bytes 0-9/", "bytes 0-9/x", "bytes 0x0-9/10", "bytes +0-9/10",
    "bytes 0 - 9/10",
    "items 0-9/10", "bytes 0-9/99999999999999999999", "bytes 0-9-10/20",
  ])
  func anythingElseIsNot(text: String) {
    #expect(ContentRange(text) == nil)
  }
}
