import BulkgetKit
import Foundation
import Testing

@Suite struct ReportJSONTests {
  private func text(_ report: Report) -> String { String(decoding: report.json, as: UTF8.self) }

  @Test func writesEveryKeyInItsOrder() throws {
    let digest = String(repeating: "01", count: 32)
    let manifest = String(repeating: "ab", count: 32)
    #expect(
      text(try ReportSamples.report()) == """
        {
          "schemaVersion": 1,
          "kind": "run",
          "tool": {"name": "bulkget", "version": "0.1.0"},
          "manifests": [{"path": "manifest.yaml", "sha256": "\(manifest)"}],
          "startedAt": "2026-01-02T03:04:05.678Z",
          "finishedAt": "2026-01-02T03:04:06.912Z",
          "durationSeconds": 1.234,
          "status": "cancelled",
          "exitStatus": 1,
          "error": null,
          "warnings": [],
          "totals": {"files": 4, "downloaded": 1, "revalidated": 0, "cached": 0, "failed": 0, "optionalFailed": 1, "cancelled": 1, "skipped": 1, "placed": 1, "bytes": 4096, "transferredBytes": 4096, "retries": 1},
          "files": [
            {"id": "1001", "namespace": "default", "type": "bin", "status": "downloaded", "action": "download", "reason": "missing", "url": "https://example.org/1001.bin", "finalURL": "https://cdn.example.org/1001.bin", "bytes": 4096, "transferredBytes": 4096, "resumedBytes": 0, "sha256": "\(digest)", "path": "/cache/files/default/0.bin", "destination": "/out/1001.bin", "attempts": [{"url": "https://example.org/1001.bin", "httpStatus": 200, "startedAt": "2026-01-02T03:04:05.678Z", "durationSeconds": 0.01, "bytes": 4096, "error": null}], "durationSeconds": 0.01, "source": {"file": "manifest.yaml", "line": 4, "column": 5}, "warnings": [], "error": null},
            {"id": "b", "namespace": "default", "type": "bin", "status": "failed", "action": "download", "reason": "url-changed", "url": "https://example.org/b.bin", "finalURL": null, "bytes": 0, "transferredBytes": 0, "resumedBytes": 0, "sha256": null, "path": null, "destination": null, "attempts": [{"url": "https://example.org/b.bin", "httpStatus": null, "startedAt": "2026-01-02T03:04:05.678Z", "durationSeconds": 0.01, "bytes": 0, "error": {"code": "connection-failed", "message": "no connection to `example.org:443`"}}, {"url": "https://example.org/b.bin", "httpStatus": null, "startedAt": "2026-01-02T03:04:05.678Z", "durationSeconds": 0.01, "bytes": 0, "error": {"code": "connection-failed", "message": "no connection to `example.org:443`"}}], "durationSeconds": 0, "source": {"file": "manifest.yaml", "line": 8, "column": 5}, "warnings": [{"code": "replaces-other-url", "message": "replaced"}, {"code": "insecure-auth", "message": "left out"}], "error": {"code": "connection-failed", "message": "no connection to `example.org:443`"}, "optional": true},
            {"id": "c", "namespace": "default", "type": "bin", "status": "cancelled", "action": "resume", "reason": "partial", "url": "https://example.org/c.bin", "finalURL": null, "bytes": 0, "transferredBytes": 0, "resumedBytes": 0, "sha256": null, "path": null, "destination": null, "attempts": [], "durationSeconds": 0, "source": {"file": "manifest.yaml", "line": 12, "column": 5}, "warnings": [], "error": {"code": "cancelled", "message": "the time is over"}},
            {"id": "d", "namespace": "default", "type": null, "status": "skipped", "action": "skip", "reason": "not-selected", "url": "https://example.org/d", "finalURL": null, "bytes": 0, "transferredBytes": 0, "resumedBytes": 0, "sha256": null, "path": null, "destination": null, "attempts": [], "durationSeconds": 0, "source": null, "warnings": [], "error": null}
          ]
        }

        """)
  }

  @Test func problemsOfManifestsAreListed() throws {
    var head = try ReportSamples.head(.run)
    head.conclude(with: RunVerdict(status: .failed, exitStatus: 2))
    head.manifests = []
    let report = Report(
      head: head,
      problems: [
        ReportProblem(file: "m.yaml", line: 12, column: 15, message: "unknown key `ulr`"),
        ReportProblem(file: "m.yaml", line: 13, column: 1, message: "\u{1B}"),
      ])
    #expect(
      text(report).hasSuffix(
        """
          "status": "failed",
          "exitStatus": 2,
          "error": null,
          "warnings": [],
          "totals": {"files": 0, "downloaded": 0, "revalidated": 0, "cached": 0, "failed": 0, "optionalFailed": 0, "cancelled": 0, "skipped": 0, "placed": 0, "bytes": 0, "transferredBytes": 0, "retries": 0},
          "files": [],
          "problems": [
            {"file": "m.yaml", "line": 12, "column": 15, "message": "unknown key `ulr`"},
            {"file": "m.yaml", "line": 13, "column": 1, "message": "\\u001b"}
          ]
        }

        """))
  }

  @Test func anErrorOfTheWholeRunAndItsWarningsAreWritten() throws {
    var head = try ReportSamples.head(.run)
    head.error = Failure(.diskFull, "no room")
    head.warnings = [Notice(code: "few-descriptors", message: "fewer jobs")]
    let text = text(Report(head: head, files: []))
    #expect(text.contains(#""error": {"code": "disk-full", "message": "no room"},"#))
    #expect(text.contains(#""warnings": [{"code": "few-descriptors", "message": "fewer jobs"}],"#))
  }

  @Test func B103_aRunOfNoFilesIsAValidReport() throws {
    let report = Report(head: try ReportSamples.head(.run), files: [])
    let object = try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any]
    #expect((object?["files"] as? [Any])?.isEmpty == true)
    #expect(object?["problems"] == nil)
  }

  @Test func B071_textFromOutsideIsEscaped() throws {
    var outcome = Outcome(
      status: .failed, failure: Failure(.httpStatus, "500 \u{1B}]0;X\u{7}\r\u{9B}2J"))
    outcome.warnings = [Notice(code: "w", message: "\u{1B}[2J")]
    let step = Step(entry: try .sample("a"), action: .download, reason: .missing)
    let bytes = Report(
      head: try ReportSamples.head(.run),
      plan: Plan(manifests: [], steps: [step]), outcomes: [outcome]
    ).json
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#"500 \u001b]0;X\u0007\r\u009b2J"#))
    #expect(
      !text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
  }

  @Test func B049_noSecretReachesReportOrPlan() throws {
    let secret =
      "http://user:PASSW0RD@127.0.0.1:1/x?X-Amz-Signature=SIGSECRET1&sig=SIGSECRET2&token=TOKSECRET1&v=2"
    var entry = try Entry.sample("a", urls: [secret])
    entry.headers = [HeaderField(name: "Authorization", value: "Bearer TOKSECRET2")]
    let step = Step(entry: entry, action: .download, reason: .missing)
    let plan = Plan(manifests: [], steps: [step])
    let documents = [
      Report(
        head: try ReportSamples.head(.run), plan: plan, outcomes: [Outcome(status: .cancelled)]
      ).json,
      plan.json(head: try ReportSamples.head(.plan), outputDirectory: "/out"),
    ]
    for document in documents {
      let text = String(decoding: document, as: UTF8.self)
      for word in ["PASSW0RD", "SIGSECRET1", "SIGSECRET2", "TOKSECRET1", "TOKSECRET2"] {
        #expect(!text.contains(word))
      }
      #expect(text.contains("127.0.0.1:1/x?X-Amz-Signature=REDACTED"))
      #expect(text.contains("v=2"))
    }
  }

  @Test func documentsOfManyFilesComeInChunks() throws {
    let file = FileReport(
      step: Step(entry: try .sample("a"), action: .keep, reason: .current),
      outcome: Outcome(status: .cached), manifests: [])
    let report = Report(
      head: try ReportSamples.head(.run), files: Array(repeating: file, count: 5_000))
    var chunks = Chunks()
    report.writeJSON { chunks.append(copy $0) }
    #expect(chunks.bytes == report.json)
    #expect(chunks.sizes.count > 10)
    #expect(chunks.sizes.allSatisfy { $0 < 80_000 })
  }
}
