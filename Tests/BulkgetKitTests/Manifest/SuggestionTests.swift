import Testing

@testable import BulkgetKit

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1),
    ("abc", "acb", 1), ("abc", "ab", 1),
    ("kitten", "sitting", 3), ("ulr", "url", 1), ("ca", "abc", 3),
  ])
  func distancesCountMistakes(left: String, right: String, distance: Int) {
    #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == distance)
    #expect(Suggestion.distance(Array(right.utf8), Array(left.utf8)) == distance)
  }

  @Test(
    arguments: [
      ("ulr", "url"), ("URL", "url"), ("sizes", "size"), ("dst", "dest"),
      ("platfroms", "platforms"), ("x", nil), ("zzz", nil),
      ("", nil), (String(repeating: "u", count: 1000), nil),
    ] as [(String, String?)])
  func theNearestWordIsSuggestedIfItIsNear(word: String, suggestion: String?) {
    #expect(
      Suggestion.nearest(to: word, among: ["url", "urls", "size", "dest", "platforms"])
        == suggestion)
  }
}
