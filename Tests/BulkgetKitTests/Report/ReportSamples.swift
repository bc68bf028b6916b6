import BulkgetKit
import Foundation
import Testing

/// Values for documents that are compared in full.
enum ReportSamples {
  static let start = Date(timeIntervalSince1970: 1_767_323_045.678)

  static func head(_ kind: ReportHead.Kind) throws -> ReportHead {
    var head = ReportHead(
      kind: kind, toolVersion: "0.1.0", startedAt: start,
      finishedAt: start.addingTimeInterval(1.234), duration: .milliseconds(1234))
    head.manifests = [.init(path: "manifest.yaml", sha256: try .sample(.sha256, 0xAB))]
    return head
  }

  static func entry(_ id: String, line: Int, destination: String? = nil) throws -> Entry {
    var entry = try Entry.sample(id, destination: destination)
    entry.position = SourcePosition(manifest: 0, line: line, column: 5)
    return entry
  }

  static func attempt(_ url: String, failure: Failure? = nil) -> Attempt {
    var attempt = Attempt(url: url, startedAt: start)
    attempt.httpStatus = failure == nil ? 200 : nil
    attempt.duration = .milliseconds(10)
    attempt.byteCount = failure == nil ? 4096 : 0
    attempt.failure = failure
    return attempt
  }

  static func downloaded(_ id: String) throws -> Outcome {
    var outcome = Outcome(status: .downloaded)
    outcome.url = "https://example.org/\(id).bin"
    outcome.finalURL = "https://cdn.example.org/\(id).bin"
    outcome.byteCount = 4096
    outcome.transferredByteCount = 4096
    outcome.sha256 = try .sample(.sha256)
    outcome.path = "/cache/files/default/0.bin"
    outcome.destination = "/out/\(id).bin"
    outcome.isPlaced = true
    outcome.duration = .milliseconds(10)
    outcome.attempts = [attempt("https://example.org/\(id).bin")]
    return outcome
  }

  /// A run of four entries: downloaded, optional and failed, cancelled, skipped.
  static func report() throws -> Report {
    let failure = Failure(.connectionFailed, "no connection to `example.org:443`")
    var failed = Outcome(status: .failed, failure: failure)
    failed.attempts = [
      attempt("https://example.org/b.bin", failure: failure),
      attempt("https://example.org/b.bin", failure: failure),
    ]
    failed.warnings = [Notice(code: "insecure-auth", message: "left out")]
    var optional = try entry("b", line: 8)
    optional.isOptional = true
    var replaced = Step(entry: optional, action: .download, reason: .urlChanged)
    replaced.warnings = [Notice(code: "replaces-other-url", message: "replaced")]
    var made = try Entry.sample("d", urls: ["https://example.org/d"])
    made.type = nil
    let plan = Plan(
      manifests: [Manifest(path: "manifest.yaml")],
      steps: [
        Step(
          entry: try entry("1001", line: 4, destination: "1001.bin"), action: .download,
          reason: .missing),
        replaced,
        Step(entry: try entry("c", line: 12), action: .resume, reason: .partial),
        Step(entry: made, action: .skip, reason: .notSelected),
      ])
    var head = try head(.run)
    let outcomes = [
      try downloaded("1001"), failed,
      Outcome(status: .cancelled, failure: Failure(.cancelled, "the time is over")),
      Outcome(status: .skipped),
    ]
    head.conclude(with: RunVerdict(steps: plan.steps, outcomes: outcomes))
    return Report(head: head, plan: plan, outcomes: outcomes)
  }
}
