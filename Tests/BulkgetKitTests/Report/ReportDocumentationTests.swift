import BulkgetKit
import BulkgetSystem
import Foundation
import Testing

/// What docs/report.md has to explain.
@Suite struct ReportDocumentationTests {
  private let text: String

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let file = try FileDescriptor(opening: "/\(root)/docs/report.md", O_RDONLY)
    text = String(decoding: try file.readAll(limit: 1 << 20) ?? [], as: UTF8.self)
  }

  @Test(arguments: Failure.Code.allCases)
  func everyErrorCodeHasACauseAndACure(code: Failure.Code) throws {
    let start = try #require(text.firstRange(of: "## Error codes")).upperBound
    let rows = text[start...].split(separator: "\n")
    let row = try #require(rows.first { $0.hasPrefix("| `\(code.rawValue)` |") })
    #expect(row.split(separator: "|").count == 3)
  }

  @Test(arguments: Step.Action.allCases)
  func everyActionIsExplained(action: Step.Action) {
    #expect(text.contains("| `\(action.rawValue)` |"))
  }

  @Test(arguments: Step.Reason.allCases)
  func everyReasonIsExplained(reason: Step.Reason) {
    #expect(text.contains("`\(reason.rawValue)`"))
  }

  @Test(arguments: Outcome.Status.allCases)
  func everyStatusIsExplained(status: Outcome.Status) {
    #expect(text.contains("| `\(status.rawValue)` |"))
  }

  @Test func everyKeyIsExplained() throws {
    let documents = [
      try ReportSamples.report().json,
      try PlanJSONTests.plan().json(head: ReportSamples.head(.plan), outputDirectory: "/out"),
    ]
    for document in documents {
      let keys = keys(of: try JSONSerialization.jsonObject(with: Data(document)))
      #expect(keys.count > 20)
      for key in keys { #expect(text.contains("`\(key)`"), "\(key)") }
    }
  }

  private func keys(of value: Any) -> Set<String> {
    if let array = value as? [Any] { return array.reduce(into: []) { $0.formUnion(keys(of: $1)) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.values.reduce(into: Set(object.keys)) { $0.formUnion(keys(of: $1)) }
  }
}
