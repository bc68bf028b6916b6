import BulkgetSystem
import Testing

@Suite struct YAMLErrorTests {
  /// The error that reading a text to its end meets.
  private func error(_ bytes: [UInt8]) throws -> YAMLError? {
    do throws(YAMLError) {
      let parser = try YAMLParser(bytes)
      while try parser.next().kind != .streamEnd {}
      return nil
    } catch {
      return error
    }
  }

  private func error(_ text: String) throws -> YAMLError? { try error(Array(text.utf8)) }

  @Test(arguments: [
    ("a: b: c", "a `key: value` cannot begin here", 4),
    ("a: [1, 2", "the `[` opened here is never closed", 3),
    ("a: {b: 2", "the `{` opened here is never closed", 3),
    ("a: {b: 1]", "a `,` or the closing `}` is missing", 8),
    ("a: [b}", "a `,` or the closing `]` is missing", 5),
    ("a: \"b", "the closing quote is missing", 3),
    ("a: 'b", "the closing quote is missing", 3),
    ("a: \"b\n---\n\"", "a document ends inside a quoted text", 3),
    ("a: 1\n b: 2", "a `key: value` cannot begin here", 7),
    ("a:\n  - b\n c: 1", "the indentation fits no key before it", 10),
    ("- a\nb: c", "the indentation fits no item of the list before it", 4),
    ("a:\n    b: 1\n  c: 2", "the indentation fits no key before it", 14),
    ("a: \"\\q\"", "a backslash before this character has no meaning between double quotes", 4),
    ("a: \"\\u12\"", "an escape needs hexadecimal digits", 6),
    ("a: \"\\uD83D\"", "`\\uD83D` is one half of a surrogate pair without the other", 4),
    ("a: \"\\uDE00\\uD83D\"", "`\\uDE00` is one half of a surrogate pair without the other", 4),
    ("a: @b", "a text cannot begin with @ in YAML", 3),
    ("a: `b", "a text cannot begin with ` in YAML", 3),
    ("a: %b", "a text cannot begin with % in YAML", 3),
    ("a: *", "an anchor or alias needs a name", 3),
    ("a: | text", "a text cannot begin on the line of `|` or `>`", 5),
    ("%YAML 3.0\n---\na: 1", "only YAML 1.1 and 1.2 can be read", 0),
    ("a: !x!y 1", "the tag's prefix is not declared", 3),
    ("a: 1\nb\nc: 2", "a colon is missing after this key", 5),
  ])
  func everyMistakeIsSaidInPlainWordsAtItsPlace(
    source: String, message: String, offset: Int
  ) throws {
    let error = try #require(try error(source))
    #expect(error.message == message)
    #expect(error.offset == offset)
    #expect(error.description == message)
  }

  @Test(arguments: ["a:\n\tb: 1", "a:\n  b: 1\n\tc: 2", "\ta: 1", "a: 1\n \tb: 2"])
  func B100_anIndentingTabIsCalledATab(source: String) throws {
    let error = try #require(try error(source))
    #expect(error.message == "a tab cannot indent a line of YAML")
    #expect(error.hint == "indent with spaces")
    #expect(Array(source.utf8)[error.offset] == 0x09)
  }

  @Test(arguments: ["{url: ${base}/x}", "[a, ${b}]", "a: {b: 1, url: ${base}/x}"])
  func aTemplateInAFlowCollectionIsToBeQuoted(source: String) throws {
    let error = try #require(try error(source))
    #expect(error.message == "a text with `${…}` needs quotes between `{` and `}` or `[` and `]`")
    #expect(error.hint == "quote it, as in `{url: \"${base}/x\"}`")
    #expect(Array(source.utf8)[error.offset] == UInt8(ascii: "$"))
  }

  @Test(
    arguments: [
      ([0x61, 0x3A, 0x20, 0xFF], 3), ([0x61, 0x3A, 0x20, 0xC3, 0x28], 3), ([0x9B, 0x61], 0),
      ([0x61, 0x20, 0xED, 0xA0, 0x80], 2), ([0x61, 0xC3], 1),
    ] as [([UInt8], Int)])
  func invalidUTF8IsRefusedWithItsPlace(bytes: [UInt8], offset: Int) throws {
    let error = try #require(try error(bytes))
    #expect(error.message == "a byte here is not valid UTF-8")
    #expect(error.offset == offset)
  }

  @Test(
    arguments: [
      ([0x61, 0x1B, 0x5B], 1), ([0x61, 0x61, 0x00], 2), ([0x61, 0xC2, 0x9B], 1), ([0x61, 0x7F], 1),
    ] as [([UInt8], Int)])
  func B071_controlCharactersAreRefusedWithTheirPlace(bytes: [UInt8], offset: Int) throws {
    let error = try #require(try error(bytes))
    #expect(error.message == "a control character is not allowed here")
    #expect(error.offset == offset)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x61, 0x00, 0x3A, 0x00],
      [0x00, 0x61, 0x00, 0x3A], [0xFF, 0xFE, 0x00, 0x00],
    ] as [[UInt8]])
  func wideEncodingsAreRefusedByName(bytes: [UInt8]) throws {
    let error = try #require(try error(bytes))
    #expect(error.message == "the text is not UTF-8 but looks like UTF-16 or UTF-32")
    #expect(error.hint == "save the manifest as UTF-8")
  }

  @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}"])
  func lineSeparatorsOfYAML11AreRefused(separator: String) throws {
    let error = try #require(try error("a: b" + separator + "c"))
    #expect(error.message.hasPrefix("the line separator U+"))
    #expect(error.offset == 4)
  }

  @Test func linesWithPercentSignsAreLimited() throws {
    let few = (0..<60).map { "%TAG !a\($0)! tag:x\n" }.joined() + "--- a"
    #expect(try error(few) == nil)
    let many = (0..<50_000).map { "%TAG !a\($0)! tag:x\n" }.joined() + "--- a"
    #expect(try error(many)?.message == "more than 64 lines begin with `%`")
  }
}
