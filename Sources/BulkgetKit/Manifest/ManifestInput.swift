/// What a manifest is read with, besides its bytes.
public struct ManifestInput: Sendable {
  /// The path as the user gave it; `-` for standard input.
  public var path: String
  /// Which of the run's manifests it is, from 0.
  public var index = 0
  /// What `${env:NAME}` takes its values from.
  public var environment: [String: String] = [:]
  /// The absolute directory that plain paths in the manifest are relative to.
  public var directory: String

  /// Describes a manifest at `path` whose relative paths begin at `directory`, an absolute one.
  public init(
    path: String, directory: String, index: Int = 0, environment: [String: String] = [:]
  ) {
    self.path = path
    self.directory = directory
    self.index = index
    self.environment = environment
  }
}
