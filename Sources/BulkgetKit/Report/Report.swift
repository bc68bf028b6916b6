/// What a run has done: one record per entry, in the order of the manifests.
///
/// ``Report+JSON`` writes it; docs/report.md explains every key.
public struct Report: Sendable {
  /// How a run ended.
  public enum Status: String, CaseIterable, Sendable {
    case succeeded, failed, cancelled
  }

  /// What is known about the whole run.
  public var head: ReportHead
  /// One record per entry.
  public let files: [FileReport]
  /// What is wrong with the manifests; nil where they were read. Then nothing was attempted.
  public let problems: [ReportProblem]?
  /// The sums over `files`.
  public let totals: ReportTotals

  /// Makes a report of records.
  public init(head: ReportHead, files: [FileReport]) {
    self.head = head
    self.files = files
    problems = nil
    totals = ReportTotals(of: files)
  }

  /// Makes the report of a run: `outcomes` has one element for each step of the plan.
  public init(head: ReportHead, plan: Plan, outcomes: [Outcome]) {
    let paths = plan.manifests.map(\.path)
    self.init(
      head: head,
      files: zip(plan.steps, outcomes).map { FileReport(step: $0, outcome: $1, manifests: paths) })
  }

  /// Makes the report of manifests that can't be used.
  public init(head: ReportHead, problems: [ReportProblem]) {
    self.head = head
    files = []
    self.problems = problems
    totals = ReportTotals(of: [])
  }
}

/// Something wrong in a manifest.
public struct ReportProblem: Hashable, Sendable {
  /// The manifest's path as the user gave it.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int
  /// What is wrong.
  public var message: String

  /// Makes a problem.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }
}
