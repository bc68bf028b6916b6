import BulkgetKit

/// Pieces of messages that several errors share.
enum Wording {
  /// Words in backticks joined as people do: "`a`, `b` or `c`".
  static func alternatives(_ words: [String]) -> String {
    let quoted = words.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Words in backticks, separated by commas.
  static func list(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// "did you mean `x`?" where one of `candidates` is near enough to be a slip of the fingers.
  static func suggestion(for word: String, in candidates: [String]) -> String? {
    nearest(to: word, in: candidates).map { "did you mean `\($0)`?" }
  }

  /// The candidate that is spelled much like `word`, else the first that begins with it.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    if let candidate = Suggestion.nearest(to: word, among: candidates) { return candidate }
    return word.utf8.count < 3 ? nil : candidates.first { $0.hasPrefix(word.lowercased()) }
  }
}
