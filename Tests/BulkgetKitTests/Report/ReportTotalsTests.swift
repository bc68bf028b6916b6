import BulkgetKit
import Testing

@Suite struct ReportTotalsTests {
  private func file(
    _ status: Outcome.Status, isOptional: Bool = false, attempts: Int = 0, bytes: Int64 = 0
  ) throws -> FileReport {
    var entry = try Entry.sample("a")
    entry.isOptional = isOptional
    var outcome = Outcome(status: status)
    outcome.byteCount = bytes
    outcome.transferredByteCount = bytes / 2
    outcome.attempts = (0..<attempts).map { _ in ReportSamples.attempt("u") }
    outcome.isPlaced = status == .downloaded
    return FileReport(
      step: Step(entry: entry, action: .download, reason: .missing), outcome: outcome,
      manifests: [])
  }

  @Test func theKindsAddUpToTheFiles() throws {
    var files: [FileReport] = []
    for status in Outcome.Status.allCases {
      for isOptional in [true, false] { files.append(try file(status, isOptional: isOptional)) }
    }
    let totals = ReportTotals(of: files)
    let kinds = [
      totals.downloaded, totals.revalidated, totals.cached, totals.failed, totals.optionalFailed,
      totals.cancelled, totals.skipped,
    ]
    #expect(kinds.reduce(0, +) == totals.files)
    #expect(kinds == [2, 2, 2, 1, 1, 2, 2])
    #expect(totals.placed == 2)
  }

  @Test func bytesAreSummedAndRetriesAreTriesBeyondTheFirst() throws {
    let totals = ReportTotals(of: [
      try file(.downloaded, attempts: 1, bytes: 10), try file(.failed, attempts: 4),
      try file(.cached, bytes: 6),
    ])
    #expect(totals.byteCount == 16)
    #expect(totals.transferredByteCount == 8)
    #expect(totals.retries == 3)
  }

  @Test(arguments: [
    (
      [Outcome.Status.downloaded, .cached, .revalidated, .skipped], false, 0,
      Report.Status.succeeded
    ),
    ([.downloaded, .failed], false, 1, .failed),
    ([.cancelled, .failed, .cancelled], false, 1, .failed),
    ([.downloaded, .cancelled], false, 1, .cancelled),
    ([.failed, .cancelled], true, 0, .succeeded),
    ([], false, 0, .succeeded),
  ])
  func theVerdictFollowsFromWhatIsNotOptional(
    outcomes: [Outcome.Status], isOptional: Bool, exitStatus: Int, status: Report.Status
  ) throws {
    var entry = try Entry.sample("a")
    entry.isOptional = isOptional
    let steps = outcomes.map { _ in Step(entry: entry, action: .download, reason: .missing) }
    let verdict = RunVerdict(steps: steps, outcomes: outcomes.map { Outcome(status: $0) })
    #expect(verdict == RunVerdict(status: status, exitStatus: exitStatus))
  }
}
