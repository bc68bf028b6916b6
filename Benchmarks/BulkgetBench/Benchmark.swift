import BulkgetKit
import BulkgetSystem
import Foundation
import TestSupport

/// The whole benchmark: finds the programs, runs the scenarios, prints and writes what came of it.
struct Benchmark {
  let arguments: BenchmarkArguments
  let interruption: Interruption

  /// Whether everything was right.
  func run() throws -> Bool {
    guard FileSystem.isDirectory(arguments.directory) else {
      throw ToolError("there is no directory `\(arguments.directory)` to work in")
    }
    // Not only after an hour of measuring.
    for path in [arguments.output, arguments.markdown].compactMap(\.self) {
      _ = try FileDescriptor.updating(path)
    }
    let bulkget = try arguments.bulkget ?? BuiltProducts.path(of: "bulkget")
    let programs = try Programs(bulkget: bulkget)
    let machine = try Machine(workingIn: arguments.directory)
    var report = BenchmarkReport(
      date: Timestamp(Date()).description, scale: arguments.scale, rounds: arguments.rounds,
      machine: machine, versions: programs.versions, missing: programs.missing.map(\.rawValue))
    say(machine.summary)
    for tool in programs.missing { say("not installed, and left out: \(tool.rawValue)") }
    let site = try Site(
      programs, in: arguments.directory, scale: arguments.scale, coreCount: machine.coreCount,
      interruption)
    let ending = Result {
      for scenario in arguments.scenarios {
        if let result = try result(of: scenario, at: site) { report.scenarios.append(result) }
      }
    }
    // Whole scenarios count, whatever ended the others.
    if !report.scenarios.isEmpty { try write(report) }
    try ending.get()
    if report.scenarios.isEmpty { throw ToolError("none of the contenders takes part in these") }
    return !report.hasFailures
  }

  private func result(of scenario: Scenario, at site: Site) throws -> ScenarioResult? {
    let contenders = scenario.contenders.filter { contender in
      site.programs.paths[contender.tool] != nil
        && arguments.contenders?.contains(contender) != false
    }
    if contenders.isEmpty { return nil }
    say("\n\(scenario.name): \(scenario.summary)")
    let run = ScenarioRun(
      scenario: scenario, contenders: contenders, site: site, roundCount: arguments.rounds)
    let result = try run.result { contender, sample in
      let round = sample.isCounted ? "round \(sample.round)" : "warm-up"
      let time =
        sample.failure.map { "FAILED: \($0)" } ?? sample.wallSeconds.decimal(places: 3) + " s"
      say("  \(round)  \(contender.name)  \(time)")
    }
    say("\n\(ResultTable([result]).text)", end: "")
    return result
  }

  private func say(_ text: String, end: String = "\n") {
    print(text, terminator: end)
    // Lines are to be seen as they come, through a pipe too.
    fflush(nil)
  }

  private func write(_ report: BenchmarkReport) throws {
    if let path = arguments.output { try write(report.json(), to: path) }
    if let path = arguments.markdown {
      let isThere = try FileSystem.status(of: path, followingLinks: true) != nil
      let old = isThere ? try FileDescriptor.reading(path).readAll(limit: 1 << 24) : nil
      let document = old.map { String(decoding: $0, as: UTF8.self) }
      try write(Array(MarkdownPlace.filling(document, with: report.markdown).utf8), to: path)
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try FileDescriptor.updating(path)
    try file.truncate(to: 0)
    try file.write(bytes)
  }
}
