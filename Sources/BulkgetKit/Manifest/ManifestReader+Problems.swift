/// Turning findings into problems with lines.
extension ManifestReader {
  /// All findings in the order of their places.
  func error() -> ManifestError {
    let sorted = findings.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }.map(\.element)
    let secrets = SecretRanges(tree: tree)
    var problems = sorted.prefix(Self.maximumFindingCount).map { problem($0, secrets) }
    let omittedCount = sorted.count - problems.count + omittedFindingCount
    if omittedCount > 0 {
      problems.append(
        ManifestError.Problem(
          file: input.path, ("\(omittedCount) more problems are left out", nil)))
    }
    return ManifestError(problems: problems)
  }

  private func problem(_ finding: Finding, _ secrets: SecretRanges) -> ManifestError.Problem {
    var message = finding.message
    if let earlier = finding.earlier {
      let place = lines.place(of: earlier)
      message += ", at line \(place.line), column \(place.column)"
    }
    return ManifestError.Problem(
      file: input.path, at: lines.place(of: finding.offset), (message, finding.hint),
      excerpt: excerpt(at: finding.offset, secrets))
  }

  /// The line around a byte as it is shown.
  func excerpt(at offset: Int, _ secrets: SecretRanges) -> ManifestError.Excerpt {
    let line = lines.lineRange(of: offset)
    return ExcerptWriter(
      source: tree.source, line: line, offset: offset,
      secrets: secrets.ranges(in: line, around: offset)
    ).excerpt()
  }
}
