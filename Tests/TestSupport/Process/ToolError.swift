import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that the tests need and that isn't there, or didn't do what it should.
package struct ToolError: Error, CustomStringConvertible {
  package let description: String

  package init(_ message: String, hint: String? = nil) {
    description = message + (hint.map { "\nhint: \($0)" } ?? "")
  }
}

extension ChildProcess {
  /// Starts a tool of the system; where it isn't there, the error says how to get it.
  static func start(tool launch: Launch) throws -> ChildProcess {
    do {
      return try ChildProcess(launch)
    } catch let error as SystemError where error.code == ENOENT {
      throw ToolError(
        "`\(launch.executable)` is not installed", hint: "run `.ci/install-dependencies --test`")
    }
  }

  /// Runs a tool of the system to its end, which must be a good one; its standard output.
  @discardableResult
  static func run(tool launch: Launch) throws -> String {
    let ended = try start(tool: launch).wait()
    guard ended.exitStatus == 0 else {
      let words = ([launch.executable] + launch.arguments).joined(separator: " ")
      throw ToolError("`\(words)` failed: \(ended)")
    }
    return ended.output.text
  }
}
