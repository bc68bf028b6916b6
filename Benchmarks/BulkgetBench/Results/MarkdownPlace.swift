/// The place in a document that `--markdown` fills; what stands around it stays.
enum MarkdownPlace {
  static let start = "<!-- results: written by bulkget-bench --markdown -->\n"
  static let end = "<!-- end of results -->\n"

  /// A document with new results in its place; without such a place, and without a document, the results alone.
  static func filling(_ document: String?, with results: String) -> String {
    guard let document, let opening = document.firstRange(of: start),
      let closing = document[opening.upperBound...].firstRange(of: end)
    else { return results }
    return document[..<opening.upperBound] + "\n" + results + "\n"
      + document[closing.lowerBound...]
  }
}
