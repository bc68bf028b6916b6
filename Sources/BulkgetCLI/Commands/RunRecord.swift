import BulkgetKit
import Foundation

/// What a report says beside its files: the frame of one run, or of one plan.
struct RunRecord: Sendable {
  /// The manifests as given.
  var manifestPaths: [String]
  var startedAt: Date
  var finishedAt: Date
  /// From start to finish, by a clock that nobody sets.
  var duration: Duration = .zero
  var status = Report.Status.succeeded
  var exitStatus = ExitStatus.success
  /// What was planned; nil where it came to no plan.
  var plan: Plan?
  /// One per step of the plan; none where nothing was run.
  var outcomes: [Outcome] = []
  /// Why the run as a whole failed.
  var error: Failure?
  var warnings: [Notice] = []
  /// What is wrong with the manifests or the configuration, with exit status 2.
  var problems: [Problem] = []

  init(manifestPaths: [String], startedAt: Date) {
    self.manifestPaths = manifestPaths
    self.startedAt = startedAt
    finishedAt = startedAt
  }
}

extension RunRecord {
  /// Notes that it came to no result.
  mutating func end(with failure: CommandFailure) {
    status = .failed
    exitStatus = failure.exitStatus
    switch failure {
    case .problems(let problems): self.problems = problems
    case .surroundings(let failure, _): error = failure
    case .usage(let usage): problems = [Problem(message: usage.message, hint: usage.hint)]
    case .notFound(let message, _): error = Failure(.io, message)
    }
  }

  /// Notes that a signal came before there was a plan.
  mutating func end(withSignal signal: CInt) {
    status = .cancelled
    exitStatus = .signal(signal)
    error = Failure(.cancelled, "ended by a signal before the plan was made")
  }

  /// Notes what became of the plan, which a signal may have cut short.
  mutating func end(with result: RunResult, signal: CInt?) {
    plan = result.plan
    outcomes = result.outcomes
    error = result.failure
    let known = Set(warnings)
    warnings += result.plan.warnings.filter { !known.contains($0) }
    let verdict = result.verdict
    exitStatus = signal.map(ExitStatus.signal) ?? ExitStatus(rawValue: Int32(verdict.exitStatus))
    status = signal == nil ? verdict.status : .cancelled
  }
}
