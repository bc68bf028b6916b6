import BulkgetKit
import Testing

@Suite struct FileReportTests {
  private func step(_ change: (inout Entry) throws -> Void = { _ in }) throws -> Step {
    var entry = try Entry.sample("a", urls: ["https://u:p@example.org/a.bin?token=T&v=1"])
    try change(&entry)
    return Step(entry: entry, action: .download, reason: .missing)
  }

  private func report(
    _ step: Step, _ outcome: Outcome = Outcome(status: .skipped), manifests: [String] = []
  ) -> FileReport {
    FileReport(step: step, outcome: outcome, manifests: manifests)
  }

  @Test func theURLThatWasUsedWins() throws {
    var outcome = Outcome(status: .downloaded)
    outcome.url = "https://mirror.example.org/a.bin"
    #expect(report(try step(), outcome).url == "https://mirror.example.org/a.bin")
  }

  @Test func withoutOneTheFirstIsNamedWithoutItsSecrets() throws {
    #expect(
      report(try step()).url == "https://REDACTED@example.org/a.bin?token=REDACTED&v=1")
  }

  @Test func aLocalSourceIsNamedByItsPath() throws {
    #expect(report(try step { $0.sources = [.local(path: "/srv/a b")] }).url == "/srv/a b")
  }

  @Test func thePlansWarningsComeFirst() throws {
    var step = try step()
    step.warnings = [Notice(code: "1", message: "")]
    var outcome = Outcome(status: .downloaded)
    outcome.warnings = [Notice(code: "2", message: "")]
    #expect(report(step, outcome).outcome.warnings.map(\.code) == ["1", "2"])
  }

  @Test func aPositionNamesItsManifest() throws {
    let step = try step { $0.position = SourcePosition(manifest: 1, line: 3, column: 5) }
    #expect(
      report(step, manifests: ["a.yaml", "b.yaml"]).position
        == .init(file: "b.yaml", line: 3, column: 5))
  }

  @Test(arguments: [
    SourcePosition(), SourcePosition(manifest: 2, line: 1, column: 1),
    SourcePosition(manifest: -1, line: 1, column: 1),
  ])
  func anEntryMadeInCodeHasNoPosition(position: SourcePosition) throws {
    let step = try step { $0.position = position }
    #expect(report(step, manifests: ["a.yaml", "b.yaml"]).position == nil)
  }

  @Test func aReportPairsStepsWithOutcomesInTheirOrder() throws {
    let steps = try ["a", "b", "c"].map {
      Step(entry: try .sample($0), action: .download, reason: .missing)
    }
    let report = Report(
      head: try ReportSamples.head(.run), plan: Plan(manifests: [], steps: steps),
      outcomes: [
        Outcome(status: .cached), Outcome(status: .downloaded), Outcome(status: .cancelled),
      ])
    #expect(report.files.map(\.key.id) == ["a", "b", "c"])
    #expect(report.files.map(\.outcome.status) == [.cached, .downloaded, .cancelled])
    #expect(report.problems == nil)
  }

  @Test func theHeadNamesManifestsThatWereRead() throws {
    var manifest = Manifest(path: "-")
    manifest.sha256 = try .sample(.sha256)
    let reference = ReportHead.ManifestReference(manifest)
    #expect(reference.path == "-")
    #expect(reference.sha256 == manifest.sha256)
  }
}
