/// One piece of work for one program.
struct Job: Sendable {
  let files: [ServedFile]
  /// The URL of the files' directory, without a slash at its end.
  let baseURL: String
  /// The directory to which the files go; bulkget's cache.
  let output: String
  /// The directory for lists of files and the like.
  let lists: String
  /// The CA to be trusted, for TLS.
  var certificateFile: String?
  var tuning = Tuning(jobs: 8)
  var start = Scenario.Start.nothing
  /// Whether this bulkget can split a file.
  var canSegment = false

  func url(of file: ServedFile) -> String { "\(baseURL)/\(file.name)" }
  func path(of file: ServedFile) -> String { "\(output)/\(file.name)" }
}

/// The words after a program's name, and the lists that they name.
struct Command: Hashable, Sendable {
  var arguments: [String]
  /// The lists' texts by their paths.
  var lists: [String: String] = [:]
}
