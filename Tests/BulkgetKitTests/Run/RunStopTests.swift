import TestSupport
import Testing

@testable import BulkgetKit

/// A run that somebody ends.
struct RunStopTests {
  @Test func B088_aRunThatIsStoppedBeforeItBeginsDoesNothing() async throws {
    let site = try Site()
    try site.serve("/a.bin", count: 1000)
    let entries = try (0..<40).map { try site.entry("a\($0)", "/a.bin", "/b\($0).bin") }
    let run = try Bulkget(site.configuration)
      .run([Manifest(path: "manifest.yaml", entries: entries)]) { _ in }
    run.stop(signal: 15)
    run.stop()
    let result = await run.result()
    #expect(result.outcomes.map(\.status) == Array(repeating: .cancelled, count: 40))
    #expect(result.verdict == RunVerdict(status: .cancelled, exitStatus: 143))
    #expect(site.server.requests.isEmpty)
  }
}
