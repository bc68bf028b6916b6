/// How a run has ended, and what the process exits with.
public struct RunVerdict: Hashable, Sendable {
  /// How it ended.
  public var status: Report.Status
  /// 0 to 4, or 128 and the signal's number.
  public var exitStatus: Int

  /// Makes a verdict, such as that of a signal.
  public init(status: Report.Status, exitStatus: Int) {
    self.status = status
    self.exitStatus = exitStatus
  }

  /// What the outcomes say: 1 when an entry that is not optional failed or was cancelled, else 0.
  public init(steps: [Step], outcomes: [Outcome]) {
    var verdict = RunVerdict(status: .succeeded, exitStatus: 0)
    for (step, outcome) in zip(steps, outcomes) where !step.entry.isOptional {
      switch outcome.status {
      case .failed:
        self.init(status: .failed, exitStatus: 1)
        return
      case .cancelled: verdict = RunVerdict(status: .cancelled, exitStatus: 1)
      case .downloaded, .revalidated, .cached, .skipped: break
      }
    }
    self = verdict
  }
}
