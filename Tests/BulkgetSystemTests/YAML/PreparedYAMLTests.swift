import Testing

@testable import BulkgetSystem

@Suite struct PreparedYAMLTests {
  /// The texts of all scalars.
  private func scalars(_ text: String) throws -> [String] {
    let parser = try YAMLParser(Array(text.utf8))
    var scalars: [String] = []
    while true {
      let event = try parser.next()
      if event.kind == .streamEnd { return scalars }
      guard event.kind == .scalar else { continue }
      let bytes = event.isCopied ? parser.copiedText : parser.source
      scalars.append(String(decoding: bytes[event.text], as: UTF8.self))
    }
  }

  @Test(arguments: [
    "a: 1\n\t# comment\nb: 2", "a: 1\n  \t # comment\nb: 2", "a: 1\n\t\nb: 2", "a: 1\n \t \nb: 2",
    "\t# comment\na: 1\nb: 2", "a: 1\nb: 2\n\t", "a: 1\n\t#\r\nb: 2", "a: 1\r\t# x\rb: 2",
  ])
  func B100_tabsAheadOfCommentsAndOnEmptyLinesAreLegal(source: String) throws {
    #expect(try scalars(source) == ["a", "1", "b", "2"])
  }

  @Test func tabsInsideBlocksStay() throws {
    #expect(
      try scalars("a: |\n  x\n  \t# y\n  \t\n  z\n\t# comment\nb: 2\n") == [
        "a", "x\n\t# y\n\t\nz\n", "b", "2",
      ])
  }

  @Test(arguments: ["|", ">", "|-", ">+", "|2", "|2- # comment"])
  func everyHeaderBeginsABlock(header: String) throws {
    let texts = try scalars("a: \(header)\n  x\n  \t# y\n\t# comment\nb: 2\n")
    #expect(texts[1].hasPrefix("x"))
    #expect(texts[1].contains("\t# y"))
    #expect(texts.suffix(2) == ["b", "2"])
  }

  @Test func tabsThatSeparateStay() throws {
    #expect(try scalars("a:\tb\nc: 'd\te'\n\t# x\n") == ["a", "b", "c", "d\te"])
  }

  @Test func aLineOfAQuotedTextMayBeginWithATab() throws {
    #expect(try scalars("a: \"x\n\t# y\n\n\tz\"\n\t# comment\n") == ["a", "x # y\nz"])
  }

  @Test func nothingIsReplacedWhereNothingHasTo() throws {
    #expect(try PreparedYAML(Array("a: b\n".utf8)).replacement == nil)
    #expect(try PreparedYAML(Array("a:\tb\n".utf8)).replacement == nil)
  }

  @Test(
    arguments: [
      (#""\uD83D\uDE00""#, "😀"), (#""a\uD83D\uDE00b\uD83D\uDE01""#, "a😀b😁"),
      (#""\ud83d\ude00""#, "😀"), (#""\\\uD83D\uDE00""#, "\\😀"),
      (#"'\uD83D\uDE00'"#, #"\uD83D\uDE00"#), (#"\uD83D\uDE00"#, #"\uD83D\uDE00"#),
      ("|\n  \\uD83D\\uDE00\n", "\\uD83D\\uDE00\n"), (#""\\uD83D\\uDE00""#, #"\uD83D\uDE00"#),
      (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\uD800\uDC00""#, "\u{10000}"),
    ] as [(String, String)])
  func surrogatePairsAreCharactersBetweenDoubleQuotesOnly(source: String, expected: String) throws {
    #expect(try scalars("a: \(source)\nb: \"\\uD83D\\uDE02\"") == ["a", expected, "b", "😂"])
  }

  @Test func positionsBehindASurrogatePairAreRight() throws {
    let parser = try YAMLParser(Array(#"{"a": "\uD83D\uDE00", "b": 1}"#.utf8))
    var offsets: [Int] = []
    while true {
      let event = try parser.next()
      if event.kind == .streamEnd { break }
      if event.kind == .scalar { offsets.append(event.offset) }
    }
    #expect(offsets == [1, 6, 22, 27])
  }

  @Test(arguments: [
    "\\uFDD0", "\\ufdd0", String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self),
  ])
  func whatStandsInForAPairIsRefusedBesideOne(text: String) throws {
    let error = #expect(throws: YAMLError.self) {
      try PreparedYAML(Array("a: \"\(text)\"\nb: \"\\uD83D\\uDE00\"".utf8))
    }
    #expect(error?.message == "U+FDD0 is no character")
    #expect(error?.offset == 4)
    #expect(try PreparedYAML(Array("a: \"\(text)\"".utf8)).replacement == nil)
  }

  @Test func aPairInACommentDoesNoHarm() throws {
    #expect(try scalars("# \\uD83D\\uDE00\na: \"\\uD83D\\uDE00\"") == ["a", "😀"])
  }

  @Test func theBytesOfTheSourceStayWhatTheyAre() throws {
    let source = Array("a: \"\\uD83D\\uDE00\"\n\t# x\n".utf8)
    #expect(try YAMLParser(source).source == source)
    #expect(try PreparedYAML(source).replacement?.count == source.count)
  }
}
