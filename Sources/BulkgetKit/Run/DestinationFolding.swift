import BulkgetSystem

extension Manifest.Combination {
  /// Looks whether the output directory takes destinations that differ by letter case or Unicode form for one, and changes
  /// nothing there.
  ///
  /// Of a directory that isn't there yet, the nearest one above it that is decides. `manifests` are those that were put
  /// together.
  ///
  /// - Throws: all pairs of entries of which one would replace the other, with the ids and positions of both.
  public func checkDestinations(
    of manifests: [Manifest], in outputDirectory: String
  ) throws(ManifestError) {
    let problems = foldingProblems(of: manifests) { directory in
      Self.folding(of: "\(outputDirectory)/\(directory)")
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
  }

  /// The pairs that are one where each directory, given by its path below the output directory, folds names as `folding`
  /// says.
  func foldingProblems(
    of manifests: [Manifest], _ folding: (String) -> NameFolding
  ) -> [ManifestError.Problem] {
    var known: [String: NameFolding] = [:]
    func look(_ collision: DestinationCollision) -> NameFolding {
      let directory = collision.directory(among: entries)
      let found = known[directory] ?? folding(directory)
      known[directory] = found
      return found
    }
    // What folds less than everything may pair an entry with another one than the first that it could collide with.
    let foldings = Set(DestinationCollision.all(among: entries).map(look))
    let collisions = foldings.subtracting([NameFolding()]).flatMap { folding in
      DestinationCollision.all(among: entries, folding: folding).filter { look($0) == folding }
    }
    return collisions.sorted { $0.later < $1.later }.map { problem($0, look($0), manifests) }
  }

  private func problem(
    _ collision: DestinationCollision, _ folding: NameFolding, _ manifests: [Manifest]
  ) -> ManifestError.Problem {
    let (earlier, later) = (entries[collision.earlier], entries[collision.later])
    let message =
      "the destinations of \(collision.names(among: entries)) collide, because the output directory "
      + "ignores \(folding); the other entry is at \(manifests.place(of: earlier))"
    return ManifestError.Problem(
      file: manifests.path(of: later), at: (later.position.line, later.position.column),
      (message, "give one of them another `dest`, or place them elsewhere with `--out`"))
  }

  private static func folding(of directory: String) -> NameFolding {
    var path = directory
    while !FileSystem.isDirectory(path) {
      let parent = FileSystem.parentDirectory(of: path)
      if parent == path { break }
      path = parent
    }
    // Where nobody may look nobody can place anything either, and that is reported with the entries.
    do { return try NameFolding(of: path) } catch { return NameFolding() }
  }
}

extension NameFolding: CustomStringConvertible {
  /// What makes no difference.
  package var description: String {
    switch (letterCase, unicodeForms) {
    case (true, true): "letter case and Unicode forms"
    case (true, false): "letter case"
    case (false, true): "Unicode forms"
    case (false, false): "nothing"
    }
  }
}
