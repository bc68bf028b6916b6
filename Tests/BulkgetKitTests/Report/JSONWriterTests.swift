import BulkgetKit
import Foundation
import Testing

@Suite struct JSONWriterTests {
  private struct Refusal: Error {}

  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var chunks = Chunks()
    var writer = JSONWriter()
    body(&writer)
    writer.finish { chunks.append(copy $0) }
    return chunks.text
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("", #""""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
    ("\u{1B}[2J", #""\u001b[2J""#), ("\0\u{1F}", #""\u0000\u001f""#), ("\u{7F}", #""\u007f""#),
    ("\u{80}\u{9B}\u{9F}", #""\u0080\u009b\u009f""#), ("\u{A0}é", "\"\u{A0}é\""),
    ("\u{2028}\u{2029}\u{202E}€", #""\u2028\u2029\u202e€""#), ("日本🚀", #""日本🚀""#),
    ("\u{61C}\u{FEFF}\u{FFFE}\u{FFFF}", #""\u061c\ufeff\ufffe\uffff""#),
  ])
  func B071_controlCharactersAreEscaped(text: String, json: String) {
    #expect(written { $0.value(text) } == json + "\n")
  }

  @Test func everyCharacterIsReadBackAsItWas() throws {
    let text = String(
      String.UnicodeScalarView((0...0x10000).compactMap { Unicode.Scalar(UInt32($0)) }))
    let json = written { writer in
      writer.beginArray()
      writer.value(text)
      writer.endArray()
    }
    let read = try JSONDecoder().decode([String].self, from: Data(json.utf8))
    #expect(read == [text])
  }

  @Test func numbersAreExact() {
    let json = written { writer in
      writer.beginArray()
      writer.value(Int64.max)
      writer.value(Int64.min)
      writer.value(4_294_967_303)
      writer.value(Int64(0))
      writer.endArray()
    }
    #expect(json == "[9223372036854775807, -9223372036854775808, 4294967303, 0]\n")
  }

  @Test(arguments: [
    (Duration.zero, "0"), (.seconds(5), "5"), (.milliseconds(1234), "1.234"),
    (.milliseconds(10), "0.01"), (.microseconds(412), "0.000412"), (.nanoseconds(999), "0"),
    (.milliseconds(-1500), "-1.5"), (.milliseconds(-10), "-0.01"),
    (.seconds(86_400_000), "86400000"),
  ])
  func durationsAreSeconds(duration: Duration, json: String) {
    #expect(written { $0.value(duration) } == json + "\n")
  }

  @Test func layoutsNest() {
    let json = written { writer in
      writer.beginObject(.lines)
      writer.member("a", 1)
      writer.key("b")
      writer.beginObject()
      writer.member("c", true)
      writer.member("d", nil as String?)
      writer.endObject()
      writer.key("e")
      writer.beginArray(.lines)
      writer.beginArray()
      writer.value(Int64(1))
      writer.value("x")
      writer.endArray()
      writer.beginObject()
      writer.endObject()
      writer.endArray()
      writer.key("f")
      writer.beginArray(.lines)
      writer.endArray()
      writer.member("g", nil as Int64?)
      writer.endObject()
    }
    #expect(
      json == """
        {
          "a": 1,
          "b": {"c": true, "d": null},
          "e": [
            [1, "x"],
            {}
          ],
          "f": [],
          "g": null
        }

        """)
  }

  @Test func chunksStaySmall() {
    var chunks = Chunks()
    var writer = JSONWriter(chunk: 1024)
    writer.beginArray(.lines)
    for index in 0..<10_000 {
      writer.value(Int64(index))
      writer.flushIfFull { chunks.append(copy $0) }
    }
    writer.endArray()
    writer.finish { chunks.append(copy $0) }
    #expect(chunks.sizes.count > 40)
    #expect(chunks.sizes.allSatisfy { $0 < 1100 })
  }

  @Test func whatTheSinkThrowsComesOut() {
    var writer = JSONWriter()
    writer.value("x")
    #expect(throws: Refusal.self) {
      try writer.finish { (_) throws(Refusal) in throw Refusal() }
    }
  }
}

/// Collects what a writer hands over.
struct Chunks {
  private(set) var bytes: [UInt8] = []
  private(set) var sizes: [Int] = []
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ chunk: [UInt8]) {
    bytes += chunk
    sizes.append(chunk.count)
  }
}
