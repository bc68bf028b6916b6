import BulkgetKit
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("a\u{1B}[2J", "a\\u001b[2J"), ("\0\t\r\n", "\\u0000\\u0009\\u000d\\u000a"),
    ("\u{7F}\u{9B}", "\\u007f\\u009b"),
    ("\u{202E}\u{2066}\u{200F}\u{2028}\u{FEFF}", "\\u202e\\u2066\\u200f\\u2028\\ufeff"),
    ("plain é 日本 😀", "plain é 日本 😀"), ("", ""),
  ])
  func whatMovesTheCursorIsEscaped(text: String, escaped: String) {
    #expect(PrintableText.escaped(text) == escaped)
    #expect(PrintableText.escaped(escaped) == escaped)
  }

  @Test func longTextsAreCut() {
    #expect(PrintableText.shown("abcdef", limit: 6) == "abcdef")
    #expect(PrintableText.shown("abcdefg", limit: 6) == "abcdef…")
    #expect(PrintableText.shown("\u{1B}bcdefg", limit: 2) == "\\u001bb…")
    #expect(PrintableText.shown(String(repeating: "é", count: 100)).count == 81)
  }

  @Test(arguments: [
    ("a", 1), ("é", 1), ("\u{301}", 0), ("日", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("😀", 2),
    ("\u{200D}", 0), ("→", 1), ("あ", 2),
    ("𠀀", 2),
  ])
  func widthsAreThoseOfATerminal(text: String, count: Int) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(PrintableText.columnCount(scalar) == count)
  }
}
