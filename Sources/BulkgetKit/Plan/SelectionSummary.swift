/// What a selection chooses from some manifests: tells a mistyped pattern from a manifest with nothing to do.
public struct SelectionSummary: Hashable, Sendable {
  /// How many entries there are.
  public var entryCount = 0
  /// How many of them are chosen.
  public var selectedCount = 0
  /// The id patterns that match no entry at all.
  public var unmatchedPatterns: [String] = []
  /// The tags, wanted or excluded, that no entry has.
  public var unmatchedTags: [String] = []

  /// Knows nothing.
  public init() {}
}

extension Selection {
  /// Whether more is asked for than this machine's platform.
  public var hasCriteria: Bool {
    !idPatterns.isEmpty || !tags.isEmpty || !excludedTags.isEmpty
      || platforms != Selection().platforms
  }

  /// What this selection chooses from `manifests`, and which of its words match nothing.
  public func summary(of manifests: [Manifest]) -> SelectionSummary {
    let matcher = SelectionMatcher(self)
    var patterns = idPatterns.map { (text: $0, pattern: GlobPattern($0)) }
    var tags = tags + excludedTags
    var summary = SelectionSummary()
    for entry in manifests.lazy.flatMap(\.entries) {
      summary.entryCount += 1
      if matcher.selects(entry) { summary.selectedCount += 1 }
      patterns.removeAll { $0.pattern.matches(entry.key.id) }
      tags.removeAll(where: entry.tags.contains)
    }
    summary.unmatchedPatterns = patterns.map(\.text)
    summary.unmatchedTags = tags
    return summary
  }
}
