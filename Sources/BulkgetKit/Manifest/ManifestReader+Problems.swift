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
    let line = lines.lineRange(of: finding.offset)
    let writer = ExcerptWriter(
      source: tree.source, line: line, offset: finding.offset,
      secrets: secrets.ranges(in: line, around: finding.offset))
    var message = finding.message
    if let earlier = finding.earlier {
      let place = lines.place(of: earlier)
      message += ", at line \(place.line), column \(place.column)"
    }
    return ManifestError.Problem(
      file: input.path, at: lines.place(of: finding.offset), (message, finding.hint),
      excerpt: writer.excerpt())
  }
}
