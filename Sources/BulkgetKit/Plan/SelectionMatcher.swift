/// A selection made ready for many entries.
struct SelectionMatcher: Sendable {
  private let selection: Selection
  private let patterns: [GlobPattern]

  init(_ selection: Selection) {
    self.selection = selection
    patterns = selection.idPatterns.map(GlobPattern.init)
  }

  /// Whether all criteria hold and none excludes.
  func selects(_ entry: Entry) -> Bool {
    if !patterns.isEmpty, !patterns.contains(where: { $0.matches(entry.key.id) }) { return false }
    if !selection.tags.isEmpty, !selection.tags.contains(where: entry.tags.contains) {
      return false
    }
    if selection.excludedTags.contains(where: entry.tags.contains) { return false }
    guard let platforms = selection.platforms, !entry.platforms.isEmpty else { return true }
    return platforms.contains(where: entry.platforms.contains)
  }
}
