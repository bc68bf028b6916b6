/// The value of a `Content-Range` field (RFC 9110 §14.4).
package struct ContentRange: Hashable, Sendable {
  /// The first byte; nil for an unsatisfied range (`bytes */total`).
  package var first: Int64?
  package var last: Int64?
  /// The complete length; nil for `*`.
  package var total: Int64?

  /// Reads `bytes 0-9/10`, `bytes 0-9/*` and `bytes */10`; nil for anything else.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, equalIgnoringCase(String(words[0]), "bytes") else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[1] != "*" {
      guard let total = Self.number(halves[1]) else { return nil }
      self.total = total
    }
    if halves[0] == "*" {
      if total == nil { return nil }
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last
    else { return nil }
    if let total, last >= total { return nil }
    self.first = first
    self.last = last
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }
}
