extension Manifest {
  /// The entries of all manifests of a run, and what is worth a word about them.
  public struct Combination: Sendable {
    /// In the order of the manifests; an entry that a later manifest repeats is there once.
    public var entries: [Entry] = []
    /// The manifests' own warnings, and those about entries of different manifests.
    public var warnings: [Notice] = []
  }

  /// Puts the manifests of one run together, in their order.
  ///
  /// The same namespace and id in two of them is an error unless the entries are equal; so are two entries with one
  /// destination, or with one inside the other. All of it is in one error.
  public static func combined(_ manifests: [Manifest]) throws(ManifestError) -> Combination {
    if manifests.count == 1 {
      // Its reader has checked all of this.
      return Combination(entries: manifests[0].entries, warnings: manifests[0].warnings)
    }
    var combiner = ManifestCombiner(manifests: manifests)
    for manifest in manifests {
      for entry in manifest.entries { combiner.add(entry) }
    }
    if !combiner.problems.isEmpty { throw ManifestError(problems: combiner.problems) }
    var combination = Combination(entries: combiner.entries)
    // Collisions are looked for once more, among all entries.
    combination.warnings = manifests.flatMap(\.warnings).filter {
      $0.code != DestinationCollision.noticeCode
    }
    combination.warnings += DestinationCollision.all(among: combination.entries).map {
      $0.notice(among: combination.entries)
    }
    return combination
  }
}

/// Compares each entry with those of the manifests before.
private struct ManifestCombiner {
  let manifests: [Manifest]
  var entries: [Entry] = []
  var problems: [ManifestError.Problem] = []
  private var numbers: [FileKey: Int] = [:]
  private var destinations = DestinationIndex()
  /// The entry of each path in the index.
  private var placed: [Int] = []

  init(manifests: [Manifest]) {
    self.manifests = manifests
  }

  mutating func add(_ entry: Entry) {
    if let number = numbers[entry.key] {
      if !entry.isEqual(exceptPosition: entries[number]) {
        let id = PrintableText.shown(entry.key.id)
        report(
          "the id `\(id)` of the namespace `\(entry.key.namespace)` is already another entry's",
          hint: "give one of the manifests a `namespace` of its own", entry, entries[number])
      }
      return
    }
    numbers[entry.key] = entries.count
    if let path = entry.destination?.description {
      if let conflict = destinations.add(path) {
        let other = entries[placed[conflict.earlier]]
        report(conflict.message(path: path, otherID: other.key.id), hint: nil, entry, other)
      }
      placed.append(entries.count)
    }
    entries.append(entry)
  }

  private mutating func report(_ message: String, hint: String?, _ entry: Entry, _ earlier: Entry) {
    problems.append(
      ManifestError.Problem(
        file: manifests.path(of: entry), at: (entry.position.line, entry.position.column),
        ("\(message), at \(manifests.place(of: earlier))", hint)))
  }
}

extension [Manifest] {
  /// The path of the manifest that an entry of theirs is in.
  func path(of entry: Entry) -> String {
    let index = entry.position.manifest
    return indices.contains(index) ? self[index].path : "-"
  }

  /// Where an entry of theirs is: `FILE:LINE:COLUMN`.
  func place(of entry: Entry) -> String {
    "\(path(of: entry)):\(entry.position.line):\(entry.position.column)"
  }
}

extension Entry {
  /// Whether two entries want the same, wherever they are written.
  func isEqual(exceptPosition other: Entry) -> Bool {
    var copy = self
    copy.position = other.position
    copy.locked = other.locked
    return copy == other
  }
}
