import BulkgetKit
import BulkgetSystem

/// `bulkget plan`: shows what a run would do.
struct PlanCommand: Sendable {
  let settings: Settings
  let context: CommandContext

  /// Plans and prints.
  func run() async throws(CommandFailure) -> ExitStatus {
    settings.printsJSON ? try await runWithJSON() : try await runWithText()
  }

  private func runWithText() async throws(CommandFailure) -> ExitStatus {
    let plan = try await plan(try context.configuration(settings))
    let text = PlanText(
      palette: context.console.output.palette, isVerbose: settings.verbosity == .verbose)
    try context.print { buffer throws(StreamError) in try text.write(plan, to: &buffer) }
    return status(of: plan)
  }

  /// Whoever reads JSON gets one document in any case: also one that says what is wrong.
  private func runWithJSON() async throws(CommandFailure) -> ExitStatus {
    var record = RunRecord(manifestPaths: settings.operands, startedAt: context.now())
    let start = context.instant()
    var directory = ""
    do throws(CommandFailure) {
      let configuration = try context.configuration(settings)
      directory = configuration.outputDirectory
      let plan = try await plan(configuration)
      record.plan = plan
      record.warnings = plan.allWarnings
      record.exitStatus = status(of: plan)
    } catch {
      context.console.say(context.errorText.failure(error))
      record.end(with: error)
    }
    record.finishedAt = context.now()
    record.duration = context.instant() - start
    try context.print(.plan(record, outputDirectory: directory))
    return record.exitStatus
  }

  private func plan(_ configuration: Configuration) async throws(CommandFailure) -> Plan {
    var plan = try context.actions.plan(settings.operands, configuration)
    if settings.probes { plan = try await context.actions.probe(plan, configuration) }
    context.warn(plan.allWarnings, settings.verbosity)
    return plan
  }

  private func status(of plan: Plan) -> ExitStatus {
    settings.checks && plan.hasWork ? .pending : .success
  }
}
