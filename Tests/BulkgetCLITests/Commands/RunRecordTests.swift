import BulkgetKit
import Foundation
import Testing

@testable import BulkgetCLI

struct RunRecordTests {
  /// How the outcomes end the run, whether a signal came, and what the record says then.
  struct Ending: Sendable {
    var verdict: RunVerdict
    var failure: Failure?
    var signal: CInt?
    var status: Report.Status
    var exitStatus: Int32
  }

  static let succeeded = RunVerdict(status: .succeeded, exitStatus: 0)
  static let failed = RunVerdict(status: .failed, exitStatus: 1)
  static let cancelled = RunVerdict(status: .cancelled, exitStatus: 1)
  static let full = RunVerdict(status: .failed, exitStatus: 4)

  static let endings = [
    Ending(verdict: succeeded, status: .succeeded, exitStatus: 0),
    Ending(verdict: failed, status: .failed, exitStatus: 1),
    Ending(
      verdict: cancelled, failure: Failure(.cancelled, "the time is over"), status: .cancelled,
      exitStatus: 1),
    Ending(
      verdict: full, failure: Failure(.diskFull, "no room"), status: .failed, exitStatus: 4),
    Ending(verdict: cancelled, signal: 2, status: .cancelled, exitStatus: 130),
    Ending(verdict: failed, signal: 15, status: .cancelled, exitStatus: 143),
    Ending(verdict: succeeded, signal: 1, status: .cancelled, exitStatus: 129),
  ]

  @Test(arguments: endings)
  func theEndingIsTheVerdictUnlessASignalCame(_ ending: Ending) throws {
    var result = RunResult(
      Sample.plan(
        [try Sample.step("x", .download, .missing)],
        warnings: [Notice(code: "w", message: "m"), Notice(code: "x", message: "n")]),
      [Outcome(status: .downloaded)])
    result.verdict = ending.verdict
    result.failure = ending.failure
    var record = RunRecord(manifestPaths: ["m"], startedAt: Date(timeIntervalSince1970: 0))
    record.warnings = [Notice(code: "w", message: "m")]
    record.end(with: result, signal: ending.signal)
    #expect(record.status == ending.status)
    #expect(record.exitStatus.rawValue == ending.exitStatus)
    #expect(record.error == ending.failure)
    #expect(record.warnings.map(\.code) == ["w", "x"])
    #expect(record.outcomes.count == 1 && record.plan?.steps.count == 1)
  }

  @Test func aFailureBeforeTheRunIsKept() {
    var record = RunRecord(manifestPaths: [], startedAt: Date(timeIntervalSince1970: 0))
    record.end(with: .surroundings(Failure(.cacheUnwritable, "no"), hint: nil))
    #expect(record.error?.code == .cacheUnwritable && record.exitStatus == .surroundings)
    let problem = Problem(file: "m", line: 1, column: 1, message: "bad")
    record.end(with: .problems([problem]))
    #expect(record.problems == [problem] && record.exitStatus == .usage)
    #expect(record.status == .failed)
  }
}
