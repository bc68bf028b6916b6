import BulkgetKit
import Testing

@testable import BulkgetKit

struct SelectionCase: Sendable, CustomTestStringConvertible {
  var name: String
  var selected: [String]
  var change: @Sendable (inout Selection) -> Void
  var testDescription: String { name }

  init(
    _ name: String, _ selected: [String], _ change: @escaping @Sendable (inout Selection) -> Void
  ) {
    self.name = name
    self.selected = selected
    self.change = change
  }
}

@Suite struct SelectionTests {
  private func manifest() throws -> Manifest {
    var plain = try Entry.sample("plain")
    plain.tags = []
    var model = try Entry.sample("model/base")
    model.tags = ["models", "large"]
    var small = try Entry.sample("model/small")
    small.tags = ["models"]
    var arm = try Entry.sample("tool-arm")
    arm.platforms = [try #require(Platform("linux/arm64"))]
    var both = try Entry.sample("tool-both")
    both.platforms = [
      try #require(Platform("linux/arm64")), try #require(Platform("darwin/arm64")),
    ]
    return Manifest(path: "m", entries: [plain, model, small, arm, both])
  }

  @Test(arguments: [
    SelectionCase("all platforms", ["plain", "model/base", "model/small", "tool-arm", "tool-both"])
    { $0.platforms = nil },
    SelectionCase("one platform", ["plain", "model/base", "model/small", "tool-both"]) {
      $0.platforms = [Platform("darwin/arm64")].compactMap(\.self)
    },
    SelectionCase(
      "either platform", ["plain", "model/base", "model/small", "tool-arm", "tool-both"]
    ) { $0.platforms = [Platform("darwin/arm64"), Platform("linux/arm64")].compactMap(\.self) },
    SelectionCase("a platform that nothing is for", ["plain", "model/base", "model/small"]) {
      $0.platforms = [Platform("linux/riscv64")].compactMap(\.self)
    },
    SelectionCase("a pattern crosses slashes", ["model/base", "model/small"]) {
      $0.idPatterns = ["mo*"]
    },
    SelectionCase("any of two patterns", ["plain", "model/small"]) {
      $0.idPatterns = ["plain", "*small"]
    },
    SelectionCase("a tag", ["model/base", "model/small"]) { $0.tags = ["models"] },
    SelectionCase("any of two tags", ["model/base", "model/small"]) {
      $0.tags = ["large", "models"]
    },
    SelectionCase("a pattern and a tag must both hold", ["model/base"]) {
      $0.idPatterns = ["model/*"]
      $0.tags = ["large"]
    },
    SelectionCase("exclusion wins", ["model/small"]) {
      $0.tags = ["models"]
      $0.excludedTags = ["large"]
    },
    SelectionCase("exclusion alone", ["plain", "model/small"]) { $0.excludedTags = ["large"] },
    SelectionCase("nothing", []) { $0.idPatterns = ["nothing"] },
  ])
  func selects(_ example: SelectionCase) throws {
    var configuration = Configuration(cacheDirectory: "/cache", outputDirectory: "/out")
    configuration.selection.platforms = [try #require(Platform("linux/amd64"))]
    example.change(&configuration.selection)
    let plan = Planner(configuration: configuration, now: 0).plan(
      manifests: [try manifest()], cache: CacheSnapshot(), destinations: DestinationSnapshot())
    #expect(plan.steps.count == 5)
    #expect(plan.steps.filter { $0.action != .skip }.map(\.entry.key.id) == example.selected)
    #expect(plan.steps.filter { $0.action == .skip }.allSatisfy { $0.reason == .notSelected })
    let summary = configuration.selection.summary(of: [try manifest()])
    #expect(summary.selectedCount == example.selected.count)
    #expect(summary.entryCount == 5)
  }

  @Test func namesTheWordsThatMatchNothing() throws {
    var selection = Selection()
    selection.idPatterns = ["model/*", "modle/*"]
    selection.tags = ["models", "modles"]
    selection.excludedTags = ["lrage"]
    let summary = selection.summary(of: [try manifest()])
    #expect(summary.unmatchedPatterns == ["modle/*"])
    #expect(summary.unmatchedTags == ["modles", "lrage"])
    #expect(summary.selectedCount == 2)
  }

  @Test func onlyWhatWasAskedForCountsAsACriterion() {
    #expect(!Selection().hasCriteria)
    var selection = Selection()
    selection.platforms = nil
    #expect(selection.hasCriteria)
    selection = Selection()
    selection.excludedTags = ["x"]
    #expect(selection.hasCriteria)
  }

  @Test(arguments: [
    ("*", "", true), ("*", "a/b", true), ("a*", "a", true), ("a*c", "abbbc", true),
    ("a*c", "abcb", false), ("*b*", "abc", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("?", "é", true), ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a-c]x", "dx", true),
    ("[^a-c]x", "ax", false), ("[]]", "]", true), ("[a-]", "-", true), ("[", "[", true),
    ("[ab", "[ab", true), (#"\*"#, "*", true), (#"\*"#, "a", false), ("", "", true),
    ("", "a", false), ("a", "A", false), ("model/*", "model/a/b", true),
    ("*.bin", "a.bin.sig", false),
    ("**", "x", true), ("a**b", "ab", true), (#"[\]]"#, "]", true), ("[z-a]", "z", true),
  ])
  func globs(pattern: String, text: String, matches: Bool) {
    #expect(GlobPattern(pattern).matches(text) == matches)
  }

  @Test func manyStarsCostNoMoreThanPatternTimesText() {
    let pattern = GlobPattern(String(repeating: "*a", count: 50) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 5_000)))
  }
}
