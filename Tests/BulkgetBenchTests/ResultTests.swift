import Testing

@testable import bulkget_bench

struct ResultTests {
  private func sample(_ round: Int, _ seconds: Double, failure: String? = nil) -> Sample {
    var sample = Sample(round: round, failure: failure)
    sample.wallSeconds = seconds
    sample.userSeconds = seconds / 2
    sample.peakMemory = Int(seconds * 1_000_000)
    return sample
  }

  private func result(_ peer: [Sample]) -> ScenarioResult {
    let contenders = [Contender(.bulkget), Contender(.curl)]
    var result = ScenarioResult(Scenario.all[0], [], contenders)
    for (round, seconds) in [9.0, 3, 1, 2].enumerated() {
      result.add(sample(round, seconds), of: contenders[0])
    }
    for sample in peer { result.add(sample, of: contenders[1]) }
    return result
  }

  @Test func theWarmUpDoesNotCount() {
    let row = result([]).rows[0]
    #expect(row.wallSeconds == 2)
    #expect(row.processorSeconds == 1)
    #expect(row.peakMemory == 3_000_000)
  }

  @Test func theRatioIsBulkgetsTimeByThePeers() {
    let result = result([sample(0, 1), sample(1, 4), sample(2, 6)])
    #expect(result.ratio(to: result.rows[1]) == 0.4)
    #expect(result.ratio(to: result.rows[0]) == nil)
    #expect(!result.hasFailures)
  }

  @Test(arguments: [0, 1]) func aWrongOutputShowsAndHasNoTime(round: Int) {
    let wrong = sample(round, 1, failure: "`a` is missing")
    let result = result([wrong, sample(2, 1)])
    #expect(result.hasFailures)
    #expect(result.ratio(to: result.rows[1]) == nil)
    #expect(
      ResultTable([result]).markdown.hasSuffix("|  | curl |  |  |  |  | FAILED: `a` is missing |\n")
    )
  }

  @Test func aTableHasColumns() {
    let table = ResultTable([result([sample(1, 4)])])
    #expect(
      table.text == """
        work                          program  time    bulkget ÷ it  processor  memory  output
        small: 10,000 files of 4 KiB  bulkget  2.00 s                1.00 s     3 MB    right
                                      curl     4.00 s  0.50          2.00 s     4 MB    right

        """)
  }

  @Test(arguments: [([3.0, 1.0, 2.0], 2.0), ([4.0, 1.0], 2.5), ([7.0], 7.0)])
  func medianOf(_ values: [Double], is middle: Double) {
    #expect(values.median == middle)
  }

  @Test(arguments: [(0.004, "0.00"), (0.996, "1.00"), (12.05, "12.05")])
  func decimalOf(_ value: Double, is text: String) {
    #expect(value.decimal(places: 2) == text)
  }

  @Test func everyContenderIsFirstInTurn() {
    #expect(Rounds.order(["a", "b", "c"], round: 0) == ["a", "b", "c"])
    #expect(Rounds.order(["a", "b", "c"], round: 4) == ["b", "c", "a"])
    #expect(Rounds.order([String](), round: 1) == [])
  }

  @Test func resultsFillTheirPlaceInADocument() {
    let old = "before\n\(MarkdownPlace.start)old\n\(MarkdownPlace.end)after\n"
    let new = MarkdownPlace.filling(old, with: "new\n")
    #expect(new == "before\n\(MarkdownPlace.start)\nnew\n\n\(MarkdownPlace.end)after\n")
    #expect(MarkdownPlace.filling(new, with: "new\n") == new)
    #expect(MarkdownPlace.filling(nil, with: "new\n") == "new\n")
    #expect(MarkdownPlace.filling("no place", with: "new\n") == "new\n")
  }

  @Test(arguments: [
    ("curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/7.88.1\nmore", "curl 7.88.1"),
    ("GNU Wget2 1.99.1 - multithreaded downloader", "GNU Wget2 1.99.1"),
    ("bulkget 0.1.0", "bulkget 0.1.0"),
  ])
  func versionIn(_ text: String, is version: String) {
    #expect(Programs.version(in: text) == version)
  }
}
