import BulkgetKit
import Testing

@Suite struct ManifestDuplicateTests {
  @Test(arguments: [
    ("files: []\nfiles: []", "2:1 the key `files` is already given, at line 1, column 1"),
    (
      "files:\n- id: a\n  url: x\n  url: y",
      "4:3 the key `url` is already given, at line 3, column 3"
    ),
    (
      "files: [{id: a, url: x, \"url\": y}]",
      "1:25 the key `url` is already given, at line 1, column 17"
    ),
    ("files: []\nx-a: {b: 1, b: 2}", "2:13 the key `b` is already given, at line 2, column 7"),
    (
      "files: []\nx-a: [{<<: {a: 1}, <<: {b: 2}}]",
      "2:20 the key `<<` is already given, at line 2, column 8"
    ),
  ])
  func B095_theSameKeyTwiceIsRefusedWithBothPositions(text: String, problem: String) {
    #expect(problems(text).contains(problem))
  }

  @Test func B095_aDigestTwiceIsRefusedEvenWhenEqual() {
    let digits = String(repeating: "0", count: 64)
    #expect(
      problems(entryText("sha256: \(digits)\nsha256: \(digits)")) == [
        "5:5 the key `sha256` is already given, at line 4, column 5"
      ])
  }

  @Test func B095_headersThatDifferOnlyInLetterCaseAreRefused() {
    #expect(
      problems(entryText("headers:\n  Accept: a\n  ACCEPT: b")) == [
        "6:7 the header `ACCEPT` is already given: letter case makes no difference, at line 5, column 7"
      ])
  }

  @Test func aKeyIsFoundAmongMany() {
    let lines = (0..<5000).map { "  v\($0): x" } + ["  v17: y"]
    #expect(
      problems("variables:\n" + lines.joined(separator: "\n") + "\nfiles: []") == [
        "5002:3 the key `v17` is already given, at line 19, column 3"
      ])
  }

  @Test func keysInTwoUnicodeFormsAreTwoKeys() {
    #expect(problems("x-a: {\u{E9}: 1, e\u{301}: 2}\nfiles: []") == [])
  }

  @Test func aKeyIsAText() {
    #expect(problems("? [a]\n: b\nfiles: []") == ["1:3 a key must be a text"])
  }

  @Test func B104_theSameIDIsRefusedWithBothPositions() {
    #expect(
      problems("files:\n- {id: a, url: x}\n- {id: a, url: y}\n- {url: x, id: a}") == [
        "3:8 the id `a` is already given, at line 2, column 8",
        "4:16 the id `a` is already given, at line 3, column 8",
      ])
  }

  @Test func B104_anEqualEntryTwiceIsRefusedToo() {
    #expect(problems("files: [{id: a, url: x}, {id: a, url: x}]").count == 1)
  }

  @Test func B104_nearlyEqualIDsAreTwo() throws {
    let manifest = try manifest(
      "files: [{id: 'a', url: x}, {id: 'A', url: x}, {id: 'a ', url: x}, {id: \"\u{E9}\", url: x}, "
        + "{id: \"e\u{301}\", url: x}]")
    #expect(manifest.entries.count == 5)
    #expect(Set(manifest.entries.map(\.key)).count == 5)
  }
}
