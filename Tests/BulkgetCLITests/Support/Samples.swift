import BulkgetKit
import BulkgetSystem
import Foundation
import Testing

@testable import BulkgetCLI

/// Entries, steps and plans that tests are about.
enum Sample {
  static func entry(
    _ id: String, url: String = "https://example.org/a.bin", type: String? = nil,
    isOptional: Bool = false
  ) throws -> Entry {
    var entry = Entry(
      key: FileKey(namespace: "default", id: id), sources: [.remote(try ResourceURL(url))],
      type: type.flatMap(FileType.init))
    entry.isOptional = isOptional
    return entry
  }

  static func step(
    _ id: String, _ action: Step.Action, _ reason: Step.Reason, bytes: Int64? = nil,
    type: String? = nil
  ) throws -> Step {
    Step(entry: try entry(id, type: type), action: action, reason: reason, byteCount: bytes)
  }

  static func plan(_ steps: [Step], warnings: [Notice] = []) -> Plan {
    Plan(manifests: [Manifest(path: "manifest.yaml")], steps: steps, warnings: warnings)
  }

  /// A plan with one step of every action.
  static func everything() throws -> Plan {
    var resumed = try step("model/base", .resume, .partial, bytes: 734_003_200, type: "bin")
    resumed.resumedByteCount = 12_345_678
    return plan([
      try step("1001", .download, .missing, bytes: 4096, type: "tar.gz"),
      try step("unknown", .download, .urlChanged),
      resumed,
      try step("hash", .rehash, .timeChanged, bytes: 999, type: "zip"),
      try step("ask", .revalidate, .stale, bytes: 1_500_000, type: "json"),
      try step("put", .place, .destinationMissing, bytes: 20, type: "txt"),
      try step("kept", .keep, .current, bytes: 10, type: "txt"),
      try step("other", .skip, .notSelected),
    ])
  }

  static func outcome(
    _ status: Outcome.Status, bytes: Int64 = 0, failure: Failure? = nil, url: String? = nil
  ) -> Outcome {
    var outcome = Outcome(status: status, failure: failure)
    outcome.byteCount = bytes
    outcome.transferredByteCount = status == .downloaded ? bytes : 0
    outcome.url = url
    return outcome
  }
}

/// A world for commands in which every action that a test doesn't expect is a failure of the test.
struct World {
  let recording: RecordingConsole
  var context: CommandContext

  private let start = ContinuousClock.now

  init(
    _ recording: RecordingConsole = RecordingConsole(), environment: [String: String] = [:]
  ) {
    self.recording = recording
    var environment = environment
    environment["HOME"] = environment["HOME"] ?? "/home/user"
    context = CommandContext(
      console: recording.console, actions: .unexpected,
      locations: Locations(environment: environment, currentDirectory: "/here"),
      now: { Date(timeIntervalSince1970: 1_000_000) }, instant: { [start] in start },
      listen: { _ throws(SystemError) in })
  }

  func run(_ words: String...) async -> Int32 {
    await BulkgetCLI.CommandLine.run(words, in: context).rawValue
  }
}

extension Actions {
  /// Fails the test, whatever is asked.
  static let unexpected = Actions(
    plan: { _, _ throws(CommandFailure) in throw unexpected("plan") },
    probe: { _, _ throws(CommandFailure) in throw unexpected("probe") },
    prepare: { _, _ throws(CommandFailure) in throw unexpected("prepare") },
    prepareLock: { _, _ throws(CommandFailure) in throw unexpected("prepareLock") },
    verify: { _, _, _ throws(CommandFailure) in throw unexpected("verify") },
    checkCertificates: { _ throws(CommandFailure) in throw unexpected("checkCertificates") },
    cachedFiles: { _ throws(CommandFailure) in throw unexpected("cachedFiles") },
    cachedFile: { _, _ throws(CommandFailure) in throw unexpected("cachedFile") },
    cacheSize: { _ throws(CommandFailure) in throw unexpected("cacheSize") },
    pruneCache: { _, _, _, _ throws(CommandFailure) in throw unexpected("pruneCache") },
    removeCached: { _, _ throws(CommandFailure) in throw unexpected("removeCached") },
    write: { _, _ throws(StreamError) in Issue.record("nobody should have called write") },
    checkReport: { _ throws(CommandFailure) in throw unexpected("checkReport") },
    writeReport: { _, _ throws(CommandFailure) in throw unexpected("writeReport") })

  private static func unexpected(_ name: String) -> CommandFailure {
    Issue.record("nobody should have called \(name)")
    return .notFound("\(name) was not expected", hint: nil)
  }
}

extension PreparedRun {
  /// A run of the plan that tells nothing and whose outcomes are made at its end.
  init(_ plan: Plan, outcome: @escaping @Sendable (Step) -> Outcome) {
    self.init(plan: plan) { _ in RunResult(plan, plan.steps.map(outcome)) }
  }
}
