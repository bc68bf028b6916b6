/// Turns offsets into lines and columns. Lines end in LF, CR LF or CR; columns count characters, both from 1.
///
/// Finding a place takes about the same time wherever it is, also in a manifest of one line.
struct LineIndex {
  private let source: [UInt8]
  /// The offset of each line's first byte.
  private var starts: [UInt32] = [0]
  /// How many bytes before each block of the source begin no character.
  private var trailingByteCounts: [UInt32] = []

  private static let blockSize = 512

  /// Finds all lines of `source`.
  init(_ source: [UInt8]) {
    self.source = source
    starts.reserveCapacity(source.count / 24)
    trailingByteCounts.reserveCapacity(source.count / Self.blockSize + 1)
    var trailingByteCount: UInt32 = 0
    var blockStart = 0
    while blockStart < source.count {
      trailingByteCounts.append(trailingByteCount)
      let blockEnd = min(blockStart + Self.blockSize, source.count)
      trailingByteCount += addLines(in: blockStart..<blockEnd)
      blockStart = blockEnd
    }
  }

  /// Adds the lines that begin behind the breaks in a block, and counts the bytes that begin no character.
  private mutating func addLines(in block: Range<Int>) -> UInt32 {
    var count: UInt32 = 0
    for index in block {
      let byte = source[index]
      if byte > 0x0D {
        count += byte & 0xC0 == 0x80 ? 1 : 0
      } else if byte == 0x0A || (byte == 0x0D && !isLineFeed(at: index + 1)) {
        starts.append(UInt32(truncatingIfNeeded: index + 1))
      }
    }
    return count
  }

  private func isLineFeed(at index: Int) -> Bool { index < source.count && source[index] == 0x0A }

  /// The line and column of a byte.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let line = lineNumber(of: offset)
    return (line + 1, characterCount(Int(starts[line])..<min(offset, source.count)) + 1)
  }

  /// The byte at a line and column; nil where there is no such line.
  func offset(of place: (line: Int, column: Int)) -> Int? {
    guard starts.indices.contains(place.line - 1) else { return nil }
    var low = Int(starts[place.line - 1])
    var high = lineRange(of: low).upperBound + 1
    while low + 1 < high {
      let middle = (low + high) / 2
      if self.place(of: middle).column <= place.column { low = middle } else { high = middle }
    }
    return low
  }

  /// The bytes of the line that holds `offset`, without its break.
  func lineRange(of offset: Int) -> Range<Int> {
    let line = lineNumber(of: offset)
    let start = Int(starts[line])
    var end = line + 1 < starts.count ? Int(starts[line + 1]) : source.count
    while end > start, source[end - 1] == 0x0A || source[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  private func lineNumber(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The characters in a range that begins a line; a byte order mark is none.
  private func characterCount(_ range: Range<Int>) -> Int {
    let hasMark = range.lowerBound == 0 && source.starts(with: [0xEF, 0xBB, 0xBF])
    let trailing =
      trailingByteCount(before: range.upperBound) - trailingByteCount(before: range.lowerBound)
    return max(0, range.count - trailing - (hasMark ? 1 : 0))
  }

  private func trailingByteCount(before offset: Int) -> Int {
    let block = min(offset / Self.blockSize, trailingByteCounts.count - 1)
    guard block >= 0 else { return 0 }
    let count = trailingByteCounts[block]
    if block + 1 < trailingByteCounts.count, trailingByteCounts[block + 1] == count {
      return Int(count)
    }
    let rest = source[(block * Self.blockSize)..<offset]
    return Int(count) + rest.count { $0 & 0xC0 == 0x80 }
  }
}
