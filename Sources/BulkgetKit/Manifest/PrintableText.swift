/// Makes any text safe for a terminal, and knows how wide it is there.
package enum PrintableText {
  /// The text with control characters, line separators and direction marks as escapes, as in `\u001b`.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSuspicious) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnprintable(scalar) {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text as a message shows it: escaped, and cut when it is long.
  package static func shown(_ text: String, limit: Int = 80) -> String {
    let head = text.unicodeScalars.prefix(limit + 1)
    if head.count <= limit { return escaped(text) }
    var cut = String.UnicodeScalarView()
    cut.append(contentsOf: head.dropLast())
    return escaped(String(cut)) + "…"
  }

  /// Whether a scalar would move the cursor, change colours, or turn the direction of what follows.
  package static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F, 0xA0...0x61B: false
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Whether a byte begins what may have to be escaped: nearly all text is seen to be fit without being decoded.
  private static func isSuspicious(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2 || byte == 0xEF
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The columns that a scalar takes: 0 for marks, 2 for wide characters (UAX 11), else 1.
  package static func columnCount(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
  }

  /// The blocks that are Wide or Fullwidth by Unicode Standard Annex #11, joined where only unassigned code points lie
  /// between them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}
