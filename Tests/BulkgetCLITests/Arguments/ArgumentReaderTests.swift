import BulkgetKit
import Testing

@testable import BulkgetCLI

struct ArgumentReaderTests {
  @Test(arguments: [
    ["-j8", "m.yaml"], ["-j", "8", "m.yaml"], ["--jobs=8", "m.yaml"], ["--jobs", "8", "m.yaml"],
    ["m.yaml", "-j8"], ["-vj8", "m.yaml"], ["-vj", "8", "m.yaml"], ["-j4", "m.yaml", "-j8"],
    ["--jobs", "9", "--jobs=8", "--", "m.yaml"],
  ])
  func aValueMayBeWrittenInEveryGNUStyle(_ words: [String]) throws {
    let settings = try settings(["run"] + words)
    #expect(settings.configuration.jobs == 8)
    #expect(settings.operands == ["m.yaml"])
  }

  @Test func flagsMayBeBundled() throws {
    let settings = try settings(["run", "-nq", "m.yaml"])
    #expect(settings.plansOnly)
    #expect(settings.isQuiet)
  }

  @Test func afterTwoDashesEverythingIsAnOperand() throws {
    let settings = try settings(["run", "-q", "--", "-j8", "--help", "-"])
    #expect(settings.operands == ["-j8", "--help", "-"])
    #expect(settings.configuration.jobs == 16)
  }

  @Test func aSingleDashIsAnOperand() throws {
    #expect(try settings(["plan", "-", "m.yaml"]).operands == ["-", "m.yaml"])
  }

  @Test func aDashMayBeAValue() throws {
    #expect(try settings(["run", "m", "--report", "-"]).report == "-")
  }

  @Test func aValueMayBeginWithADashWhereItIsNoOption() throws {
    #expect(
      try settings(["run", "m", "--only", "-x"]).configuration.selection.idPatterns == ["-x"])
    #expect(try settings(["run", "m", "--out=--jobs"]).output == "--jobs")
  }

  @Test func repeatedOptionsGatherTheirValuesInOrder() throws {
    let settings = try settings([
      "run", "m", "--tag", "b", "--only=x*", "--tag=a", "--only", "y", "--exclude-tag", "c",
    ])
    #expect(settings.configuration.selection.tags == ["b", "a"])
    #expect(settings.configuration.selection.idPatterns == ["x*", "y"])
    #expect(settings.configuration.selection.excludedTags == ["c"])
  }

  @Test func everyOptionOfRunFindsItsPlace() throws {
    let settings = try settings([
      "run", "m", "--cache", "c", "--out", "o", "--no-report", "--refresh", "--verify",
      "--retries", "0", "--retry-wait-max", "0", "--connect-timeout", "1.5s", "--stall-timeout",
      "2m", "--max-time", "1h", "--max-file-size", "2Ki", "--fail-fast", "--cacert", "ca.pem",
      "--verbose", "--color", "never", "--platform", "linux/arm64", "--platform", "all",
    ])
    let configuration = settings.configuration
    #expect(settings.cache == "c")
    #expect(settings.output == "o")
    #expect(settings.writesNoReport && settings.isVerbose && settings.color == .never)
    #expect(configuration.refreshesEverything && configuration.verifiesCachedFiles)
    #expect(configuration.retries == 0)
    #expect(configuration.maximumRetryWait == .zero)
    #expect(configuration.connectTimeout == .milliseconds(1500))
    #expect(configuration.stallTimeout == .seconds(120))
    #expect(configuration.maximumTime == .seconds(3600))
    #expect(configuration.maximumFileSize == 2048)
    #expect(configuration.stopsAtFirstFailure)
    #expect(configuration.certificateAuthorityFile == "ca.pem")
    let arm = try #require(Platform("linux/arm64"))
    #expect(settings.platforms == [.one(arm), .all])
  }

  @Test func offlineAndForceAreReadToo() throws {
    #expect(try settings(["run", "m", "--offline"]).configuration.isOffline)
    #expect(try settings(["run", "m", "--force"]).configuration.downloadsEverything)
  }

  @Test func nothingSaidMeansTheDocumentedDefaults() throws {
    let settings = try settings(["run", "m"])
    #expect(settings.configuration.jobs == 16)
    #expect(settings.configuration.retries == 5)
    #expect(settings.configuration.maximumRetryWait == .seconds(60))
    #expect(settings.configuration.connectTimeout == .seconds(15))
    #expect(settings.configuration.stallTimeout == .seconds(30))
    #expect(settings.configuration.maximumTime == nil)
    #expect(settings.output == ".")
    #expect(settings.color == .auto)
  }

  @Test func planTakesEveryOptionOfRun() {
    let names = Set(CommandTable.plan.options.map(\.name))
    #expect(CommandTable.run.options.allSatisfy { names.contains($0.name) })
  }

  @Test func aDryRunMayPrintJSONAndCheck() throws {
    let settings = try settings(["run", "m", "--json", "--check", "--dry-run"])
    #expect(settings.plansOnly && settings.printsJSON && settings.checks)
  }

  @Test(arguments: [
    (["cache", "dir"], Command.Action.cacheDirectory), (["cache", "list"], .cacheList),
    (["cache", "path", "7"], .cachePath), (["cache", "size"], .cacheSize),
    (["schema", "report"], .schema), (["plan", "m"], .plan), (["run", "m"], .run),
  ])
  func everyCommandIsFound(_ words: [String], _ expected: Command.Action) throws {
    guard case .command(let action, _) = try ArgumentReader(environment: [:]).read(words) else {
      Issue.record("no command")
      return
    }
    #expect(action == expected)
  }

  @Test(arguments: [
    (["--help"], "bulkget"), (["-h"], "bulkget"), (["help"], "bulkget"),
    (["help", "run"], "bulkget run"), (["run", "-h"], "bulkget run"),
    (["run", "m", "--help"], "bulkget run"), (["cache", "--help"], "bulkget cache"),
    (["help", "cache", "list"], "bulkget cache list"),
    (["cache", "list", "-h"], "bulkget cache list"), (["help", "--help"], "bulkget help"),
    (["run", "--nonsense", "-h"], "bulkget run"),
    (["run", "--jobs", "x", "--help"], "bulkget run"),
  ])
  func helpIsGivenWhereverItIsAskedFor(_ words: [String], _ name: String) throws {
    guard case .help(let command) = try ArgumentReader(environment: [:]).read(words) else {
      Issue.record("no help")
      return
    }
    #expect(command.name == name)
  }

  @Test(arguments: [["-V"], ["--version"], ["run", "-V"], ["cache", "--version"]])
  func theVersionIsGivenWhereverItIsAskedFor(_ words: [String]) throws {
    guard case .version = try ArgumentReader(environment: [:]).read(words) else {
      Issue.record("no version")
      return
    }
  }

  private func settings(_ words: [String]) throws -> Settings {
    try BulkgetCLITests.settings(words)
  }
}

/// The settings that a command line is read as.
func settings(_ words: [String], environment: [String: String] = [:]) throws -> Settings {
  let invocation = try ArgumentReader(environment: environment).read(words)
  guard case .command(_, let settings) = invocation else {
    Issue.record("\(words) is no command")
    return Settings()
  }
  return settings
}
