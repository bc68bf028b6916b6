import BulkgetSystem
import Foundation
import TestSupport

/// A directory with a manifest, a cache and an output directory, and the built program to be run in it.
final class NetworkSite: Sendable {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// What every run says besides its own options: short waits, so that a test of retries takes no time.
  static let patience = ["--retry-wait-max", "0.05"]

  /// How the program is started on a manifest.
  func launch(
    _ manifest: String, _ options: [String] = [], environment: [String: String] = [:]
  ) throws -> Launch {
    try directory.write(manifest, to: "manifest.yaml")
    let words =
      ["run", "manifest.yaml", "--cache", "cache", "--out", "out", "--report", "report.json"]
      + options
    return Launch(try BuiltProducts.path(of: "bulkget"), words).with {
      $0.workingDirectory = directory.path
      $0.environment = environment
    }
  }

  /// Runs the program to its end.
  func run(
    _ manifest: String, _ options: [String] = patience, environment: [String: String] = [:]
  ) throws -> NetworkRun {
    try finished(ChildProcess.run(launch(manifest, options, environment: environment)))
  }

  /// What an ended process left.
  func finished(_ process: EndedProcess) throws -> NetworkRun {
    var report: NetworkReport?
    if try FileSystem.status(of: directory.path("report.json")) != nil {
      report = try JSONDecoder().decode(
        NetworkReport.self, from: Data(directory.read("report.json")))
    }
    return NetworkRun(process: process, decoded: report)
  }

  /// The bytes at a destination; nil where there is nothing.
  func placed(_ destination: String) throws -> [UInt8]? {
    guard try FileSystem.status(of: directory.path("out/\(destination)")) != nil else { return nil }
    return try directory.read("out/\(destination)")
  }

  /// The relative paths of all files below a directory.
  func files(below name: String) throws -> Set<String> {
    let all = try directory.contents().filter { $0.value.kind != .directory }
    return Set(
      all.keys.filter { $0.hasPrefix(name + "/") }.map { String($0.dropFirst(name.count + 1)) })
  }
}

/// A run that has ended.
struct NetworkRun: CustomStringConvertible {
  let process: EndedProcess
  let decoded: NetworkReport?

  var exitStatus: CInt? { process.exitStatus }
  var errorText: String { process.output.errorText }
  /// What happened, for the message of a failed expectation.
  var description: String {
    "\(process)\n" + (decoded?.files ?? []).map { "\($0)" }.joined(separator: "\n")
  }

  /// The report, which every run but one of wrong usage writes.
  var report: NetworkReport {
    get throws {
      guard let decoded else { throw ToolError("there is no report: \(process)") }
      return decoded
    }
  }

  /// The report on one entry.
  func file(_ id: String) throws -> NetworkReport.File {
    guard let file = try report.files.first(where: { $0.id == id }) else {
      throw ToolError("the report has no entry `\(id)`: \(process)")
    }
    return file
  }

  /// The codes of all failures by id.
  var failures: [String: String] {
    get throws {
      var codes: [String: String] = [:]
      for file in try report.files { codes[file.id] = file.error?.code }
      return codes
    }
  }
}

/// The parts of a report that the cases look at.
struct NetworkReport: Decodable {
  struct Notice: Decodable, Hashable {
    var code: String
    var message: String
  }

  struct Attempt: Decodable {
    var url: String
    var httpStatus: Int?
    var bytes: Int64
    var error: Notice?
  }

  struct File: Decodable {
    var id: String
    var status: String
    var url: String?
    var finalURL: String?
    var bytes: Int64
    var resumedBytes: Int64
    var path: String?
    var destination: String?
    var attempts: [Attempt]
    var warnings: [Notice]
    var error: Notice?
  }

  struct Problem: Decodable {
    var line: Int?
    var message: String
  }

  var status: String
  var durationSeconds: Double
  var files: [File]
  var warnings: [Notice]
  var problems: [Problem]?
}
