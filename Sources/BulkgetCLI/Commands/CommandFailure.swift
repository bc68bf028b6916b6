import BulkgetKit

/// Why a command could not do its work.
enum CommandFailure: Error, Sendable {
  /// The command line is wrong.
  case usage(UsageError)
  /// The manifests or the configuration are wrong: all that was found, in order.
  case problems([Problem])
  /// The cache, the report, standard output or the disk: what failed, and what to do.
  case surroundings(Failure, hint: String?)
  /// What was asked for is not there (`cache path`).
  case notFound(String, hint: String?)

  /// The status that the process ends with.
  var exitStatus: ExitStatus {
    switch self {
    case .usage, .problems: .usage
    case .surroundings: .surroundings
    case .notFound: .failure
    }
  }
}

/// One thing that is wrong with a manifest, or with the configuration where there is no file.
struct Problem: Hashable, Sendable {
  /// The manifest as given.
  var file: String?
  /// From 1; 0 where the whole file is meant.
  var line = 0
  /// In characters, from 1.
  var column = 0
  var message: String
  /// What to do.
  var hint: String?
  /// The line.
  var excerpt: Excerpt?

  /// A line of a manifest as it is shown: without secrets, and cut around the place when it is long.
  struct Excerpt: Hashable, Sendable {
    var text: String
    /// How many terminal columns stand before the place.
    var caretColumnCount: Int
  }

  /// A problem of the configuration.
  init(message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// A problem at a place of a manifest.
  init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }
}
