import BulkgetKit
import Testing

@testable import BulkgetCLI

struct RunSummaryTests {
  @Test func theSummaryCountsFilesBytesAndSpeed() throws {
    let outcomes = [
      Sample.outcome(.downloaded, bytes: 30_000_000), Sample.outcome(.downloaded, bytes: 4_500_000),
      Sample.outcome(.cached, bytes: 7),
    ]
    #expect(
      try text(outcomes, duration: .milliseconds(1200))
        == "2 downloaded (34.5 MB), 1 cached, 0 failed in 1.2 s (28.8 MB/s)")
  }

  @Test func everyKindThatOccursIsCounted() throws {
    let outcomes = [
      Sample.outcome(.revalidated), Sample.outcome(.failed), Sample.outcome(.failed),
      Sample.outcome(.cancelled), Sample.outcome(.skipped),
    ]
    #expect(
      try text(outcomes, optional: [2], duration: .seconds(3))
        == "1 revalidated, 1 failed, 1 optional failed, 1 cancelled, 1 skipped in 3.0 s")
  }

  @Test func noFilesAreNoFailure() throws {
    #expect(try text([], duration: .zero) == "nothing to do, no files are listed")
  }

  @Test func failuresAreRed() throws {
    let summary = RunSummary(
      Sample.plan([try Sample.step("a", .download, .missing)]), [Sample.outcome(.failed)],
      duration: .zero)
    #expect(summary.text(Palette(isColored: true)) == "\u{1B}[1;31m1 failed\u{1B}[0m in 0.0 s")
  }

  private func text(
    _ outcomes: [Outcome], optional: Set<Int> = [], duration: Duration
  ) throws -> String {
    let steps = try outcomes.indices.map { index in
      Step(
        entry: try Sample.entry(String(index), isOptional: optional.contains(index)),
        action: .download, reason: .missing)
    }
    return RunSummary(Sample.plan(steps), outcomes, duration: duration)
      .text(Palette(isColored: false))
  }
}
