import Foundation

/// Everything about one run of the benchmark: what `--output` writes.
struct BenchmarkReport: Codable, Sendable {
  /// UTC, as RFC 3339 has it.
  let date: String
  let scale: Double
  let rounds: Int
  let machine: Machine
  /// What the programs say about themselves, by name.
  let versions: [String: String]
  /// The peers that were not installed.
  let missing: [String]
  var scenarios: [ScenarioResult] = []

  var hasFailures: Bool { scenarios.contains(where: \.hasFailures) }

  /// One JSON document with the raw samples.
  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// The table, and what it was measured with.
  var markdown: String {
    let programs = versions.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
    var lines = ["Measured on \(date.prefix(10)) on \(machine.summary).", "Programs: \(programs)."]
    if !missing.isEmpty { lines.append("Not installed: \(missing.joined(separator: ", ")).") }
    lines.append(
      "Medians of \(rounds) \(rounds == 1 ? "round" : "rounds") after one that doesn't count."
        + (scale == 1 ? "" : " At a scale of \(scale) of the work: only a trial."))
    return lines.joined(separator: "\n") + "\n\n" + ResultTable(scenarios).markdown
  }
}
