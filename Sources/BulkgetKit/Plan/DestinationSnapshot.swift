/// What was at the destinations of some entries when they were looked at. A value: planning from it touches nothing.
public struct DestinationSnapshot: Sendable {
  /// What was seen at one destination.
  public struct Place: Hashable, Sendable {
    /// The file or symbolic link there; nil where there is neither.
    public var observation: FileObservation?
    /// Why nothing can be placed there.
    public var obstacle: Obstacle?

    /// Describes a place; without arguments one where nothing is.
    public init(observation: FileObservation? = nil, obstacle: Obstacle? = nil) {
      self.observation = observation
      self.obstacle = obstacle
    }
  }

  /// Why nothing can be placed at a destination.
  public enum Obstacle: Hashable, Sendable {
    /// A directory is there.
    case directory
    /// What is there is neither file nor symbolic link.
    case specialFile
    /// `path`, which ought to be a parent directory, is none.
    case parentIsNoDirectory(path: String)
    /// The parent `link` is a symbolic link that leads out of the output directory.
    case leavesOutputDirectory(link: String)
    /// The place belongs to a manifest, to the report or to the cache.
    case reserved
    /// Files can't be made in `directory`.
    case unwritable(directory: String)
    /// The system doesn't let the place be examined.
    case unreadable(message: String, isPermission: Bool)
  }

  /// What was seen at each destination; where nothing is written down, nothing is there.
  public var places: [DestinationPath: Place] = [:]

  /// An empty output directory.
  public init() {}
}

extension DestinationSnapshot.Place {
  /// Why the cached file has to be placed here; nil where the destination is right, or none is wanted.
  func need(of entry: Entry, for content: PlacedContent) -> Step.Reason? {
    guard entry.destination != nil else { return nil }
    guard let observation else { return .destinationMissing }
    return content.isRight(observation, for: entry) ? nil : .destinationDiffers
  }
}

extension DestinationSnapshot.Obstacle {
  /// Whether it matters even where the right file is there already. A directory without write permission doesn't.
  var isConflictWhenRight: Bool {
    if case .unwritable = self { false } else { true }
  }

  /// The failure of placing a file at `path`.
  func failure(at path: String) -> Failure {
    switch self {
    case .directory:
      conflict("cannot place `\(path)`: a directory is there; remove it, or change `dest`")
    case .specialFile:
      conflict(
        "cannot place `\(path)`: what is there is no regular file; remove it, or change `dest`")
    case .parentIsNoDirectory(let parent):
      conflict("cannot place `\(path)`: `\(parent)` is no directory; remove it, or change `dest`")
    case .leavesOutputDirectory(let link):
      conflict(
        "cannot place `\(path)`: the symbolic link `\(link)` leads out of the output directory")
    case .reserved:
      conflict(
        "cannot place `\(path)`: it belongs to a manifest, the report or the cache; change `dest`")
    case .unwritable(let directory):
      Failure(
        .permissionDenied,
        """
        cannot place `\(path)`: no permission to create files in `\(directory)`; change its permissions, or choose another \
        directory with `--out`
        """)
    case .unreadable(let message, let isPermission):
      Failure(isPermission ? .permissionDenied : .io, message)
    }
  }

  private func conflict(_ message: String) -> Failure { Failure(.destinationConflict, message) }
}
