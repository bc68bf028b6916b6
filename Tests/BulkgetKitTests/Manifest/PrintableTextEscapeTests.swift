import Testing

@testable import BulkgetKit

struct PrintableTextEscapeTests {
  @Test(arguments: [
    ("\u{1B}[2J", "\\u001b[2J"), ("\u{1B}]0;X\u{7}", "\\u001b]0;X\\u0007"),
    ("a\rb\nc\td", "a\\u000db\\u000ac\\u0009d"),
    ("\u{0}", "\\u0000"), ("\u{7F}", "\\u007f"), ("\u{9B}31m", "\\u009b31m"), ("\u{80}", "\\u0080"),
    ("a\r\nb", "a\\u000d\\u000ab"), ("\u{202E}gpj.exe", "\\u202egpj.exe"),
    ("\u{2066}x\u{2069}", "\\u2066x\\u2069"),
    ("\u{200F}\u{61C}", "\\u200f\\u061c"), ("\u{2028}\u{2029}", "\\u2028\\u2029"),
    ("\u{FEFF}a", "\\ufeffa"), ("e\u{301}\u{1B}", "e\u{301}\\u001b"),
  ])
  func B071_whatATerminalWouldObeyIsShownInstead(_ text: String, _ expected: String) {
    #expect(PrintableText.escaped(text) == expected)
  }

  @Test(arguments: [
    "", "plain text ~!\\", "bücher", "日本語", "👩‍👩‍👧 🇩🇪", "naïve\u{A0}word", "Ω ≤ ∞ “quotes” … –",
    "עברית العربية", "\u{FFFD}", "２", "e\u{301}",
  ])
  func otherTextStaysAsItIs(_ text: String) {
    #expect(PrintableText.escaped(text) == text)
  }

  @Test func nothingThatIsEscapedIsLeft() {
    let scalars = (0...0x2100).compactMap(Unicode.Scalar.init)
    let text = PrintableText.escaped(String(String.UnicodeScalarView(scalars)))
    let bad = text.unicodeScalars.filter {
      $0.properties.generalCategory == .control || $0.properties.generalCategory == .lineSeparator
        || $0.properties.generalCategory == .paragraphSeparator
    }
    #expect(bad.isEmpty)
  }
}
