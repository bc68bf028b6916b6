import Testing

@testable import BulkgetCLI

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("bücher", 6), ("日本", 4), ("ｗｉｄｅ", 8), ("e\u{301}", 1), ("한글", 4),
    ("👍", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("a\u{200B}b", 2), ("ﾊﾝ", 2),
    ("กำ", 1), ("𠀀", 2), ("\u{301}", 0), ("soft\u{AD}hyphen", 11), ("…", 1),
  ])
  func columnsAreCountedAsATerminalDoes(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test func paddingFillsUpAndNeverCuts() {
    #expect(DisplayWidth.padded("日", to: 4) == "日  ")
    #expect(DisplayWidth.leftPadded("日", to: 4) == "  日")
    #expect(DisplayWidth.padded("long", to: 2) == "long")
    #expect(DisplayWidth.leftPadded("long", to: 2) == "long")
  }
}
