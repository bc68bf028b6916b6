import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// The benchmark at a scale at which its figures mean nothing: it must work, not measure.
@Suite(.blocking) struct BenchmarkCases {
  private static let tools = ["nginx", "openssl", "curl", "wget2", "aria2c"]

  /// Why it can't run here; nil where it can.
  private static let obstacle: String? = {
    let missing = tools.filter { InstalledPrograms.path(of: $0) == nil }
    return missing.isEmpty ? nil : "not installed: \(missing.joined(separator: ", "))"
  }()

  /// The parts of its JSON document that are looked at.
  private struct Document: Decodable {
    struct Scenario: Decodable {
      var scenario: String
      var fileCount: Int
      var rows: [Row]
    }

    struct Row: Decodable {
      var contender: String
      var samples: [Sample]
    }

    struct Sample: Decodable {
      var round: Int
      var wallSeconds: Double
      var peakMemory: Int
      var failure: String?
    }

    var rounds: Int
    var versions: [String: String]
    var scenarios: [Scenario]
  }

  private func run(_ words: [String], in directory: TemporaryDirectory) throws -> EndedProcess {
    let launch = Launch(
      try BuiltProducts.path(of: "bulkget-bench"), words + ["--directory", directory.path])
    return try ChildProcess(launch).wait(atMost: .seconds(300))
  }

  @Test(.enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? "")))
  func measuresEveryContenderAndChecksItsOutput() throws {
    let directory = try TemporaryDirectory()
    let ended = try run(
      [
        "--scenarios", "small,noop,resume,plan-crowded", "--rounds", "1", "--scale", "0.002",
        "--contenders", "bulkget,curl,curl+sha,wget2,wget2+sha,aria2c",
        "--output", directory.path("all.json"), "--markdown", directory.path("table.md"),
      ], in: directory)
    #expect(ended.exitStatus == 0, "\(ended)")
    let bytes = Data(try directory.read("all.json"))
    let document = try JSONDecoder().decode(Document.self, from: bytes)
    #expect(document.scenarios.map(\.scenario) == ["small", "noop", "resume", "plan-crowded"])
    #expect(document.scenarios.map(\.fileCount) == [20, 20, 1, 200])
    #expect(document.scenarios.map(\.rows.count) == [6, 6, 6, 1])
    for row in document.scenarios.flatMap(\.rows) {
      #expect(row.samples.map(\.round) == [0, 1])
      #expect(row.samples.allSatisfy { $0.failure == nil && $0.wallSeconds > 0 })
      #expect(row.samples.allSatisfy { $0.peakMemory > 0 })
    }
    #expect(document.versions.keys.contains("nginx"))
    let table = String(decoding: try directory.read("table.md"), as: UTF8.self)
    #expect(table.contains("| small: 10,000 files of 4 KiB | bulkget | "))
    #expect(try directory.contents().keys.sorted() == ["all.json", "table.md"])
  }

  @Test(.enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? "")))
  func aProgramThatWritesNothingFailsVisibly() throws {
    let directory = try TemporaryDirectory()
    let fake = try directory.write("#!/bin/sh\necho fake\n", to: "bulkget")
    try FileSystem.setPermissions(0o755, of: fake)
    let ended = try run(
      ["--scenarios", "small", "--contenders", "bulkget", "--rounds", "1", "--scale", "0.0001"]
        + ["--bulkget", fake], in: directory)
    #expect(ended.exitStatus == 1, "\(ended)")
    #expect(ended.output.text.contains("FAILED: `small-000000.bin` is missing"))
  }
}
