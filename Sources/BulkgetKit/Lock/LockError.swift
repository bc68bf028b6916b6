/// Why a lock file can't be written.
public enum LockError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file system refuses; `reason` names the call and the path.
  case unwritable(path: String, reason: String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unwritable(let path, let reason):
      "cannot write the lock file `\(path)`: \(reason); its place is beside the manifest"
    }
  }
}
