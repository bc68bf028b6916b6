import BulkgetKit
import Testing

@Suite struct ManifestErrorTests {
  @Test func anErrorShowsTheLineACaretAndAHint() {
    #expect(
      errorText("files:\n  - id: a\n    url: x\n    sha256: 1234\n    ulr: y\n")
        == """
        error: m.yaml:4:13: `sha256` must be 64 hexadecimal digits, found 4
          4 |     sha256: 1234
            |             ^
        error: m.yaml:5:5: an entry has no key `ulr`
          5 |     ulr: y
            |     ^
        hint: did you mean `url`?
        """)
  }

  @Test func lineNumbersOfAnyWidthAreAligned() {
    let text = "files:\n" + String(repeating: "\n", count: 998) + "  - id: a"
    #expect(
      errorText(text)
        == """
        error: m.yaml:1000:5: `url` is missing
          1000 |   - id: a
               |     ^
        hint: each entry needs `url` or `urls`
        """)
  }

  @Test(arguments: [
    ("x-a: 1\n日本: x", "  2 | 日本: x\n    | ^"),
    ("{日本語: 1, files: a}", "  1 | {日本語: 1, files: a}\n    |                    ^"),
    ("{e\u{301}: 1, files: a}", "  1 | {e\u{301}: 1, files: a}\n    |               ^"),
    ("{x-a:\t1,\tfiles: a}", "  1 | {x-a: 1, files: a}\n    |                 ^"),
    ("{x-😀: 1, files: a}", "  1 | {x-😀: 1, files: a}\n    |                  ^"),
  ])
  func theCaretPointsRightBehindTabsAndWideLetters(text: String, excerpt: String) {
    #expect(errorText(text).contains(excerpt), "\(errorText(text))")
  }

  @Test func columnsCountCharacters() {
    #expect(problems("{x-日本: 1, files: a}") == ["1:18 `files` wants a list"])
    #expect(problems("{x-😀: 1, files: a}") == ["1:17 `files` wants a list"])
    #expect(problems("\u{FEFF}{files: a}") == ["1:9 `files` wants a list"])
  }

  @Test func longLinesAreCutAroundTheCaret() {
    let filler = String(repeating: "a", count: 5000)
    let text = errorText("{x-a: \(filler), files: 1, x-b: \(filler)}")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("  1 | …aaa"))
    #expect(lines[1].hasSuffix("aaa…"))
    #expect(lines[1].unicodeScalars.count <= 130)
    let caret = lines[2].unicodeScalars.count - 1
    #expect(Array(lines[1].unicodeScalars)[caret] == "1")
  }

  @Test func anErrorAtTheEndOfTheTextHasACaretThere() {
    #expect(
      errorText("files: [{id: a, url: x")
        == """
        error: m.yaml:1:9: the `{` opened here is never closed
          1 | files: [{id: a, url: x
            |         ^
        """)
    #expect(errorText("files:").contains("  1 | files:\n    |       ^"))
  }

  @Test func syntaxErrorsHaveTheSameForm() {
    #expect(
      errorText("files:\n- {id: a, url: ${base}/x}\n")
        == """
        error: m.yaml:2:16: a text with `${…}` needs quotes between `{` and `}` or `[` and `]`
          2 | - {id: a, url: ${base}/x}
            |                ^
        hint: quote it, as in `{url: "${base}/x"}`
        """)
  }

  @Test func bytesThatAreNoTextAreShownAsEscapes() {
    let printed = errorText(Array("files: # ".utf8) + [0xFF, 0x0A])
    #expect(printed.contains("  1 | files: # \\xff\n    |          ^"), "\(printed)")
  }

  @Test func tooManyProblemsAreCounted() {
    let lines = (0..<10_500).map { "- {id: \($0), url: x, size: y}" }
    let error = #expect(throws: ManifestError.self) {
      try manifest("files:\n" + lines.joined(separator: "\n"))
    }
    #expect(error?.problems.count == 10_001)
    #expect(error?.problems.last?.message == "500 more problems are left out")
  }

  @Test func messagesQuoteAtMostEightyCharacters() {
    let name = String(repeating: "k", count: 500)
    #expect(
      problems(entryText("\(name): x"))[0]
        == "4:5 an entry has no key `\(String(repeating: "k", count: 80))…`")
  }
}
