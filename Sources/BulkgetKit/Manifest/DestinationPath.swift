/// A normalised relative path that stays below the output directory.
///
/// A value never has an empty, `.` or `..` component, so nobody after the manifest has to check again.
public struct DestinationPath: Hashable, Sendable, CustomStringConvertible {
  /// Why a text is no destination.
  public enum Refusal: Error, Hashable, Sendable {
    /// No text, or only dots and slashes.
    case empty
    /// It begins with a slash.
    case absolute
    /// It has a `..` component.
    case leavesDirectory
    /// It has a control character.
    case controlCharacter
    /// A component of this many bytes; file systems allow 255.
    case componentTooLong(byteCount: Int)
    /// The whole path has this many bytes; systems allow 4,095.
    case tooLong(byteCount: Int)
  }

  /// The components joined by slashes.
  public let description: String

  /// The longest component that file systems allow, in bytes.
  public static let maximumComponentByteCount = 255
  /// The longest path that systems allow, in bytes.
  public static let maximumByteCount = 4095

  /// Normalises `text`: `./a//b` becomes `a/b`. A trailing slash must have been resolved before.
  public init(_ text: String) throws(Refusal) {
    if text.utf8.first == UInt8(ascii: "/") { throw .absolute }
    var previous: UInt8 = 0
    var component = Component()
    var isNormalized = true
    for byte in text.utf8 {
      if byte == UInt8(ascii: "/") {
        isNormalized = try component.check() && isNormalized
        component = Component()
      } else {
        if isControl(byte, after: previous) { throw .controlCharacter }
        component.byteCount += 1
        if byte == UInt8(ascii: ".") { component.dotCount += 1 }
      }
      previous = byte
    }
    isNormalized = try component.check() && isNormalized
    description =
      isNormalized
      ? text : text.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    if description.isEmpty { throw .empty }
    let count = description.utf8.count
    if count > Self.maximumByteCount { throw .tooLong(byteCount: count) }
  }

  /// What must be known of a component to judge it.
  private struct Component {
    var byteCount = 0
    var dotCount = 0

    /// Whether the component is one that stays.
    func check() throws(Refusal) -> Bool {
      if byteCount == 2, dotCount == 2 { throw .leavesDirectory }
      if byteCount > maximumComponentByteCount { throw .componentTooLong(byteCount: byteCount) }
      return byteCount > 0 && !(byteCount == 1 && dotCount == 1)
    }
  }

  /// Compares byte for byte, as most file systems do.
  public static func == (left: Self, right: Self) -> Bool {
    isSameText(left.description, right.description)
  }

  /// The path's components, from the outermost directory to the file's name.
  public var components: [Substring] { description.split(separator: "/") }
}

/// Whether a text has a control character (general category Cc).
func hasControlCharacter(_ text: String) -> Bool { hasControlCharacter(in: text.utf8) }

/// Whether a text in UTF-8 has a control character (general category Cc).
func hasControlCharacter(in bytes: some Sequence<UInt8>) -> Bool {
  var previous: UInt8 = 0
  for byte in bytes {
    if isControl(byte, after: previous) { return true }
    previous = byte
  }
  return false
}

/// Whether a byte of UTF-8 ends a control character: U+0080 to U+009F are 0xC2 and one byte below 0xA0.
@inline(__always)
private func isControl(_ byte: UInt8, after previous: UInt8) -> Bool {
  byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0)
}
