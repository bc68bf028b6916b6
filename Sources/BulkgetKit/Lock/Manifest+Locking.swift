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
      guard let record = records[entry.key], record.holds(for: entry) else { continue }
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
    var manifests = try reading(paths, environment: environment)
    var problems: [ManifestError.Problem] = []
    for index in manifests.indices {
      do throws(ManifestError) {
        let lock = try LockFile(ofManifest: manifests[index].path)
        manifests[index] = try manifests[index].locked(by: lock)
      } catch {
        problems += error.problems
      }
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
    return manifests
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
      for entry in manifest.entries where matcher.selects(entry) && !entry.hasStrongDigest {
        let message =
          "`\(PrintableText.shown(entry.key.id))` has no digest of sha256 or stronger, "
          + "neither here nor in the lock file"
        problems.append(
          ManifestError.Problem(
            file: manifest.path, at: (entry.position.line, entry.position.column),
            (message, "`bulkget lock \(manifest.path)` records it; `--locked` insists on it")))
      }
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
  }
}

extension LockFile.Record {
  /// What the record says otherwise than the entry.
  fileprivate func contradictions(of entry: Entry) -> [String] {
    var names: [String] = []
    if let digest = entry.digests.first(where: { $0.algorithm == .sha256 }), digest != sha256 {
      names.append("sha256")
    }
    if let size = entry.size, size != self.size { names.append("size") }
    return names
  }

  fileprivate func complete(_ entry: inout Entry) {
    if !entry.hasStrongDigest { entry.digests.append(sha256) }
    if entry.size == nil { entry.size = size }
  }
}
