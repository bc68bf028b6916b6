import BulkgetKit

/// How many columns text takes in a terminal.
enum DisplayWidth {
  /// The columns of `text`, which must have no control characters.
  static func columns(of text: String) -> Int {
    let bytes = text.utf8
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns of one character: what combines with its first scalar takes no room of its own.
  static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // Two regional indicators are a flag; U+FE0F asks for the emoji's form, which is wide.
    if scalars.dropFirst().contains(where: { $0 == "\u{FE0F}" || isRegionalIndicator($0) }) {
      return 2
    }
    return PrintableText.columnCount(first)
  }

  /// `text` with spaces behind it until it takes `width` columns; longer text stays as it is.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  /// `text` with spaces before it until it takes `width` columns.
  static func leftPadded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - columns(of: text))) + text
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }
}
