import BulkgetKit
import Testing

@Suite struct ManifestScalarTests {
  @Test(arguments: ["no", "NO", "on", "y", "true", "NULL", "Null", "yes", "False"])
  func B091_wordsThatYAMLTakesForBooleans(word: String) throws {
    let entry = try manifest("files:\n  - id: \(word)\n    url: x").entries[0]
    #expect(entry.key.id == word)
  }

  @Test func B091_typeAndHeadersStayAsWritten() throws {
    let entry = try entry("type: off\nheaders: {on: yes, no: NO, x: 1.0, y: ~0}")
    #expect(entry.type?.description == "off")
    #expect(
      entry.headers == [
        HeaderField(name: "on", value: "yes"), HeaderField(name: "no", value: "NO"),
        HeaderField(name: "x", value: "1.0"), HeaderField(name: "y", value: "~0"),
      ])
  }

  @Test(arguments: ["null", "~", ""])
  func B091_anUnquotedNullIsNoID(value: String) {
    let found = problems("files:\n  - id: \(value)\n    url: x")
    #expect(found.count == 1)
    #expect(found[0].contains("`id` is missing"))
  }

  @Test(arguments: ["'null'", "\"null\"", "'~'", "!!str null", "! ~"])
  func B091_aQuotedNullIsAText(value: String) throws {
    let entry = try manifest("files:\n  - id: \(value)\n    url: x").entries[0]
    #expect(["null", "~"].contains(entry.key.id))
  }

  @Test(arguments: [
    "02142", "0o17", "0x1F", "1_000", "3.10", "3.100", "1e3", ".5", "+1", "-0", ".inf", ".nan",
    "2024-01-02", "2024-01-02T03:04:05Z", "12345678901234567890", "007", "1:30", "0b11", "=", "1,5",
  ])
  func B092_textsThatYAMLTakesForNumbersAndDates(text: String) throws {
    let entry = try manifest("files:\n  - id: \(text)\n    url: x").entries[0]
    #expect(entry.key.id == text)
  }

  @Test func B092_aVariableThatLooksLikeANumberStaysText() throws {
    let manifest = try manifest(
      "variables: {v: 3.100}\nfiles: [{id: a, url: 'https://example.org/${v}'}]")
    #expect(manifest.entries[0].sources == [.remote(try ResourceURL("https://example.org/3.100"))])
  }

  @Test func B092_oneAndZeroOneAreTwoIDs() throws {
    let manifest = try manifest("files: [{id: 1, url: x}, {id: 01, url: y}]")
    #expect(manifest.entries.map(\.key.id) == ["1", "01"])
  }

  @Test func B092_oneAndQuotedOneAreOneID() {
    #expect(
      problems("files: [{id: 1, url: x}, {id: '1', url: y}]") == [
        "1:31 the id `1` is already given, at line 1, column 14"
      ])
  }

  @Test(arguments: [
    ("true", true), ("false", false), ("'true'", true), ("\"false\"", false), ("${t}", true),
  ])
  func booleansAreTheWordsTrueAndFalse(value: String, expected: Bool) throws {
    let text = "variables: {t: true}\n" + entryText("executable: \(value)\noptional: \(value)")
    let entry = try manifest(text).entries[0]
    #expect(entry.isExecutable == expected)
    #expect(entry.isOptional == expected)
  }

  @Test(arguments: [
    ("yes", "write `true`"), ("True", "write `true`"), ("on", "write `true`"),
    ("1", "write `true`"),
    ("No", "write `false`"), ("FALSE", "write `false`"), ("0", "write `false`"),
    ("maybe", "write `true` or `false`"), ("''", "write `true` or `false`"),
  ])
  func otherBooleansAreRefusedWithTheRightWord(value: String, hint: String) {
    #expect(problems(entryText("optional: \(value)")) == ["4:15 `optional` is `true` or `false`"])
    #expect(hints(entryText("optional: \(value)")) == [hint])
  }

  @Test(
    arguments: [("0", 0), ("1", 1), ("9223372036854775807", .max), ("'42'", 42)]
      as [(String, Int64)])
  func sizesAreBytesInPlainDigits(text: String, size: Int64) throws {
    #expect(try entry("size: \(text)").size == size)
  }

  @Test(arguments: [
    "-1", "+1", "1_000", "0x10", "1e3", "1.0", "007", "700M", "9223372036854775808", "''", "1 000",
    "٣",
  ])
  func otherSizesAreRefused(text: String) {
    #expect(
      problems(entryText("size: \(text)")) == [
        "4:11 `size` is a whole number from 0 to 9223372036854775807"
      ])
  }

  @Test(arguments: [("0", 0), ("-5", -5), ("1000000", 1_000_000), ("-1000000", -1_000_000)])
  func prioritiesAreWholeNumbers(text: String, priority: Int) throws {
    #expect(try entry("priority: \(text)").priority == priority)
  }

  @Test(arguments: ["1000001", "high", "1.5", "--1", "'-'"])
  func otherPrioritiesAreRefused(text: String) {
    #expect(
      problems(entryText("priority: \(text)")) == [
        "4:15 `priority` is a whole number from -1000000 to 1000000"
      ])
  }

  @Test(
    arguments: [
      ("immutable", .immutable), ("revalidate", .revalidate),
      ("7d", .maximumAge(.seconds(604_800))),
      ("12h", .maximumAge(.seconds(43_200))), ("5m", .maximumAge(.seconds(300))),
      ("0s", .maximumAge(.zero)),
    ] as [(String, Freshness)])
  func freshnessIsAWordOrATime(text: String, freshness: Freshness) throws {
    #expect(try entry("freshness: \(text)").freshness == freshness)
  }

  @Test(arguments: ["7", "d", "7w", "-7d", "1.5h", "7 d", "always", "Immutable", "9999999999d"])
  func otherFreshnessIsRefused(text: String) {
    let found = problems(entryText("freshness: \(text)"))
    #expect(
      found == ["4:16 `freshness` is `immutable`, `revalidate`, or a time such as `12h` or `7d`"])
  }

  @Test(arguments: ["id", "url", "urls", "sha256", "integrity", "size", "dest"])
  func whatNamesAFileNeedsAValue(key: String) {
    let keys = ["id": "a", "url": "b"].filter {
      $0.key != key && !(key == "urls" && $0.key == "url")
    }
    let lines = keys.map { "\($0.key): \($0.value)" } + ["\(key):"]
    let text = "files:\n  - " + lines.sorted().joined(separator: "\n    ")
    let found = problems(text)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.contains("`\(key)`") })
  }

  @Test(arguments: [
    "type", "executable", "optional", "freshness", "headers", "tags", "platforms", "priority",
  ])
  func noValueLiftsADefault(key: String) throws {
    let manifest = try manifest(
      """
      defaults: {type: zip, executable: true, optional: true, freshness: 7d, headers: {A: b}, tags: [t],
        platforms: [linux/amd64], priority: 3}
      files: [{id: a, url: x.bin}, {id: b, url: x.bin, \(key): ~}]
      """)
    var expected = manifest.entries[0]
    let lifted = manifest.entries[1]
    #expect(lifted != expected)
    switch key {
    case "type": expected.type = FileType("bin")
    case "executable": expected.isExecutable = false
    case "optional": expected.isOptional = false
    case "freshness": expected.freshness = .immutable
    case "headers": expected.headers = []
    case "tags": expected.tags = []
    case "platforms": expected.platforms = []
    default: expected.priority = 0
    }
    expected.key = lifted.key
    expected.position = lifted.position
    #expect(lifted == expected)
  }

  @Test func anEntrysValueReplacesTheDefaultAsAWhole() throws {
    let manifest = try manifest(
      """
      defaults: {headers: {A: b, C: d}, tags: [t, u]}
      files: [{id: a, url: x, headers: {E: f}, tags: [v]}]
      """)
    #expect(manifest.entries[0].headers == [HeaderField(name: "E", value: "f")])
    #expect(manifest.entries[0].tags == ["v"])
  }

  @Test(arguments: ["id", "url", "urls", "dest", "size", "sha256", "md5", "integrity"])
  func whatNamesOneFileHasNoDefault(key: String) {
    #expect(
      problems("defaults: {\(key): a}\nfiles: []") == ["1:12 `\(key)` can have no default"])
  }

  @Test func defaultsAreCheckedOnceAndWhereTheyStand() {
    #expect(
      problems("defaults: {freshness: x}\nfiles: [{id: a, url: b}, {id: c, url: d}]").map {
        $0.prefix(4)
      } == ["1:23"])
  }

  @Test(arguments: [
    ("Tar.GZ", "tar.gz"), (".zip", "zip"), ("7z", "7z"), ("no", "no"), ("1.0", "1.0"),
  ])
  func typesAreLowerCaseWithoutALeadingDot(text: String, type: String) throws {
    #expect(try entry("type: \(text)").type?.description == type)
  }

  @Test(arguments: ["a/b", "..a", "a b", "ä", "''", "'.'", String(repeating: "a", count: 33)])
  func otherTypesAreRefused(text: String) {
    let found = problems(entryText("type: \(text)"))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("4:11 a type begins with a letter or digit"))
  }

  @Test func tagsAreAListOfTexts() throws {
    #expect(try entry("tags: [a, no, 1.0, a]").tags == ["a", "no", "1.0"])
    #expect(problems(entryText("tags: a")) == ["4:11 `tags` wants a list"])
    #expect(hints(entryText("tags: a")) == ["write `tags: [a, b]`"])
    #expect(
      problems(entryText("tags: ['']")) == ["4:12 a tag is a text without control characters"])
    #expect(problems(entryText("tags: [[a]]")) == ["4:12 `tags` wants a text, not a list"])
    #expect(problems(entryText("tags: [{a: b}]")) == ["4:12 `tags` wants a text, not a mapping"])
    #expect(problems(entryText("tags: [~]")) == ["4:12 `tags` has no value"])
  }

  @Test func platformsAreOCIsWords() throws {
    let platforms = try entry("platforms: [linux/amd64, darwin/arm64]").platforms
    #expect(platforms.map(\.description) == ["linux/amd64", "darwin/arm64"])
    #expect(try entry("platforms: []").platforms.isEmpty)
  }

  @Test(arguments: [
    ("linux/x86_64", "linux/amd64"), ("Linux/AMD64", "linux/amd64"),
    ("macos/arm64", "darwin/arm64"),
    ("linux-aarch64", "linux/arm64"), ("darwin_arm64", "darwin/arm64"),
    ("linux-x86_64", "linux/amd64"),
  ])
  func wordsOfOtherToolsAreCorrected(text: String, platform: String) {
    #expect(
      problems(entryText("platforms: [\(text)]")) == [
        "4:17 a platform is `os/architecture` in OCI's words, such as `linux/amd64`"
      ])
    #expect(hints(entryText("platforms: [\(text)]")) == ["did you mean `\(platform)`?"])
  }

  @Test(arguments: ["linux", "linux/", "/amd64", "linux/arm/v7", "a b/c"])
  func otherPlatformsAreRefused(text: String) {
    #expect(problems(entryText("platforms: [\(text)]")).count == 1)
    #expect(hints(entryText("platforms: [\(text)]")) == [])
  }
}
