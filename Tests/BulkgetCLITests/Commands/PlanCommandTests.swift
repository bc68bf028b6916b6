import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct PlanCommandTests {
  private let recording = RecordingConsole()

  @Test(arguments: [["plan", "m.yaml"], ["run", "-n", "m.yaml"]])
  func aPlanGoesToStandardOutputAndItsWarningsDoNot(_ words: [String]) async throws {
    let status = try await run(
      words,
      planning: Sample.plan(
        [try Sample.step("a", .download, .missing)],
        warnings: [Notice(code: "w", message: "careful")]))
    #expect(status == .success)
    #expect(
      recording.output == "+ a  -  ?  download    missing\n\nPlan: 1 to download (size unknown)\n")
    #expect(recording.errors == "warning: careful (w)\n")
  }

  @Test func quietLeavesTheWarningsOut() async throws {
    let plan = Sample.plan([], warnings: [Notice(code: "w", message: "careful")])
    #expect(try await run(["plan", "m", "-q"], planning: plan) == .success)
    #expect(recording.errors == "")
    #expect(recording.output == "Plan: nothing to do, no files are listed\n")
  }

  @Test(arguments: [
    (["plan", "m"], Step.Action.download, Int32(0)), (["plan", "m", "--check"], .download, 3),
    (["plan", "m", "--check"], .revalidate, 0), (["plan", "m", "--check"], .keep, 0),
    (["run", "-n", "m", "--check"], .place, 3), (["plan", "m", "--check", "--json"], .resume, 3),
  ])
  func checkTellsByTheExitStatus(
    _ words: [String], _ action: Step.Action, _ expected: Int32
  ) async throws {
    let plan = Sample.plan([try Sample.step("a", action, .missing)])
    #expect(try await run(words, planning: plan).rawValue == expected)
  }

  @Test func theManifestsAndTheConfigurationReachThePlanner() async throws {
    var world = World(recording)
    world.context.actions.plan = { manifests, configuration throws(CommandFailure) in
      #expect(manifests == ["a.yaml", "-"])
      #expect(configuration.outputDirectory == "/here/out")
      #expect(configuration.isOffline)
      return Sample.plan([])
    }
    #expect(await world.run("plan", "a.yaml", "-", "--out", "out", "--offline") == 0)
  }

  @Test func B106_JSONIsTheOnlyThingOnStandardOutput() async throws {
    let plan = Sample.plan([], warnings: [Notice(code: "w", message: "careful")])
    #expect(try await run(["plan", "m", "--json", "-v"], planning: plan) == .success)
    #expect(recording.output == "{\"exit\": 0, \"problems\": 0}\n")
    #expect(recording.errors == "warning: careful (w)\n")
  }

  @Test func B106_aManifestErrorIsJSONToo() async throws {
    let problem = Problem(file: "m", line: 3, column: 1, message: "unknown key `ulr`")
    let failure = CommandFailure.problems([problem])
    #expect(try await run(["plan", "m", "--json"], failing: failure) == .usage)
    #expect(recording.output == "{\"exit\": 2, \"problems\": 1}\n")
    #expect(recording.errors == "error: m:3:1: unknown key `ulr`\n")
  }

  @Test func withoutJSONAManifestErrorLeavesStandardOutputEmpty() async throws {
    let failure = CommandFailure.problems([Problem(message: "nothing is chosen")])
    #expect(try await run(["plan", "m"], failing: failure) == .usage)
    #expect(recording.output == "")
    #expect(recording.errors == "error: nothing is chosen\n")
  }

  @Test func B107_standardOutputThatIsFullIsSaidOnStandardError() async throws {
    for words in [["plan", "m"], ["plan", "m", "--json"]] {
      let recording = RecordingConsole(outputFailure: .full(.output))
      var world = World(recording)
      world.context.actions.plan = { _, _ throws(CommandFailure) in Sample.plan([]) }
      world.context.actions.write = { _, sink throws(StreamError) in try sink([1]) }
      let status = await BulkgetCLI.CommandLine.run(words, in: world.context)
      #expect(status == .surroundings)
      #expect(
        recording.errors == "error: cannot write to standard output: No space left on device\n")
    }
  }

  @Test func B107_aReaderThatIsGoneChangesNoStatus() async throws {
    let recording = RecordingConsole(outputFailure: .brokenPipe(.output))
    var world = World(recording)
    let plan = Sample.plan([try Sample.step("a", .download, .missing)])
    world.context.actions.plan = { _, _ throws(CommandFailure) in plan }
    #expect(await world.run("plan", "m", "--check") == 3)
    #expect(recording.errors == "")
  }

  private func run(
    _ words: [String], planning plan: Plan? = nil, failing failure: CommandFailure? = nil
  ) async throws -> BulkgetCLI.ExitStatus {
    var world = World(recording)
    world.context.actions.plan = { _, _ throws(CommandFailure) in
      if let failure { throw failure }
      return plan ?? Sample.plan([])
    }
    world.context.actions.write = { document, sink throws(StreamError) in
      guard case .plan(let record, let directory) = document else {
        Issue.record("not a plan")
        return
      }
      #expect(directory == "/here")
      let text =
        "{\"exit\": \(record.exitStatus.rawValue), \"problems\": \(record.problems.count)}\n"
      try sink(Array(text.utf8))
    }
    return await BulkgetCLI.CommandLine.run(words, in: world.context)
  }
}
