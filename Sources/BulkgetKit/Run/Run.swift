import BulkgetSystem
import Foundation
import Synchronization

/// A plan that is being carried out, or is about to be.
public final class Run: Sendable {
  /// The plan as it was made.
  public let plan: Plan
  private let runner: Runner
  private let cache: DiskCache
  /// Kept for as long as the run lives: what it uses is not pruned.
  private let claim: CacheClaim?
  private let refusal = Mutex<Failure?>(nil)

  init(
    _ plan: Plan, _ cache: DiskCache, _ claim: CacheClaim?, _ configuration: Configuration,
    events: @escaping @Sendable (RunEvent) -> Void
  ) throws(RunError) {
    self.plan = plan
    self.cache = cache
    self.claim = claim
    let transport = try CurlTransfers(configuration)
    let stop = StopFlag()
    let context = RunContext(
      configuration: configuration, cache: cache, transport: transport,
      hosts: plan.manifests.map(\.hosts),
      placement: Placement(
        outputDirectory: configuration.outputDirectory, mode: configuration.linkMode,
        isDurable: configuration.isDurable),
      destinations: DestinationObserver(configuration),
      limits: BodyWriter.Limits(jobs: configuration.jobs), lanes: FileLanes(), emit: events,
      isCancelled: { stop.isSet }, moment: RunContext.systemMoment)
    runner = Runner(plan, context, stop)
  }

  /// Ends the run before it begins: nothing of it would be worth doing.
  func refuse(_ failure: Failure) {
    refusal.withLock { $0 = failure }
  }

  /// Carries the plan out and returns when every step has an outcome. Call it once.
  public func result() async -> RunResult {
    if let failure = refusal.withLock({ $0 }) { return RunResult(refusing: plan, failure) }
    let result = await runner.run()
    var plan = plan
    plan.steps = result.steps
    plan.warnings += cache.takeWarnings()
    return RunResult(plan, result)
  }

  /// Ends the run because of a signal, or of anybody's wish (nil): running downloads keep their partial files, and the
  /// result comes soon.
  public func stop(signal: Int32? = nil) {
    runner.stop(.asked(signal: signal))
  }
}

/// What came of a run.
public struct RunResult: Sendable {
  /// The plan as it was carried out: a rehash that found damage has become a download.
  public var plan: Plan
  /// One for each step.
  public var outcomes: [Outcome]
  /// How the run ended.
  public var verdict: RunVerdict
  /// What ended the whole run, where something did.
  public var failure: Failure?

  /// Makes a result of outcomes alone.
  package init(_ plan: Plan, _ outcomes: [Outcome]) {
    self.plan = plan
    self.outcomes = outcomes
    verdict = RunVerdict(steps: plan.steps, outcomes: outcomes)
  }

  /// Nothing was begun.
  init(refusing plan: Plan, _ failure: Failure) {
    let outcome = Outcome(
      status: .cancelled, failure: Failure(.cancelled, "the run had no room for its files"))
    self.init(plan, Array(repeating: outcome, count: plan.steps.count))
    verdict = RunVerdict(status: .failed, exitStatus: 4)
    self.failure = failure
  }

  init(_ plan: Plan, _ result: Runner.Result) {
    self.init(plan, result.outcomes)
    switch result.stop {
    case .asked(let signal):
      verdict = RunVerdict(status: .cancelled, exitStatus: signal.map { 128 + Int($0) } ?? 1)
      failure = Failure(.cancelled, "the run was interrupted")
    case .diskFull(let cause):
      verdict = RunVerdict(status: .failed, exitStatus: 4)
      failure = cause
    case .maximumTime:
      failure = Failure(.cancelled, "the time of `--max-time` is over")
    case .failure, nil:
      break
    }
    if let error = result.indexFailure {
      verdict = RunVerdict(status: .failed, exitStatus: 4)
      failure = Failure(error)
    }
  }
}
