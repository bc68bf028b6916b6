import BulkgetSystem

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
    all(among: entries, folding: NameFolding(letterCase: true, unicodeForms: true))
  }

  /// The pairs that collide where names are folded in this way.
  static func all(among entries: [Entry], folding: NameFolding) -> [DestinationCollision] {
    guard entries.contains(where: { isFoldable($0.destination) }) else { return [] }
    var index = FoldedDestinations(folding)
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
    Notice(
      code: Self.noticeCode,
      message: "the destinations of \(names(among: entries)) differ only by letter case or "
        + "Unicode form: some file systems take them for one")
  }

  /// Both entries with id and destination.
  func names(among entries: [Entry]) -> String {
    let texts = [earlier, later].map { number in
      let entry = entries[number]
      let path = PrintableText.shown(entry.destination?.description ?? "")
      return "`\(PrintableText.shown(entry.key.id))` (\(path))"
    }
    return "\(texts[0]) and \(texts[1])"
  }

  /// The directory in which the two paths part, below the output directory and with a slash at its end; empty for that
  /// directory itself.
  func directory(among entries: [Entry]) -> String {
    let paths = [earlier, later].map { number in
      (entries[number].destination?.description ?? "").split(separator: "/")
    }
    let shared = zip(paths[0], paths[1]).prefix { isSameText(String($0), String($1)) }
    return shared.map { $0.0 + "/" }.joined()
  }
}
