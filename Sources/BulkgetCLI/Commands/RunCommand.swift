import BulkgetKit
import Foundation

/// `bulkget run`: plans, carries the plan out, says what happens and writes the report.
///
/// 1. Find out whether the report can be written; nothing else is done before.
/// 2. Plan. What is wrong with the manifests ends here, with a report that says so.
/// 3. Run, until all is done or a signal comes.
/// 4. Write the report, then say the summary.
struct RunCommand: Sendable {
  let settings: Settings
  let context: CommandContext
  private let prepareRun: @Sendable ([String], Configuration) throws(CommandFailure) -> PreparedRun
  private let interruption = Interruption()

  init(settings: Settings, context: CommandContext) {
    self.settings = settings
    self.context = context
    prepareRun = context.actions.prepare
  }

  /// `bulkget lock`: a run that places nothing, and writes a report only where that is asked for.
  init(locking settings: Settings, context: CommandContext) {
    var settings = settings
    settings.writesNoReport = settings.report == nil
    self.settings = settings
    self.context = context
    prepareRun = context.actions.prepareLock
  }

  /// Does it, and says every error itself but those that leave no report.
  func run() async throws(CommandFailure) -> ExitStatus {
    var record = RunRecord(manifestPaths: settings.operands, startedAt: context.now())
    let start = context.instant()
    try listen()
    let report = try openReport(&record)
    do throws(CommandFailure) {
      try await fill(&record)
    } catch {
      context.console.say(context.errorText.failure(error))
      record.end(with: error)
    }
    record.finishedAt = context.now()
    record.duration = context.instant() - start
    try write(record, to: report)
    sayEnd(of: record)
    return record.exitStatus
  }

  private func listen() throws(CommandFailure) {
    do { try context.listen(interruption) } catch { throw CommandFailure(error) }
    interruption.onSignal { [console = context.console, verbosity = settings.verbosity] in
      if verbosity == .quiet { return }
      let text = ErrorText(palette: console.errors.palette)
      console.say(
        text.line("ending:", .cyan, "partial downloads are kept; a second signal ends at once"))
    }
  }

  /// Plans and runs, and puts into the record what became of it.
  private func fill(_ record: inout RunRecord) async throws(CommandFailure) {
    let configuration = try context.configuration(settings)
    guard let prepared = try await prepare(configuration) else {
      return record.end(withSignal: interruption.signal ?? 0)
    }
    let plan = prepared.plan
    record.plan = plan
    record.warnings += plan.allWarnings
    context.warn(plan.allWarnings, settings.verbosity)
    let text = RunText(plan: plan, console: context.console, verbosity: settings.verbosity)
    let task = Task { [interruption] in
      // A signal that came while the plan was made must not wait for whoever cancels this task.
      if interruption.signal != nil { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      return await prepared.perform { text.tell($0) }
    }
    interruption.onSignal { task.cancel() }
    let result = await task.value
    text.close()
    record.end(with: result, signal: interruption.signal)
    do throws(CommandFailure) {
      let closing = try prepared.conclude(result)
      if let closing, settings.verbosity != .quiet { context.console.say(closing) }
    } catch {
      // The end says it, as it does whatever stopped the run as a whole.
      record.end(with: error)
    }
  }
}

extension RunCommand {
  /// Plans on a thread of its own: reading standard input may never end, and a signal must not wait for that. Nil when
  /// a signal came and the plan didn't come soon after it.
  private func prepare(_ configuration: Configuration) async throws(CommandFailure) -> PreparedRun?
  {
    let (results, continuation) = AsyncStream.makeStream(
      of: Result<PreparedRun, CommandFailure>?.self)
    let (prepareRun, manifests) = (prepareRun, settings.operands)
    Thread.detachNewThread {
      let result = Result { () throws(CommandFailure) in
        try prepareRun(manifests, configuration)
      }
      continuation.yield(result)
    }
    let grace = context.planningGrace
    interruption.onSignal {
      Task {
        // A sleep that is cancelled is no reason to wait longer.
        do { try await Task.sleep(for: grace) } catch {}
        continuation.yield(nil)
      }
    }
    var iterator = results.makeAsyncIterator()
    return try await iterator.next()??.get()
  }
}

extension RunCommand {
  /// Finds out whether the report can be written; gives its path, or nil where none is written to a file.
  private func openReport(_ record: inout RunRecord) throws(CommandFailure) -> String? {
    guard case .file(let path, let isDefault) = ReportTarget(settings) else { return nil }
    let file = try context.locations.absolute(path)
    do {
      try context.actions.checkReport(file)
      return file
    } catch {
      guard isDefault, case .surroundings(let failure, _) = error else { throw error }
      let notice = Notice(code: "report-unwritable", message: failure.message)
      context.warn([notice], settings.verbosity)
      record.warnings.append(notice)
      return nil
    }
  }

  private func write(_ record: RunRecord, to report: String?) throws(CommandFailure) {
    if ReportTarget(settings) == .standardOutput { return try context.print(.run(record)) }
    if let report { try context.actions.writeReport(record, report) }
  }

  private func sayEnd(of record: RunRecord) {
    let (console, text) = (context.console, context.errorText)
    if let error = record.error, record.plan != nil {
      console.say(text.error(error.message))
    }
    guard settings.verbosity != .quiet, let plan = record.plan else { return }
    let summary = RunSummary(plan, record.outcomes, duration: record.duration)
    console.say(summary.text(console.errors.palette))
  }
}
