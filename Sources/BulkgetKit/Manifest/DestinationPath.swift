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
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .controlCharacter
    }
    var components: [Substring] = []
    for component in text.split(separator: "/") where component != "." {
      if component == ".." { throw .leavesDirectory }
      let count = component.utf8.count
      if count > Self.maximumComponentByteCount { throw .componentTooLong(byteCount: count) }
      components.append(component)
    }
    if components.isEmpty { throw .empty }
    description = components.joined(separator: "/")
    let count = description.utf8.count
    if count > Self.maximumByteCount { throw .tooLong(byteCount: count) }
  }

  /// The path's components, from the outermost directory to the file's name.
  public var components: [Substring] { description.split(separator: "/") }
}
