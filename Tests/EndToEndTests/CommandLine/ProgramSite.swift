import BulkgetSystem
import Foundation
import TestSupport

/// A server, a directory to work in, and the built program with its cache there.
final class ProgramSite: Sendable {
  let server: TestServer
  let directory: TemporaryDirectory

  /// Starts a server; `body` is what it sends for every path without a route.
  init(_ routes: [String: [TestSupport.Step]] = [:], body: Body = "hello") throws {
    let common: [String: [TestSupport.Step]] = ["*": [.file(Resource(body, etag: "\"1\""))]]
    server = try TestServer(common.merging(routes) { $1 })
    directory = try TemporaryDirectory()
  }

  // MARK: Manifests

  /// Writes `manifest.yaml` with these ids, each at `/ID.bin` and placed as `ID.bin`.
  func writeManifest(_ ids: [String], _ keys: String...) throws {
    let entries = ids.map { id in
      let lines = ["id: \(id)", "url: \"\(server.url("/\(id).bin"))\"", "dest: \(id).bin"] + keys
      return "  - " + lines.joined(separator: "\n    ") + "\n"
    }
    try directory.write("files:\n" + entries.joined(), to: "manifest.yaml")
  }

  /// Writes `manifest.yaml` with so many entries `f0`, `f1`, …
  func writeManifest(count: Int) throws {
    try writeManifest((0..<count).map { "f\($0)" })
  }

  // MARK: Processes

  /// The program with words, in the site's directory. Waits between tries are short, and the output goes to `out`.
  func launch(_ words: [String]) throws -> Launch {
    Launch(try BuiltProducts.path(of: "bulkget"), words).with {
      $0.workingDirectory = directory.path
      $0.environment = [
        "BULKGET_CACHE": directory.path("cache"), "BULKGET_OUT": "out",
        "BULKGET_RETRY_WAIT_MAX": "0.02s",
      ]
    }
  }

  /// Runs the program to its end.
  func run(_ words: String..., change: (inout Launch) -> Void = { _ in }) throws -> EndedProcess {
    try ChildProcess.run(launch(words).with(change))
  }

  /// Starts the program.
  func start(_ words: String..., change: (inout Launch) -> Void = { _ in }) throws -> ChildProcess {
    try ChildProcess(launch(words).with(change))
  }

  /// Runs a line of shell in which `$0` is the program.
  func shell(_ script: String) throws -> EndedProcess {
    var launch = try launch([])
    launch.arguments = ["-c", script, launch.executable]
    launch.executable = "/bin/sh"
    return try ChildProcess.run(launch)
  }

  /// Looks again and again, for what sends no event.
  static func poll(_ what: String, until condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + HangError.patience
    while try !condition() {
      guard ContinuousClock.now < deadline else { throw HangError("no \(what)") }
      sched_yield()
    }
  }

  // MARK: What is there

  func exists(_ name: String) throws -> Bool {
    try FileSystem.status(of: directory.path(name)) != nil
  }

  /// The report at its default path.
  func report(_ name: String = "bulkget-report.json") throws -> ProgramReport {
    try ProgramReport(directory.read(name))
  }

  /// The relative paths of all files below a directory.
  func files(below name: String) throws -> [String] {
    try directory.contents().filter { $0.key.hasPrefix(name + "/") && $0.value.kind != .directory }
      .keys.sorted()
  }
}

/// The parts of a report or a plan that the tests look at. It is also the proof of being one JSON document.
struct ProgramReport: Decodable {
  struct Notice: Decodable {
    var code: String
    var message: String
  }

  struct Problem: Decodable {
    var file: String?
    var line: Int?
    var message: String
  }

  struct File: Decodable {
    var id: String
    var status: String?
    var action: String?
    var reason: String?
    var path: String?
    var bytes: Int64?
    var error: Notice?
  }

  var kind: String
  var status: String?
  var exitStatus: Int?
  var files: [File]?
  var totals: [String: Int64]?
  var error: Notice?
  var warnings: [Notice]?
  var problems: [Problem]?

  init(_ bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(bytes))
  }

  var statuses: [String] { (files ?? []).map { $0.status ?? "-" } }

  func count(_ status: String) -> Int { statuses.count { $0 == status } }
}
