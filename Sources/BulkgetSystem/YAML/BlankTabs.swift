/// Finds the tabs ahead of a comment, and those on lines with nothing else.
///
/// YAML allows them, since they indent nothing; libyaml refuses them. Inside a block scalar (`|`, `>`) they are text
/// and stay. In any other scalar white space at the start of a line is dropped, so it may be spaces as well.
enum BlankTabs {
  /// The offsets of such tabs, ascending.
  static func offsets(in source: [UInt8]) -> [Int] {
    guard source.firstOffset(of: 0x09, from: 0) != nil else { return [] }
    var offsets: [Int] = []
    var block = BlockScalarTracker()
    var start = 0
    while start < source.count {
      let end = source.lineEnd(from: start)
      let content = source[start..<end].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? end
      let isBlank = content == end || source[content] == UInt8(ascii: "#")
      if !block.takes(source[start..<end]), isBlank {
        offsets += (start..<content).filter { source[$0] == 0x09 }
      }
      start = end + 1
    }
    return offsets
  }
}

/// Follows the lines of a document as far as is needed to know which belong to block scalars.
private struct BlockScalarTracker {
  private enum State {
    case outside
    /// A header was seen, but no line with text yet.
    case begun
    case inside(indentation: Int)
  }
  private var state = State.outside

  /// Whether the line, given without its break, is text of a block scalar.
  mutating func takes(_ line: ArraySlice<UInt8>) -> Bool {
    let indentation = line.prefix { $0 == 0x20 }.count
    let isEmpty = indentation == line.count
    switch state {
    case .begun where isEmpty, .inside where isEmpty: return true
    case .begun where indentation > 0:
      state = .inside(indentation: indentation)
      return true
    case .inside(let first) where indentation >= first: return true
    default:
      state = Self.isHeader(line) ? .begun : .outside
      return false
    }
  }

  /// Whether the line ends in `|` or `>` with its indicators, as in `key: |-`.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    var words = line.split { $0 == 0x20 || $0 == 0x09 }
    if let comment = words.firstIndex(where: { $0.first == UInt8(ascii: "#") }) {
      words.removeSubrange(comment...)
    }
    guard let last = words.last, last.count <= 3,
      last.first == UInt8(ascii: "|") || last.first == UInt8(ascii: ">")
    else { return false }
    return last.dropFirst().allSatisfy {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || (0x31...0x39).contains($0)
    }
  }
}
