import BulkgetSystem
import Foundation
import TestSupport

/// A server, a cache and an output directory for one case, and the built program.
final class CaseSite: Sendable {
  let server: TestServer
  let directory: TemporaryDirectory

  init(
    _ routes: [String: [TestSupport.Step]] = [:], options: TestServer.Options = TestServer.Options()
  ) throws {
    server = try TestServer(routes, options: options)
    directory = try TemporaryDirectory()
  }

  /// Whether tests are wanted that take more than a few seconds.
  static var takesItsTime: Bool {
    ProcessInfo.processInfo.environment["BULKGET_LONG_TESTS"] == "1"
  }

  // MARK: Manifests

  /// The lines of an entry, by default that of the cases: id `a`, `/a.bin`, dest `a.bin`.
  func entry(
    _ id: String = "a", path: String? = nil, dest: String? = nil, _ keys: String...
  ) -> String {
    let lines = ["url: \"\(server.url(path ?? "/\(id).bin"))\"", "dest: \(dest ?? "\(id).bin")"]
    return Self.entry(id, lines + keys)
  }

  /// The lines of an entry with mirrors.
  func mirrored(_ paths: [String], _ keys: String...) -> String {
    let urls = paths.map { "\"\(server.url($0))\"" }.joined(separator: ", ")
    return Self.entry("a", ["urls: [\(urls)]", "dest: a.bin"] + keys)
  }

  static func entry(_ id: String, _ keys: [String]) -> String {
    (["  - id: \"\(id)\""] + keys.map { "    \($0)" }).joined(separator: "\n") + "\n"
  }

  static func manifest(_ entries: [String]) -> String {
    entries.isEmpty ? "files: []\n" : "files:\n" + entries.joined()
  }

  // MARK: Runs

  /// How the program is started; waits between tries are short, so that a test of retries takes no time.
  func launch(
    _ command: String = "run", _ entries: [String], _ options: [String] = [],
    cache: String = "cache", output: String = "out"
  ) throws -> Launch {
    try directory.write(Self.manifest(entries), to: "manifest.yaml")
    var words = [command, "manifest.yaml", "--cache", cache, "--out", output]
    if command == "run" { words += ["--retry-wait-max", "0.02s", "--report", "report.json"] }
    return Launch(try BuiltProducts.path(of: "bulkget"), words + options).with {
      $0.workingDirectory = directory.path
    }
  }

  /// Runs the program to its end.
  func run(
    _ entries: String..., options: [String] = [], cache: String = "cache", output: String = "out"
  ) throws -> CaseRun {
    try run(launch("run", entries, options, cache: cache, output: output))
  }

  /// The launch without root's rights, to whom nothing is forbidden, in a directory where everybody may write.
  func openedToAll(_ launch: Launch) throws -> Launch {
    try FileSystem.setPermissions(0o777, of: directory.path)
    return launch.asOrdinaryUser()
  }

  func run(_ launch: Launch) throws -> CaseRun {
    try FileSystem.remove(directory.path("report.json"))
    return try ended(ChildProcess.run(launch))
  }

  /// What an ended run left.
  func ended(_ process: EndedProcess) throws -> CaseRun {
    guard try exists("report.json") else { return CaseRun(process: process, decoded: nil) }
    return CaseRun(process: process, decoded: try Self.decode(directory.read("report.json")))
  }

  /// The plan as the program prints it.
  func plan(
    _ entries: String..., options: [String] = [], cache: String = "cache", output: String = "out"
  ) throws -> CaseRun {
    let ended = try ChildProcess.run(
      launch("plan", entries, ["--json"] + options, cache: cache, output: output))
    return CaseRun(process: ended, decoded: try Self.decode(ended.output.standardOutput))
  }

  private static func decode(_ bytes: [UInt8]) throws -> CaseReport {
    try JSONDecoder().decode(CaseReport.self, from: Data(bytes))
  }

  // MARK: What is there

  func exists(_ name: String) throws -> Bool {
    try FileSystem.status(of: directory.path(name)) != nil
  }

  /// Whether a file, by default the usual destination, has exactly these bytes.
  func holds(_ body: Body, at name: String = "out/a.bin") throws -> Bool {
    try exists(name) && directory.read(name) == body.bytes
  }

  /// The relative paths of all files below a directory.
  func files(below name: String) throws -> [String] {
    try directory.contents().filter { $0.key.hasPrefix(name + "/") && $0.value.kind != .directory }
      .keys.sorted()
  }

  /// The path of the only partial's bytes.
  func partial() throws -> String {
    let names = try files(below: "cache/partial").filter { !$0.hasSuffix(".json") }
    guard let name = names.first, names.count == 1 else {
      throw ToolError("there is not one partial: \(names)")
    }
    return name
  }

  func size(of name: String) throws -> Int64? {
    try FileSystem.status(of: directory.path(name))?.size
  }

  /// Changes a file in place, though it be read-only.
  func overwrite(_ name: String, _ bytes: [UInt8], at offset: Int64) throws {
    try open(name).write(bytes, at: offset)
  }

  func truncate(_ name: String, to size: Int64) throws {
    try open(name).truncate(to: size)
  }

  private func open(_ name: String) throws -> FileDescriptor {
    let path = directory.path(name)
    let permissions = try FileSystem.status(of: path)?.permissions ?? 0o644
    try FileSystem.setPermissions(permissions | 0o200, of: path)
    let descriptor = try FileDescriptor.updating(path)
    try descriptor.setPermissions(permissions)
    return descriptor
  }
}

extension Body {
  /// A line of a manifest.
  var sha256: String { "sha256: \(hexadecimalDigest())" }
}

/// Waits until something that sends no event has happened, such as a file that grows.
func wait(for what: String, until condition: () throws -> Bool) throws {
  let deadline = MonotonicTime.now.advanced(by: HangError.patience)
  while try !condition() {
    guard deadline > .now else { throw HangError("no \(what)") }
    usleep(500)
  }
}
