/// The parts of a report or a plan that the cases look at.
struct CaseReport: Decodable {
  struct Notice: Decodable, Hashable {
    var code: String
    var message: String
  }

  struct Attempt: Decodable {
    var url: String
    var httpStatus: Int?
    var bytes: Int64
    var error: Notice?
  }

  struct File: Decodable {
    var id: String
    var status: String?
    var action: String
    var reason: String
    var finalURL: String?
    var bytes: Int64?
    var resumedBytes: Int64?
    var sha256: String?
    var path: String?
    var attempts: [Attempt]?
    var warnings: [Notice]?
    var error: Notice?

    /// The code of each try's failure, `-` for a try that had none.
    var tries: [String] { (attempts ?? []).map { $0.error?.code ?? "-" } }
    var warningCodes: [String] { (warnings ?? []).map(\.code) }
  }

  struct Problem: Decodable {
    var line: Int?
    var message: String
  }

  var status: String?
  var files: [File]
  var warnings: [Notice]?
  var totals: [String: Int64]?
  var error: Notice?
  var problems: [Problem]?
}
