import BulkgetSystem
import TestSupport

/// The directories of one contender's run, which go with it.
struct Workplace: Sendable {
  private let directory: TemporaryDirectory

  var output: String { directory.path("output") }
  var lists: String { directory.path("lists") }

  init(in parent: String) throws {
    directory = try TemporaryDirectory(in: parent)
    try FileSystem.makeDirectories(output)
    try FileSystem.makeDirectories(lists)
  }
}
