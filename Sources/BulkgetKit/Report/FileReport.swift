/// What the report says about one entry.
public struct FileReport: Sendable {
  /// Where an entry stands.
  public struct Position: Hashable, Sendable {
    /// The manifest's path as the user gave it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int

    /// Makes a position.
    public init(file: String, line: Int, column: Int) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  /// The namespace and the id.
  public var key: FileKey
  /// The type; nil for none.
  public var type: FileType?
  /// What was planned.
  public var action: Step.Action
  /// Why.
  public var reason: Step.Reason
  /// The redacted URL, or the local path, that delivered, was tried last, or would have been asked first.
  public var url: String?
  /// Whether the run succeeds without this file.
  public var isOptional: Bool
  /// Where the entry stands; nil for one that was made in code.
  public var position: Position?
  /// What became of it, with the plan's warnings ahead of the run's.
  public var outcome: Outcome

  /// Joins a step with its outcome; `manifests` are the paths that positions refer to.
  public init(step: Step, outcome: Outcome, manifests: [String]) {
    let entry = step.entry
    key = entry.key
    type = entry.type
    action = step.action
    reason = step.reason
    url = outcome.url ?? entry.sources.first?.redacted
    isOptional = entry.isOptional
    position = Position(entry.position, manifests: manifests)
    self.outcome = outcome
    if !step.warnings.isEmpty { self.outcome.warnings = step.warnings + outcome.warnings }
  }
}

extension FileReport.Position {
  /// Names the manifest of a position; nil where there is none.
  init?(_ position: SourcePosition, manifests: [String]) {
    guard position.line > 0, manifests.indices.contains(position.manifest) else { return nil }
    self.init(
      file: manifests[position.manifest], line: position.line, column: position.column)
  }
}
