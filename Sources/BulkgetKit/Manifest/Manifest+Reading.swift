import BulkgetSystem

extension Manifest {
  /// The largest manifest, in bytes.
  public static let maximumByteCount = 256 * 1024 * 1024

  /// Reads and checks a manifest from a file, or from standard input for `-`. Everything that is wrong with it is in
  /// the error.
  public init(
    reading path: String, index: Int = 0, environment: [String: String]
  ) throws(ManifestError) {
    let bytes = try Self.bytes(of: path)
    let input = ManifestInput(
      path: path, directory: Self.directory(of: path), index: index, environment: environment)
    try self.init(parsing: bytes, input)
  }

  /// Checks the bytes of a manifest.
  public init(parsing bytes: [UInt8], _ input: ManifestInput) throws(ManifestError) {
    var reader = ManifestReader(bytes: bytes, input: input)
    self = try reader.read()
  }

  /// Reads several manifests; what is wrong with any of them is in one error.
  public static func reading(
    _ paths: [String], environment: [String: String]
  ) throws(ManifestError) -> [Manifest] {
    var manifests: [Manifest] = []
    var problems: [ManifestError.Problem] = []
    for (index, path) in paths.enumerated() {
      do throws(ManifestError) {
        manifests.append(try Manifest(reading: path, index: index, environment: environment))
      } catch {
        problems += error.problems
      }
    }
    if !problems.isEmpty { throw ManifestError(problems: problems) }
    return manifests
  }

  static func bytes(of path: String) throws(ManifestError) -> [UInt8] {
    do throws(InputFile.Refusal) {
      return try InputFile.bytes(of: path, limit: maximumByteCount)
    } catch {
      throw ManifestError(problems: [ManifestError.Problem(file: path, text(of: error))])
    }
  }

  private static func text(of refusal: InputFile.Refusal) -> (String, hint: String?) {
    switch refusal {
    case .system(let error): (error.description, nil)
    case .directory: ("it is a directory, not a manifest", "name the file in it")
    case .tooLarge:
      (
        "the manifest is larger than the limit of 256 MiB",
        "split it: several manifests can be given at once"
      )
    case .closedStandardInput: ("standard input is closed", "name a file instead of `-`")
    }
  }

  /// The absolute directory that holds the manifest.
  private static func directory(of path: String) -> String {
    let current = FileSystem.currentDirectory ?? "/"
    if path == "-" { return current }
    let parent = FileSystem.parentDirectory(of: path)
    if parent.hasPrefix("/") { return parent }
    let base = current == "/" ? "" : current
    return parent == "." ? current : base + "/" + parent
  }
}
