import BulkgetSystem
import Testing

@Suite struct YAMLParserTests {
  /// The events of a text in short: `{`, `}`, `[`, `]`, `=plain`, `"quoted`, `*alias`, with `&anchor` and `<tag>`.
  private func events(_ text: String) throws -> [String] {
    try events(Array(text.utf8))
  }

  private func events(_ bytes: [UInt8]) throws -> [String] {
    let parser = try YAMLParser(bytes)
    var events: [String] = []
    while true {
      let event = try parser.next()
      if event.kind == .streamEnd { return events }
      events.append(short(event, parser))
    }
  }

  private func short(_ event: YAMLEvent, _ parser: YAMLParser) -> String {
    let marks = (event.tag.map { "<\($0)>" } ?? "")
    let name = event.anchor ?? ""
    let anchor = name.isEmpty ? "" : "&\(name) "
    return switch event.kind {
    case .documentStart: "---"
    case .documentEnd: "..."
    case .streamEnd: "end"
    case .alias: "*\(name)"
    case .sequenceStart: marks + anchor + "["
    case .sequenceEnd: "]"
    case .mappingStart: marks + anchor + "{"
    case .mappingEnd: "}"
    case .scalar: marks + anchor + (event.isPlain ? "=" : "\"") + text(event, parser)
    }
  }

  private func text(_ event: YAMLEvent, _ parser: YAMLParser) -> String {
    let bytes = event.isCopied ? parser.copiedText : parser.source
    return String(decoding: bytes[event.text], as: UTF8.self)
  }

  @Test func deliversCollectionsAndScalarsInTheirOrder() throws {
    #expect(
      try events("a: [b, 'c']\nd: {e: \"f\"}") == [
        "---", "{", "=a", "[", "=b", "\"c", "]", "=d", "{", "=e", "\"f", "}", "}", "...",
      ])
  }

  @Test func deliversAnchorsAliasesAndTags() throws {
    #expect(
      try events("a: &x [1]\nb: *x\nc: !!str 2\nd: &y 3\ne: !local {}") == [
        "---", "{", "=a", "&x [", "=1", "]", "=b", "*x", "=c", "<tag:yaml.org,2002:str>=2", "=d",
        "&y =3", "=e", "<!local>{", "}", "}", "...",
      ])
  }

  @Test func anEmptyTextHasNoDocument() throws {
    #expect(try events("") == [])
    #expect(try events("# nothing\n") == [])
  }

  @Test func theEndOfTheStreamComesAgainAndAgain() throws {
    let parser = try YAMLParser(Array("a".utf8))
    while try parser.next().kind != .streamEnd {}
    #expect(try parser.next().kind == .streamEnd)
    #expect(try parser.next().kind == .streamEnd)
  }

  @Test func afterAnErrorTheStreamHasEnded() throws {
    let parser = try YAMLParser(Array("a: [".utf8))
    #expect(throws: YAMLError.self) {
      while try parser.next().kind != .streamEnd {}
    }
    #expect(try parser.next().kind == .streamEnd)
  }

  @Test(arguments: [
    ("plain text", false), ("'single'", false), ("\"double\"", false), ("'it''s'", true),
    ("\"a\\tb\"", true), ("two\n lines", true), ("|\n block\n", true), ("&a anchored", true),
    ("日本語", false), ("'日本語'", false),
  ])
  func onlyWhatDoesNotStandInTheSourceIsCopied(source: String, isCopied: Bool) throws {
    let parser = try YAMLParser(Array(source.utf8))
    _ = try parser.next()
    #expect(try parser.next().isCopied == isCopied)
    #expect(parser.copiedText.isEmpty == !isCopied)
  }

  @Test(arguments: [
    ("'it''s'", "it's"), ("\"a\\tb\\u00e9\\/\"", "a\tb\u{e9}/"), ("two\n lines", "two lines"),
    ("|\n block\n more\n", "block\nmore\n"), (">-\n folded\n text\n", "folded text"),
    ("&a anchored", "anchored"),
  ])
  func copiedTextsAreWhatYAMLSays(source: String, expected: String) throws {
    let parser = try YAMLParser(Array(source.utf8))
    _ = try parser.next()
    let event = try parser.next()
    #expect(text(event, parser) == expected)
  }

  @Test func offsetsCountBytesAlsoBehindLettersOfSeveralBytes() throws {
    let source = "é: 日本\nb: '😀'\nc: d"
    let parser = try YAMLParser(Array(source.utf8))
    var offsets: [Int] = []
    while true {
      let event = try parser.next()
      if event.kind == .streamEnd { break }
      if event.kind == .scalar { offsets.append(event.offset) }
    }
    #expect(offsets == [0, 4, 11, 14, 21, 24])
  }

  @Test func aByteOrderMarkBelongsToNoText() throws {
    let parser = try YAMLParser([0xEF, 0xBB, 0xBF] + Array("a: é".utf8))
    _ = try parser.next()
    #expect(try parser.next().offset == 3)
    let key = try parser.next()
    #expect(text(key, parser) == "a")
    let value = try parser.next()
    #expect(value.offset == 6)
    #expect(text(value, parser) == "é")
  }

  @Test(arguments: ["a: 1\nb: 2\n", "a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r", "a: 1\nb: 2"])
  func everyLineEndIsTheSame(source: String) throws {
    #expect(try events(source) == ["---", "{", "=a", "=1", "=b", "=2", "}", "..."])
  }

  @Test func aSourceOfManyPiecesIsReadWhole() throws {
    let item = "- " + String(repeating: "é", count: 5000) + "\n"
    let parser = try YAMLParser(Array(String(repeating: item, count: 40).utf8))
    var count = 0
    while true {
      let event = try parser.next()
      if event.kind == .streamEnd { break }
      if event.kind != .scalar { continue }
      count += 1
      #expect(event.text.count == 10_000)
    }
    #expect(count == 40)
  }
}
