/// Two entries whose destinations are one, or lie in each other, on a file system that folds letter case or Unicode
/// forms.
public struct DestinationCollision: Hashable, Sendable {
  /// The index of the entry that comes first.
  public let earlier: Int
  /// The index of the entry that comes later.
  public let later: Int

  /// The pairs among `entries`, each later entry with the first one that it collides with. Where the output directory
  /// folds, each of them is an error; ids and positions are the entries'. Destinations that collide on every file system
  /// are not among them.
  public static func all(among entries: [Entry]) -> [DestinationCollision] {
    guard entries.contains(where: { isFoldable($0.destination) }) else { return [] }
    var index = FoldedDestinations()
    var collisions: [DestinationCollision] = []
    for (number, entry) in entries.enumerated() {
      guard let destination = entry.destination else { continue }
      if let earlier = index.add(destination.description, number: number) {
        collisions.append(DestinationCollision(earlier: earlier, later: number))
      }
    }
    return collisions
  }

  /// Whether folding changes anything: without a capital letter and outside of ASCII in any path, nothing can collide.
  private static func isFoldable(_ path: DestinationPath?) -> Bool {
    path?.description.utf8.contains { $0 >= 0x80 || (0x41...0x5A).contains($0) } ?? false
  }

  static let noticeCode = "destination-collision"

  /// The warning about this pair of `entries`.
  func notice(among entries: [Entry]) -> Notice {
    let texts = [earlier, later].map { number in
      let entry = entries[number]
      let path = PrintableText.shown(entry.destination?.description ?? "")
      return "`\(PrintableText.shown(entry.key.id))` (\(path))"
    }
    return Notice(
      code: Self.noticeCode,
      message: "the destinations of \(texts[0]) and \(texts[1]) differ only by letter case or "
        + "Unicode form: some file systems take them for one")
  }
}

/// Destinations by their folded text. Strings of Swift are equal in any Unicode form, which is what is wanted here.
private struct FoldedDestinations {
  private struct Use {
    var number: Int
    var path: String
  }
  private var files: [String: Use] = [:]
  private var directories: [String: Use] = [:]

  /// Adds a path and gives the number of an earlier one that it collides with only when folded.
  mutating func add(_ path: String, number: Int) -> Int? {
    let folded = Self.folded(path)
    var collision: Int?
    if let use = files[folded] {
      if !isSameText(use.path, path) { collision = use.number }
    } else {
      files[folded] = Use(number: number, path: path)
    }
    if let use = directories[folded], !isSameText(use.path, path) {
      collision = collision ?? use.number
    }
    var parent = path[...]
    while let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/")) {
      parent = parent[..<slash]
      let text = String(parent)
      let foldedParent = Self.folded(text)
      if let use = files[foldedParent], !isSameText(use.path, text) {
        collision = collision ?? use.number
      }
      if directories[foldedParent] != nil { break }
      directories[foldedParent] = Use(number: number, path: text)
    }
    return collision
  }

  /// Upper-casing first also folds letters that have no capital of their own, as in `ß` and `ss`.
  private static func folded(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 < 0x80 }) { return path.lowercased() }
    return path.uppercased().lowercased()
  }
}
