/// Why a report can't be written.
public enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file system refuses; `reason` names the call and the path.
  case unwritable(path: String, reason: String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unwritable(let path, let reason):
      "cannot write the report to `\(path)`: \(reason); choose another file with `--report`"
    }
  }
}
