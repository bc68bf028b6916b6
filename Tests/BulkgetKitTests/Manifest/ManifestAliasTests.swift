import BulkgetKit
import Testing

@Suite struct ManifestAliasTests {
  @Test func anAliasIsItsAnchorsValue() throws {
    let manifest = try manifest(
      """
      x-h: &h {A: b}
      files:
        - &first {id: a, url: &u x.bin, headers: *h}
        - {id: b, url: *u, headers: *h, tags: &t [p]}
        - {id: c, url: *u, tags: *t}
      """)
    #expect(manifest.entries[1].headers == [HeaderField(name: "A", value: "b")])
    #expect(manifest.entries[2].sources == [.local(path: "/base/x.bin")])
    #expect(manifest.entries[2].tags == ["p"])
  }

  @Test func mergeKeysFillInWhatIsNotGiven() throws {
    let manifest = try manifest(
      """
      x-one: &one {priority: 1, type: zip}
      x-two: &two {priority: 2, tags: [t]}
      files:
        - {<<: *one, id: a, url: x, type: tar}
        - {id: b, url: x, <<: [*one, *two]}
        - {id: c, url: x, <<: [*two, *one]}
        - {id: d, url: x, <<: {optional: true}}
      """)
    #expect(manifest.entries.map(\.priority) == [1, 1, 2, 0])
    #expect(manifest.entries.map { $0.type?.description } == ["tar", "zip", "zip", nil])
    #expect(manifest.entries.map(\.tags) == [[], ["t"], ["t"], []])
    #expect(manifest.entries[3].isOptional)
  }

  @Test func mergedMappingsMayMergeOthers() throws {
    let manifest = try manifest(
      """
      x-a: &a {priority: 1}
      x-b: &b {<<: *a, tags: [t]}
      files: [{id: a, url: x, <<: *b}]
      """)
    #expect(manifest.entries[0].priority == 1)
    #expect(manifest.entries[0].tags == ["t"])
  }

  @Test func aQuotedMergeKeyIsAnOrdinaryKey() {
    #expect(
      problems("files: [{id: a, url: x, \"<<\": {tags: [t]}}]") == ["1:25 an entry has no key `<<`"]
    )
  }

  @Test(arguments: ["a", "[a]", "[{x-a: 1}, b]", "~"])
  func onlyMappingsCanBeMerged(value: String) {
    #expect(
      problems("files: [{id: a, url: x, <<: \(value)}]") == [
        "1:29 `<<` wants a mapping, an alias of one, or a list of such"
      ])
  }

  @Test func aProblemInAMergedKeyIsShownWhereItIsWritten() {
    #expect(
      problems("x-a: &a\n  size: big\nfiles:\n- {id: a, url: x, <<: *a}") == [
        "2:9 `size` is a whole number from 0 to 9223372036854775807"
      ])
  }

  @Test func anAliasWithoutAnAnchorIsRefused() {
    #expect(problems("x-a: *b\nfiles: []") == ["1:6 the alias `*b` has no anchor `&b` before it"])
  }

  @Test func anAnchorGivenAgainReplacesTheFirst() throws {
    let manifest = try manifest("x-a: &a 1\nx-b: &a 2\nfiles: [{id: a, url: x, priority: *a}]")
    #expect(manifest.entries[0].priority == 2)
  }

  @Test(arguments: ["!include x", "!!binary aGk=", "!!set {a}", "!!python/object x"])
  func tagsWithAMeaningOfTheirOwnAreRefused(value: String) {
    let found = problems("x-a: \(value)\nfiles: []")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("1:6 the tag `"))
  }

  @Test(arguments: ["!!str 1", "!!int 1", "!!float 1", "! 1"])
  func tagsOfYAMLChangeNothing(value: String) throws {
    #expect(try manifest("files: [{id: \(value), url: x}]").entries[0].key.id == "1")
  }

  private let bomb = (1...9).map { level in
    let name = { (number: Int) in String(UnicodeScalar(UInt8(96 + number))) }
    let items = [String](repeating: level == 1 ? "lol" : "*\(name(level - 1))", count: 9)
    return "\(name(level)): &\(name(level)) [\(items.joined(separator: ","))]"
  }

  @Test(arguments: ["x-bomb", "headers"])
  func B097_aliasesThatExplodeAreRefused(key: String) {
    let lines = bomb.map { "      " + $0 }.joined(separator: "\n")
    let found = problems("files:\n  - id: a\n    url: x\n    \(key):\n\(lines)\n")
    #expect(found.count == 1)
    #expect(found[0].contains("stand for more than the alias limit of 4000000 nodes"))
  }

  @Test func B097_aNodeThatContainsItselfIsRefused() {
    #expect(
      problems("x-a: &a [*a]\nfiles: []") == [
        "1:10 the alias `*a` stands inside its own anchor: it expands beyond any alias limit (4000000 nodes)"
      ])
  }

  @Test func B097_tenThousandAliasesOfASmallNodeWork() throws {
    let items = (0..<10_000).map { "  - {id: \($0), url: x, headers: *h}" }.joined(separator: "\n")
    let manifest = try manifest("x-h: &h {A: b, C: d}\nfiles:\n" + items)
    #expect(manifest.entries.count == 10_000)
    #expect(manifest.entries[9_999].headers.count == 2)
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func B098_nestingWithoutEndIsRefused(opening: String) {
    let found = problems(String(repeating: opening, count: 20_000))
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("collections lie in each other beyond the nesting limit of 64"))
  }

  @Test func B098_nestingThatIsClosedAgainIsRefusedToo() {
    let text = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    #expect(
      problems(text) == ["1:65 collections lie in each other beyond the nesting limit of 64"])
  }

  @Test func B098_nestingThroughAliasesCountsToo() {
    var lines = ["x-0: &a0 [x]"]
    for level in 1...80 { lines.append("x-\(level): &a\(level) [*a\(level - 1)]") }
    let found = problems(lines.joined(separator: "\n") + "\nfiles: []")
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("collections lie in each other beyond the nesting limit of 64"))
  }

  @Test func sixtyThreeLevelsAreFine() {
    let text =
      "x-a: " + String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
      + "\nfiles: []"
    #expect(problems(text) == [])
  }
}
