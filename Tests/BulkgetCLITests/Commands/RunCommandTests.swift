import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct RunCommandTests {
  private let recording = RecordingConsole()
  private let reports = Recorded<RunRecord>()

  @Test func aRunTellsItsFailuresItsSummaryAndWritesItsReport() async throws {
    let world = try world()
    #expect(await world.run("run", "m.yaml") == 1)
    #expect(recording.output == "")
    #expect(
      recording.errors == """
        warning: careful (w)
        error: b: 404 Not Found (http-status)
        1 downloaded (4.1 kB), 1 failed in 0.0 s

        """)
    let record = try #require(reports.values.first)
    #expect(record.status == .failed && record.exitStatus == .failure)
    #expect(record.outcomes.count == 2)
    #expect(record.warnings.map(\.code) == ["w", "from-run"])
    #expect(record.manifestPaths == ["m.yaml"])
  }

  @Test func quietSaysErrorsOnly() async throws {
    #expect(await (try world()).run("run", "m.yaml", "-q") == 1)
    #expect(recording.errors == "error: b: 404 Not Found (http-status)\n")
  }

  @Test func noReportWritesNone() async throws {
    var world = try world()
    world.context.actions.checkReport = Actions.unexpected.checkReport
    world.context.actions.writeReport = Actions.unexpected.writeReport
    #expect(await world.run("run", "m.yaml", "--no-report") == 1)
  }

  @Test func B106_aReportOnStandardOutputIsAloneThere() async throws {
    let world = try world()
    #expect(await world.run("run", "m.yaml", "--report", "-", "-v") == 1)
    #expect(recording.output == "{\"exit\": 1}\n")
    #expect(recording.errors.contains("downloaded: a: 4.1 kB"))
    #expect(reports.values.isEmpty)
  }

  @Test func B106_aManifestErrorHasAReportToo() async throws {
    var world = try world()
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      throw .problems([Problem(file: "m.yaml", line: 1, column: 1, message: "bad")])
    }
    #expect(await world.run("run", "m.yaml", "--report", "-") == 2)
    #expect(recording.output == "{\"exit\": 2}\n")
    #expect(recording.errors == "error: m.yaml:1:1: bad\n")
    #expect(await world.run("run", "m.yaml") == 2)
    #expect(reports.values.first?.problems.map(\.message) == ["bad"])
  }

  @Test func wrongUsageWritesNoReport() async throws {
    #expect(await (try world()).run("run", "m.yaml", "--jobs", "0") == 2)
    #expect(reports.values.isEmpty)
  }

  @Test func noPlaceForTheCacheHasAReportToo() async throws {
    var world = try world()
    world.context.locations = Locations(environment: [:], currentDirectory: "/here")
    #expect(await world.run("run", "m.yaml") == 4)
    #expect(reports.values.first?.error?.code == .cacheUnwritable)
  }

  @Test func aGivenReportThatCannotBeWrittenIsFoundBeforeAnythingIsDone() async throws {
    var world = try world()
    world.context.actions = .unexpected
    world.context.actions.checkReport = { path throws(CommandFailure) in
      throw .surroundings(
        Failure(.permissionDenied, "cannot write the report to `\(path)`"), hint: nil)
    }
    #expect(await world.run("run", "m.yaml", "--report", "r.json") == 4)
    #expect(recording.errors == "error: cannot write the report to `/here/r.json`\n")
  }

  @Test func theDefaultReportThatCannotBeWrittenIsAWarning() async throws {
    var world = try world()
    world.context.actions.checkReport = { path throws(CommandFailure) in
      throw .surroundings(
        Failure(.permissionDenied, "cannot write the report to `\(path)`"), hint: nil)
    }
    #expect(await world.run("run", "m.yaml") == 1)
    #expect(
      recording.errors.hasPrefix(
        "warning: cannot write the report to `/here/bulkget-report.json` (report-unwritable)\n"))
    #expect(reports.values.isEmpty)
  }

  @Test func aReportThatFailsInTheEndIsStatusFour() async throws {
    var world = try world()
    world.context.actions.writeReport = { path, _ throws(CommandFailure) in
      throw .surroundings(Failure(.diskFull, "no space for the report"), hint: nil)
    }
    #expect(await world.run("run", "m.yaml") == 4)
    #expect(recording.errors.hasSuffix("error: no space for the report\n"))
  }

  @Test func aLockFileThatFailsInTheEndIsStatusFourAndSaidOnce() async throws {
    var world = try world()
    world.context.actions.prepareLock = {
      [prepare = world.context.actions.prepare] paths, configuration
        throws(CommandFailure) in
      var prepared = try prepare(paths, configuration)
      prepared.conclude = { _ throws(CommandFailure) in
        throw .surroundings(Failure(.diskFull, "no space for the lock file"), hint: nil)
      }
      return prepared
    }
    #expect(await world.run("lock", "m.yaml", "--report", "bulkget-report.json") == 4)
    #expect(recording.errors.split(separator: "no space for the lock file").count == 2)
    #expect(reports.values.first?.exitStatus == .surroundings)
  }

  @Test func B107_aReportIntoAFullStreamIsStatusFour() async throws {
    let full = RecordingConsole(outputFailure: .full(.output))
    var world = try world()
    world.context.console = full.console
    #expect(await world.run("run", "m.yaml", "--report", "-") == 4)
    #expect(
      full.errors.hasSuffix("error: cannot write to standard output: No space left on device\n"))
  }

  @Test func B107_aRunWhoseOutputNobodyReadsEndsAsItWouldOtherwise() async throws {
    var world = try world()
    world.context.console.errors.write = { _ throws(StreamError) in throw .brokenPipe(.error) }
    world.context.console.output.write = { _ throws(StreamError) in throw .brokenPipe(.output) }
    #expect(await world.run("run", "m.yaml") == 1)
    #expect(await world.run("run", "m.yaml", "--report", "-") == 1)
    #expect(reports.values.count == 1)
  }

  @Test func aDiskThatFillsUpIsStatusFour() async throws {
    var world = try world()
    let plan = try plan()
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      PreparedRun(plan: plan) { _ in
        var result = RunResult(plan, plan.steps.map { _ in Outcome(status: .cancelled) })
        result.verdict = RunVerdict(status: .failed, exitStatus: 4)
        result.failure = Failure(.diskFull, "no room in `/c`")
        return result
      }
    }
    #expect(await world.run("run", "m.yaml") == 4)
    #expect(recording.errors.hasSuffix("error: no room in `/c`\n0 failed, 2 cancelled in 0.0 s\n"))
    #expect(reports.values.first?.error?.code == .diskFull)
  }

  @Test(arguments: [(CInt(2), Int32(130)), (15, 143), (1, 129)])
  func B088_aSignalCancelsTheRunAndTheReportIsWritten(
    _ signal: CInt, _ expected: Int32
  ) async throws {
    var world = try world()
    let started = Recorded<Interruption>()
    world.context.listen = { interruption throws(SystemError) in
      started.append(interruption)
    }
    let plan = try plan()
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      PreparedRun(plan: plan) { _ in
        started.values.first?.raise(signal)
        let status = Task.isCancelled ? Outcome.Status.cancelled : .downloaded
        return RunResult(plan, plan.steps.map { _ in Outcome(status: status) })
      }
    }
    #expect(await world.run("run", "m.yaml") == expected)
    let record = try #require(reports.values.first)
    #expect(record.status == .cancelled)
    #expect(record.outcomes.map(\.status) == [.cancelled, .cancelled])
    #expect(recording.errors.contains("ending: partial downloads are kept"))
  }

  @Test func B088_aSignalBeforeThePlanIsMadeCancelsEverything() async throws {
    var world = try world()
    world.context.listen = { interruption throws(SystemError) in interruption.raise(2) }
    world.context.planningGrace = .seconds(3600)
    let plan = try plan()
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      PreparedRun(plan) { _ in Outcome(status: Task.isCancelled ? .cancelled : .downloaded) }
    }
    #expect(await world.run("run", "m.yaml") == 130)
    #expect(reports.values.first?.outcomes.map(\.status) == [.cancelled, .cancelled])
  }

  @Test func B088_planningThatNeverEndsIsNotWaitedFor() async throws {
    var world = try world()
    let gate = Gate()
    world.context.planningGrace = .zero
    world.context.listen = { interruption throws(SystemError) in interruption.raise(15) }
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      gate.wait()
      throw .notFound("too late", hint: nil)
    }
    #expect(await world.run("run", "-") == 143)
    gate.open()
    let record = try #require(reports.values.first)
    #expect(record.plan == nil && record.error?.code == .cancelled)
    #expect(record.status == .cancelled)
  }

  private func plan() throws -> Plan {
    Sample.plan(
      [try Sample.step("a", .download, .missing), try Sample.step("b", .download, .missing)],
      warnings: [Notice(code: "w", message: "careful")])
  }

  /// A run of `a`, which succeeds, and `b`, which doesn't.
  private func world() throws -> World {
    var world = World(recording)
    let plan = try plan()
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      PreparedRun(plan: plan) { tell in
        let outcomes = [
          Sample.outcome(.downloaded, bytes: 4096),
          Sample.outcome(.failed, failure: Failure(.httpStatus, "404 Not Found")),
        ]
        for (step, outcome) in outcomes.enumerated() {
          tell(.finished(step: step, outcome: outcome))
        }
        var result = RunResult(plan, outcomes)
        result.plan.warnings.append(Notice(code: "from-run", message: "x"))
        return result
      }
    }
    world.context.actions.checkReport = { path throws(CommandFailure) in
      #expect(path == "/here/bulkget-report.json")
    }
    world.context.actions.writeReport = { [reports] record, _ throws(CommandFailure) in
      reports.append(record)
    }
    world.context.actions.write = { document, sink throws(StreamError) in
      guard case .run(let record) = document else { return }
      try sink(Array("{\"exit\": \(record.exitStatus.rawValue)}\n".utf8))
    }
    return world
  }
}
