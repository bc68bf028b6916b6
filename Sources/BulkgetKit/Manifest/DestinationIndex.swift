/// Finds destinations that are the same, or of which one would have to be a directory for the other.
///
/// Paths are numbered in the order in which they are added.
struct DestinationIndex {
  /// How a path stands to one before it.
  enum Relation {
    case same, insideEarlier, aroundEarlier
  }

  struct Conflict {
    /// The number of the earlier path.
    var earlier: Int
    var relation: Relation

    /// The conflict in words, with the id of the earlier entry.
    func message(path: String, otherID: String) -> String {
      let path = PrintableText.shown(path)
      let other = PrintableText.shown(otherID)
      return switch relation {
      case .same: "the destination `\(path)` is already that of `\(other)`"
      case .insideEarlier:
        "the destination `\(path)` needs a directory where `\(other)` puts a file"
      case .aroundEarlier: "the destination `\(path)` is a directory of that of `\(other)`"
      }
    }
  }

  /// What a path is used for, and the number of the first path that does.
  private struct Use {
    var number: Int
    var isDirectory: Bool
  }

  private var uses: [ExactText: Use] = [:]
  /// The directory of the last path: its neighbours mostly share it, and then its parents are known.
  private var lastDirectory: Substring = ""
  private var count = 0

  mutating func reserveCapacity(_ count: Int) {
    uses.reserveCapacity(count)
  }

  /// Adds a normalised path and gives the first conflict with those before it.
  mutating func add(_ path: String) -> Conflict? {
    let number = count
    count += 1
    let earlier = uses.updateValue(Use(number: number, isDirectory: false), forKey: ExactText(path))
    if let earlier, !earlier.isDirectory {
      return Conflict(earlier: earlier.number, relation: .same)
    }
    let inside = addDirectories(of: path, number: number)
    return inside ?? earlier.map { Conflict(earlier: $0.number, relation: .aroundEarlier) }
  }

  /// Adds the directories that a path needs, up to the first that is known.
  private mutating func addDirectories(of path: String, number: Int) -> Conflict? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    var directory = path[..<slash]
    if directory.utf8.elementsEqual(lastDirectory.utf8) { return nil }
    lastDirectory = directory
    while true {
      let key = ExactText(String(directory))
      if let use = uses[key] {
        return use.isDirectory ? nil : Conflict(earlier: use.number, relation: .insideEarlier)
      }
      uses[key] = Use(number: number, isDirectory: true)
      guard let slash = directory.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      directory = directory[..<slash]
    }
  }
}

/// A text that equals another only byte for byte: strings of Swift are equal in any Unicode form.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Self, right: Self) -> Bool { isSameText(left.text, right.text) }
}

/// Whether two texts are the same byte for byte.
func isSameText(_ left: String, _ right: String) -> Bool {
  left == right && left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
