/// Characters that JSON writes as two escapes, `\uD83D\uDE00`, and libyaml refuses.
///
/// Each valid pair is replaced by a placeholder of the same length before libyaml sees it, and put back afterwards:
/// as the character between double quotes, where escapes count, and as the twelve bytes themselves anywhere else.
struct SurrogatePairs {
  /// What stands in for a pair: the escapes of two characters that Unicode reserves for such use.
  static let placeholder = Array("\\uFDD0\\uFDD1".utf8)
  /// U+FDD0 and U+FDD1 in UTF-8.
  private static let placeholderCharacters: [UInt8] = [0xEF, 0xB7, 0x90, 0xEF, 0xB7, 0x91]

  /// Where the pairs begin in the source, ascending.
  let offsets: [Int]

  var isEmpty: Bool { offsets.isEmpty }

  /// Finds every pair whose backslash is not escaped itself.
  init(in source: [UInt8]) {
    var offsets: [Int] = []
    var start = 0
    while let offset = source.firstOffset(of: UInt8(ascii: "\\"), from: start) {
      // Any two bytes after a backslash belong together, an escaped backslash too.
      start = offset + 2
      guard let high = Self.unit(at: offset, in: source), (0xD800...0xDBFF).contains(high),
        let low = Self.unit(at: offset + 6, in: source), (0xDC00...0xDFFF).contains(low)
      else { continue }
      offsets.append(offset)
      start = offset + 12
    }
    self.offsets = offsets
  }

  /// Where the source has the placeholder's first character itself, so that the two could not be told apart.
  static func offsetOfPlaceholder(in source: [UInt8]) -> Int? {
    let written = Array("\\uFDD0".utf8)
    if let offset = source.firstOffset(of: Array(placeholderCharacters.prefix(3)), from: 0) {
      return offset
    }
    var start = 0
    while let offset = source.firstOffset(of: UInt8(ascii: "\\"), from: start) {
      start = offset + 1
      if unit(at: offset, in: source) == unit(at: 0, in: written) { return offset }
    }
    return nil
  }

  /// The number of the escape `\uXXXX` at an offset.
  static func unit(at offset: Int, in source: [UInt8]) -> UInt32? {
    guard offset + 6 <= source.count, source[offset] == UInt8(ascii: "\\"),
      source[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt32 = 0
    for byte in source[offset + 2..<offset + 6] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Puts back the pairs of one scalar that stands at `range` of the source.
  func restored(
    _ text: [UInt8], in range: Range<Int>, isDoubleQuoted: Bool, source: [UInt8]
  ) -> [UInt8] {
    var pairs = offsets(in: range)[...]
    if pairs.isEmpty { return text }
    let searched = isDoubleQuoted ? Self.placeholderCharacters : Self.placeholder
    var result: [UInt8] = []
    var start = 0
    while let pair = pairs.first, let found = text.firstOffset(of: searched, from: start) {
      result += text[start..<found]
      result +=
        isDoubleQuoted ? Self.character(at: pair, in: source) : Array(source[pair..<pair + 12])
      start = found + searched.count
      pairs.removeFirst()
    }
    return result + text[start...]
  }

  private func offsets(in range: Range<Int>) -> [Int] {
    var low = 0
    var high = offsets.count
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return Array(offsets[low...].prefix { $0 < range.upperBound })
  }

  private static func character(at offset: Int, in source: [UInt8]) -> [UInt8] {
    guard let high = unit(at: offset, in: source), let low = unit(at: offset + 6, in: source),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return [] }
    return Array(String(Character(scalar)).utf8)
  }
}
