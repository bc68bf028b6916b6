import BulkgetSystem

extension ManifestError {
  /// The problems, each with the line that it is about.
  ///
  /// What is found after reading has only a place, since the bytes of manifests aren't kept. They are read once more here,
  /// where it no longer matters how long that takes. No line is shown of standard input or a pipe, which can't be read twice,
  /// nor of a manifest that has changed since. Nor beyond as many problems as a reader keeps: nobody reads them all.
  public func showingLines(of manifests: [Manifest]) -> ManifestError {
    var error = self
    for manifest in manifests {
      error = error.showingLines(of: manifest.path, sha256: manifest.sha256)
    }
    return error
  }

  /// The problems, those of one file with their lines.
  ///
  /// - Parameter sha256: of the bytes that the places are about; nil where that isn't known.
  func showingLines(of path: String, sha256: Digest?) -> ManifestError {
    let file = PrintableText.escaped(path)
    guard problems.contains(where: { $0.file == file && $0.lacksLine }),
      let reader = Self.reader(of: path), sha256 == nil || reader.manifest.sha256 == sha256
    else { return self }
    let secrets = SecretRanges(tree: reader.tree)
    var remainingCount = ManifestReader.maximumFindingCount
    return ManifestError(
      problems: problems.map { problem in
        guard problem.file == file, problem.lacksLine, remainingCount > 0,
          let offset = reader.lines.offset(of: (problem.line, problem.column))
        else { return problem }
        remainingCount -= 1
        return Problem(
          file: problem.file, at: (problem.line, problem.column), (problem.message, problem.hint),
          excerpt: reader.excerpt(at: offset, secrets))
      })
  }

  /// The file as it is now. A line that can't be shown is no reason to say anything but the problem.
  private static func reader(of path: String) -> ManifestReader? {
    let status = Result { () throws(SystemError) in
      try FileSystem.status(of: path, followingLinks: true)
    }
    guard path != "-", case .success(let status?) = status, status.kind == .file else { return nil }
    let bytes = Result { () throws(ManifestError) in try Manifest.bytes(of: path) }
    guard case .success(let bytes) = bytes else { return nil }
    return ManifestReader(bytes: bytes, input: ManifestInput(path: path, directory: "/"))
  }
}

extension ManifestError.Problem {
  fileprivate var lacksLine: Bool { excerpt == nil && line > 0 }
}
