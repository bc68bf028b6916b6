extension Manifest {
  /// The manifest with the digests and sizes that its lock file adds.
  ///
  /// - Throws: where both say something about the same URLs and contradict each other; each contradiction with its place.
  public func locked(by lock: LockFile) throws(ManifestError) -> Manifest {
    if lock.records.isEmpty { return self }
    let records = Dictionary(lock.records.map { ($0.key, $0) }) { first, _ in first }
    let path = LockFile.path(of: path) ?? path
    var manifest = self
    var problems: [ManifestError.Problem] = []
    for (index, entry) in entries.enumerated() {
      guard let record = records[entry.key], record.holds(for: entry, in: directory)
      else { continue }
      for name in record.contradictions(of: entry) {
        let message =
          "the \(name) of `\(PrintableText.shown(entry.key.id))` is not the manifest's, "
          + "at \(self.path):\(entry.position.line):\(entry.position.column)"
        problems.append(
          ManifestError.Problem(
            file: path, at: (record.line, record.column),
            (message, "correct the manifest, or run `bulkget lock` to record what is there now")))
      }
      record.complete(&manifest.entries[index])
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
    return manifest
  }

  /// The manifests that `reading` gives, each with what its lock file adds. All problems are in one error.
  public static func readingLocked(
    _ paths: [String], environment: [String: String]
  ) throws(ManifestError) -> [Manifest] {
    let unlocked = try reading(paths, environment: environment)
    var manifests = unlocked
    var problems: [ManifestError.Problem] = []
    for index in manifests.indices {
      do throws(ManifestError) {
        let lock = try LockFile(ofManifest: manifests[index].path)
        manifests[index] = try manifests[index].locked(by: lock)
      } catch {
        let path = LockFile.path(of: manifests[index].path) ?? manifests[index].path
        problems += error.showingLines(of: path, sha256: nil).problems
      }
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
    manifests.shareLocks(of: unlocked)
    return manifests
  }
}

extension [Manifest] {
  /// Entries that were equal stay so when only one manifest's lock file has them: they are one entry of the run.
  fileprivate mutating func shareLocks(of unlocked: [Manifest]) {
    if count == 1 { return }
    var additions: [FileKey: (before: Entry, after: Entry)] = [:]
    for (before, after) in zip(unlocked, self) {
      for (before, after) in zip(before.entries, after.entries) where before != after {
        if additions[before.key] == nil { additions[before.key] = (before, after) }
      }
    }
    if additions.isEmpty { return }
    for index in indices {
      for (number, entry) in self[index].entries.enumerated() {
        guard let (before, after) = additions[entry.key], entry.isEqual(exceptPosition: before)
        else { continue }
        self[index].entries[number].digests = after.digests
        self[index].entries[number].size = after.size
        self[index].entries[number].locked = after.locked
      }
    }
  }
}

extension Selection {
  /// Finds out whether every chosen entry has a digest of sha256 or stronger.
  ///
  /// - Throws: every one that has none, with its place.
  public func checkLocked(_ manifests: [Manifest]) throws(ManifestError) {
    let matcher = SelectionMatcher(self)
    var problems: [ManifestError.Problem] = []
    for manifest in manifests {
      let hint =
        LockFile.path(of: manifest.path) == nil
        ? "give it in the manifest: standard input has no lock file"
        : "`bulkget lock \(manifest.path)` records it; `--locked` insists on it"
      for entry in manifest.entries where matcher.selects(entry) && !entry.hasStrongDigest {
        let message =
          "`\(PrintableText.shown(entry.key.id))` has no digest of sha256 or stronger, "
          + "neither here nor in the lock file"
        problems.append(
          ManifestError.Problem(
            file: manifest.path, at: (entry.position.line, entry.position.column),
            (message, hint)))
      }
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
  }
}

extension LockFile.Record {
  /// What the record says otherwise than the entry.
  func contradictions(of entry: Entry) -> [String] {
    var names: [String] = []
    if let digest = entry.digests.first(where: { $0.algorithm == .sha256 }), digest != sha256 {
      names.append("sha256")
    }
    if let size = entry.size, size != self.size { names.append("size") }
    return names
  }

  fileprivate func complete(_ entry: inout Entry) {
    if !entry.hasStrongDigest {
      entry.digests.append(sha256)
      entry.locked.insert(.sha256)
    }
    if entry.size == nil {
      entry.size = size
      entry.locked.insert(.size)
    }
  }
}
