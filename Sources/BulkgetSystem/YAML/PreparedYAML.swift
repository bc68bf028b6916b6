#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A source made ready for libyaml: what it can't read politely is refused, what it reads differently from YAML 1.2 is
/// replaced by as many bytes, so that every position stays right.
///
/// 1. UTF-16 and UTF-32 are refused, a byte order mark of UTF-8 is left out.
/// 2. Line separators of YAML 1.1 that are none in YAML 1.2 are refused.
/// 3. More `%` lines than anybody needs are refused: libyaml compares each with all before it.
/// 4. Tabs on lines that hold nothing else but a comment become spaces.
/// 5. Escaped surrogate pairs, which JSON has and libyaml refuses, become other escapes (see ``SurrogatePairs``).
struct PreparedYAML {
  /// The offset of the first byte behind a byte order mark.
  let start: Int
  /// Whether characters and bytes are the same.
  let isASCII: Bool
  /// The bytes for libyaml, where they are not the source's own.
  let replacement: [UInt8]?
  /// What was replaced for the sake of surrogate pairs.
  let surrogates: SurrogatePairs

  /// The most `%` lines ahead of a document.
  static let maximumDirectiveCount = 64

  init(_ source: [UInt8]) throws(YAMLError) {
    try Self.refuseWideEncodings(source)
    start = source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    isASCII = source.withUnsafeBufferPointer { bytes in bytes.reduce(0) { $0 | $1 } < 0x80 }
    if !isASCII { try Self.refuseLineSeparators(source) }
    try Self.refuseDirectives(source, from: start)
    surrogates = SurrogatePairs(in: source)
    if !surrogates.isEmpty, let offset = SurrogatePairs.offsetOfPlaceholder(in: source) {
      throw YAMLError(
        "U+FDD0 is no character", hint: "it can't stand beside escapes such as `\\uD83D\\uDE00`",
        offset: offset)
    }
    var bytes: [UInt8]?
    for offset in BlankTabs.offsets(in: source) {
      bytes.replaceByte(at: offset, with: 0x20, of: source)
    }
    for offset in surrogates.offsets {
      for (index, byte) in SurrogatePairs.placeholder.enumerated() {
        bytes.replaceByte(at: offset + index, with: byte, of: source)
      }
    }
    replacement = bytes
  }

  private static func refuseWideEncodings(_ source: [UInt8]) throws(YAMLError) {
    let head = Array(source.prefix(2))
    let isWide =
      head == [0xFF, 0xFE] || head == [0xFE, 0xFF] || (head.count == 2 && head.contains(0))
    guard isWide else { return }
    throw YAMLError(
      "the text is not UTF-8 but looks like UTF-16 or UTF-32", hint: "save the manifest as UTF-8",
      offset: 0)
  }

  /// U+0085, U+2028 and U+2029 break lines in libyaml, but not in YAML 1.2 and not in any editor.
  private static func refuseLineSeparators(_ source: [UInt8]) throws(YAMLError) {
    let separators: [(bytes: [UInt8], name: String)] = [
      ([0xC2, 0x85], "U+0085"), ([0xE2, 0x80, 0xA8], "U+2028"), ([0xE2, 0x80, 0xA9], "U+2029"),
    ]
    for separator in separators {
      guard let offset = source.firstOffset(of: separator.bytes, from: 0) else { continue }
      throw YAMLError(
        "the line separator \(separator.name) is not allowed here",
        hint: "write it as an escape between double quotes, `\\u\(separator.name.dropFirst(2))`",
        offset: offset)
    }
  }

  private static func refuseDirectives(_ source: [UInt8], from start: Int) throws(YAMLError) {
    var offset = start
    var count = 0
    while offset < source.count {
      switch source[offset] {
      case UInt8(ascii: "%"):
        count += 1
        if count > maximumDirectiveCount {
          throw YAMLError(
            "more than \(maximumDirectiveCount) lines begin with `%`", hint: "leave them out",
            offset: offset)
        }
      case UInt8(ascii: "#"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: break
      default: return
      }
      offset = source.lineEnd(from: offset) + 1
    }
  }
}

extension [UInt8] {
  /// Where `needle` begins at or after `start`.
  func firstOffset(of needle: [UInt8], from start: Int) -> Int? {
    var start = start
    while let offset = firstOffset(of: needle[0], from: start) {
      if self[offset...].starts(with: needle) { return offset }
      start = offset + 1
    }
    return nil
  }

  /// Where `byte` stands at or after `start`.
  func firstOffset(of byte: UInt8, from start: Int) -> Int? {
    guard start < count else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = memchr(base + start, CInt(byte), count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// The offset of the line's break, or the end of the bytes.
  func lineEnd(from start: Int) -> Int {
    var offset = start
    while offset < count, self[offset] != 0x0A, self[offset] != 0x0D { offset += 1 }
    return offset
  }
}

extension [UInt8]? {
  /// Replaces one byte of a copy of `source` that is made with the first replacement.
  fileprivate mutating func replaceByte(at offset: Int, with byte: UInt8, of source: [UInt8]) {
    self = consume self ?? source
    self?[offset] = byte
  }
}
