import BulkgetSystem
import TestSupport

/// The programs of the comparison that this machine has.
struct Programs: Sendable {
  /// Their paths.
  let paths: [Tool: String]
  /// What they say about themselves, by name.
  let versions: [String: String]
  /// Whether this bulkget can split a file.
  let canSegment: Bool

  /// Looks for them; bulkget itself is at `bulkget`.
  init(bulkget: String) throws {
    guard FileSystem.isReadable(bulkget) else {
      throw ToolError("there is no bulkget at `\(bulkget)`", hint: "name it with --bulkget PATH")
    }
    var paths: [Tool: String] = [:]
    for tool in Tool.allCases { paths[tool] = InstalledPrograms.path(of: tool.rawValue) }
    paths[.bulkget] = bulkget
    guard let nginx = InstalledPrograms.path(of: "nginx") else {
      throw ToolError(
        "`nginx` is not installed, and it is what serves the files",
        hint: "run `.ci/install-dependencies --bench`")
    }
    var versions = ["nginx": try Self.version(of: nginx, "-v")]
    for (tool, path) in paths { versions[tool.rawValue] = try Self.version(of: path, "--version") }
    let help = try ChildProcess.run(Launch(bulkget, ["help", "run"]))
    guard help.exitStatus == 0 else { throw ToolError("`\(bulkget)` doesn't run: \(help)") }
    canSegment = help.output.text.contains("--segments")
    self.paths = paths
    self.versions = versions
  }

  /// The peers that are not installed.
  var missing: [Tool] { Tool.allCases.filter { paths[$0] == nil } }

  private static func version(of program: String, _ option: String) throws -> String {
    let output = try ChildProcess.run(Launch(program, [option])).output
    // nginx has it on standard error.
    return Self.version(in: output.text.isEmpty ? output.errorText : output.text)
  }

  /// The first line, without what some add about their libraries or themselves.
  static func version(in text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    let end = [" (", " - "].compactMap { mark in
      line.indices.first { line[$0...].hasPrefix(mark) }
    }.min()
    return String(line[..<(end ?? line.endIndex)])
  }
}
