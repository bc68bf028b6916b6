import BulkgetKit
import Foundation
import Testing

@Suite struct PlanJSONTests {
  static func plan() throws -> Plan {
    var resumed = Step(
      entry: try ReportSamples.entry("a", line: 4, destination: "d/a.bin"), action: .resume,
      reason: .partial, byteCount: 6_000_000_000)
    resumed.resumedByteCount = 2_000_000_000
    var blocked = Step(
      entry: try ReportSamples.entry("b", line: 8, destination: "b"), action: .download,
      reason: .missing)
    blocked.conflict = Failure(.destinationConflict, "a directory is there")
    blocked.warnings = [Notice(code: "damaged", message: "replaced")]
    var local = try Entry.sample("c")
    local.sources = [.local(path: "/srv/c")]
    local.type = nil
    local.isOptional = true
    return Plan(
      manifests: [Manifest(path: "manifest.yaml")],
      steps: [resumed, blocked, Step(entry: local, action: .download, reason: .forced)])
  }

  @Test func writesEveryKeyInItsOrder() throws {
    let manifest = String(repeating: "ab", count: 32)
    var head = try ReportSamples.head(.plan)
    head.exitStatus = 3
    let json = try Self.plan().json(head: head, outputDirectory: "/out")
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {
          "schemaVersion": 1,
          "kind": "plan",
          "tool": {"name": "bulkget", "version": "0.1.0"},
          "manifests": [{"path": "manifest.yaml", "sha256": "\(manifest)"}],
          "startedAt": "2026-01-02T03:04:05.678Z",
          "finishedAt": "2026-01-02T03:04:06.912Z",
          "durationSeconds": 1.234,
          "status": "succeeded",
          "exitStatus": 3,
          "error": null,
          "warnings": [],
          "totals": {"files": 3, "download": 2, "resume": 1, "rehash": 0, "revalidate": 0, "place": 0, "keep": 0, "skip": 0, "conflicts": 1, "bytes": 6000000000, "transferBytes": 4000000000, "unknownSizes": 1},
          "files": [
            {"id": "a", "namespace": "default", "type": "bin", "action": "resume", "reason": "partial", "url": "https://example.org/a.bin", "bytes": 6000000000, "resumedBytes": 2000000000, "destination": "/out/d/a.bin", "source": {"file": "manifest.yaml", "line": 4, "column": 5}, "warnings": [], "error": null},
            {"id": "b", "namespace": "default", "type": "bin", "action": "download", "reason": "missing", "url": "https://example.org/b.bin", "bytes": null, "resumedBytes": 0, "destination": "/out/b", "source": {"file": "manifest.yaml", "line": 8, "column": 5}, "warnings": [{"code": "damaged", "message": "replaced"}], "error": {"code": "destination-conflict", "message": "a directory is there"}},
            {"id": "c", "namespace": "default", "type": null, "action": "download", "reason": "forced", "url": "/srv/c", "bytes": null, "resumedBytes": 0, "destination": null, "source": null, "warnings": [], "error": null, "optional": true}
          ]
        }

        """)
  }

  @Test func B008_sizesPastFourGibibytesAreExact() throws {
    let json = try Self.plan().json(head: ReportSamples.head(.plan), outputDirectory: "/out")
    let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    let files = try #require(object?["files"] as? [[String: Any]])
    #expect((files[0]["bytes"] as? NSNumber)?.int64Value == 6_000_000_000)
  }
}
