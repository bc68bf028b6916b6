/// Cuts the excerpt of one line out of a manifest's bytes.
struct ExcerptWriter {
  let source: [UInt8]
  /// The line's bytes.
  let line: Range<Int>
  /// The byte that the caret points at.
  let offset: Int
  /// What must not be seen, ascending.
  let secrets: [Range<Int>]

  /// How many columns before and after the caret are shown.
  static let columnsBefore = 60
  static let columnsAfter = 60

  private struct Cell {
    var text: String
    var width: Int
    var start: Int
  }

  /// The excerpt.
  func excerpt() -> ManifestError.Excerpt {
    let cells = cells()
    let caret = cells.lastIndex { $0.start <= offset } ?? 0
    let isPastEnd = cells.last.map { offset > $0.start && offset >= line.upperBound } ?? true
    let caretIndex = isPastEnd ? cells.count : caret
    var first = caretIndex
    var before = 0
    while first > 0, before + cells[first - 1].width <= Self.columnsBefore {
      first -= 1
      before += cells[first].width
    }
    var end = caretIndex
    var after = 0
    while end < cells.count, after < Self.columnsAfter {
      after += cells[end].width
      end += 1
    }
    let isCutBefore = first > 0 || (cells.first?.start ?? 0) > line.lowerBound
    let text = cells[first..<end].map(\.text).joined()
    return ManifestError.Excerpt(
      text: (isCutBefore ? "…" : "") + text + (end < cells.count ? "…" : ""),
      caretColumnCount: before + (isCutBefore ? 1 : 0))
  }

  /// The characters around the caret; a secret is one cell that says `REDACTED`.
  private func cells() -> [Cell] {
    var cells: [Cell] = []
    var index = max(line.lowerBound, offset - 400)
    let end = min(line.upperBound, offset + 400)
    while index < end, source[index] & 0xC0 == 0x80 { index += 1 }
    if index == 0, source.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    while index < end {
      if let secret = secrets.first(where: { $0.contains(index) }) {
        cells.append(Cell(text: "REDACTED", width: 8, start: index))
        index = secret.upperBound
        continue
      }
      let (cell, length) = cell(at: index)
      cells.append(cell)
      index += length
    }
    return cells
  }

  private func cell(at index: Int) -> (Cell, length: Int) {
    guard source[index] != 0x09 else { return (Cell(text: " ", width: 1, start: index), 1) }
    guard let scalar = scalar(at: index) else {
      let digits = String(source[index], radix: 16)
      return (Cell(text: "\\x" + digits, width: 4, start: index), 1)
    }
    let length = UTF8.width(scalar)
    if PrintableText.isUnprintable(scalar) {
      let text = PrintableText.escaped(String(Character(scalar)))
      return (Cell(text: text, width: text.utf8.count, start: index), length)
    }
    let width = PrintableText.columnCount(scalar)
    return (Cell(text: String(Character(scalar)), width: width, start: index), length)
  }

  /// The scalar whose UTF-8 begins at a byte, or nil where the bytes are none.
  private func scalar(at index: Int) -> Unicode.Scalar? {
    var decoder = UTF8()
    var bytes = source[index..<min(index + 4, source.count)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
    return scalar
  }
}
