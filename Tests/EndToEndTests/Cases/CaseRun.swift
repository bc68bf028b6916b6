import TestSupport

/// A process that has ended, and the report or plan that it wrote.
struct CaseRun: CustomStringConvertible {
  let process: EndedProcess
  let decoded: CaseReport?

  var exitStatus: CInt? { process.exitStatus }
  var errorText: String { process.output.errorText }

  /// What happened, for the message of a failed expectation.
  var description: String {
    "\(process)\n" + (decoded?.files ?? []).map { "\($0)" }.joined(separator: "\n")
  }

  var report: CaseReport {
    get throws {
      guard let decoded else { throw ToolError("there is no report: \(process)") }
      return decoded
    }
  }

  /// The report on the case's usual entry.
  var file: CaseReport.File {
    get throws { try file("a") }
  }

  func file(_ id: String) throws -> CaseReport.File {
    guard let file = try report.files.first(where: { $0.id == id }) else {
      throw ToolError("the report has no entry `\(id)`: \(process)")
    }
    return file
  }

  /// All statuses in the manifest's order.
  var statuses: [String] {
    get throws { try report.files.map { $0.status ?? "-" } }
  }
}
