/// What a run tells while it goes on, in the order in which it happens. Steps are named by their index in the plan.
public enum RunEvent: Sendable {
  /// Work on a step begins.
  case started(step: Int)
  /// Bytes of a body arrived, at most a few times a second for each step.
  case received(step: Int, byteCount: Int64, total: Int64?)
  /// A try failed and another one follows after `wait`.
  case retrying(step: Int, failure: Failure, wait: Duration)
  /// Another process downloads the file; its id is known where the system tells.
  case waiting(step: Int, processID: Int32?, path: String)
  /// The step has ended.
  case finished(step: Int, outcome: Outcome)
  /// Something about the whole run is worth a word.
  case warning(Notice)
}
