import Testing

@testable import bulkget_bench

struct BenchmarkArgumentsTests {
  @Test func takesEverythingThreeTimesByDefault() throws {
    let arguments = try BenchmarkArguments([])
    #expect(arguments.scenarios.map(\.name) == Scenario.all.map(\.name))
    #expect(arguments.contenders == nil)
    #expect(arguments.rounds == 3)
    #expect(arguments.scale == 1)
  }

  @Test func choosesByName() throws {
    let arguments = try BenchmarkArguments([
      "--scenarios", "plan,small", "--contenders", "bulkget,curl+sha", "--scale", "0.01",
    ])
    #expect(arguments.scenarios.map(\.name) == ["small", "plan"])
    #expect(
      arguments.contenders == [Contender(.bulkget), Contender(.curl, checksDigests: true)])
    #expect(arguments.scale == 0.01)
  }

  @Test(arguments: [
    (["--scenarios", "huge"], "`--scenarios` doesn't know `huge`; it knows small, medium"),
    (["--scenarios", ""], "`--scenarios` names nothing"),
    (["--contenders", "aria2c+sha"], "`--contenders` doesn't know `aria2c+sha`"),
    (["--rounds", "0"], "`--rounds` must be 1 to 100, not `0`"),
    (["--scale", "2"], "`--scale` must be a number above 0 and at most 1, not `2`"),
    (["--scale", "nan"], "`--scale` must be a number above 0"),
    (["--output"], "`--output` needs a value"),
    (["--fast"], "unknown option `--fast`"),
    (["small"], "unexpected word `small`"),
  ])
  func refuses(_ words: [String], saying start: String) {
    let refusal = #expect(throws: BenchmarkArguments.Refusal.self) {
      try BenchmarkArguments(words)
    }
    #expect(refusal?.description.hasPrefix(start) == true)
  }

  @Test func usageNamesAllThatCanBeChosen() {
    for name in Scenario.all.map(\.name) + Contender.all.map(\.name) {
      #expect(BenchmarkArguments.usage.contains(name))
    }
  }
}
