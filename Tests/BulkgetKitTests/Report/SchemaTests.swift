import Foundation
import Testing

@testable import BulkgetKit

@Suite struct SchemaTests {
  private func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func violations(_ document: [UInt8], _ schema: String) throws -> [String] {
    let schema = try object(Array(schema.utf8))
    return SchemaChecker(root: schema).violations(of: try object(document), against: schema)
  }

  private func plan() throws -> [UInt8] {
    try PlanJSONTests.plan().json(head: ReportSamples.head(.plan), outputDirectory: "/out")
  }

  @Test func reportsMatchTheirSchema() throws {
    #expect(try violations(ReportSamples.report().json, ReportSchema.text) == [])
    var head = try ReportSamples.head(.run)
    head.error = Failure(.diskFull, "m")
    head.warnings = [Notice(code: "c", message: "m")]
    let problem = ReportProblem(file: "f", line: 1, column: 1, message: "m")
    #expect(try violations(Report(head: head, problems: [problem]).json, ReportSchema.text) == [])
  }

  @Test func plansMatchTheirSchema() throws {
    #expect(try violations(plan(), PlanSchema.text) == [])
  }

  @Test func oneIsNotTheOther() throws {
    #expect(try !violations(plan(), ReportSchema.text).isEmpty)
    #expect(try !violations(ReportSamples.report().json, PlanSchema.text).isEmpty)
  }

  @Test(arguments: [ReportSchema.text, PlanSchema.text])
  func schemasAreOfTheirDraftAndEndInALineFeed(text: String) throws {
    #expect(text.hasSuffix("}\n"))
    let schema = try object(Array(text.utf8))
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test func everyCodeAndReasonIsListed() {
    for code in Failure.Code.allCases {
      #expect(ReportSchema.text.contains("\"\(code.rawValue)\""))
    }
    for reason in Step.Reason.allCases {
      #expect(PlanSchema.text.contains("\"\(reason.rawValue)\""))
    }
  }

  @Test func theCheckerFindsWhatIsWrong() throws {
    var text = String(decoding: try ReportSamples.report().json, as: UTF8.self)
    text = text.replacing(#""exitStatus": 1"#, with: #""exitStatus": "1""#)
    text = text.replacing(#""status": "downloaded""#, with: #""status": "fetched""#)
    text = text.replacing(#""resumedBytes": 0, "#, with: "")
    text = text.replacing(#""kind": "run","#, with: #""kind": "run", "surprise": 1,"#)
    let found = try violations(Array(text.utf8), ReportSchema.text)
    #expect(found.contains("$.exitStatus: is no integer"))
    #expect(found.contains("$.files[0].status: is none of the allowed values"))
    #expect(found.contains("$.files[0]: lacks `resumedBytes`"))
    #expect(found.contains("$: `surprise` is not described"))
  }
}

/// As much of JSON Schema as the schemas use, and stricter in one way: a key that isn't described is a violation, since
/// what is written has to be documented.
private struct SchemaChecker {
  let root: [String: Any]

  func violations(of value: Any, against schema: [String: Any], at path: String = "$") -> [String] {
    if let reference = schema["$ref"] as? String {
      return violations(of: value, against: definition(reference), at: path)
    }
    var found: [String] = []
    if let expected = schema["const"], !isEqual(value, expected) {
      found.append("\(path): is not \(expected)")
    }
    if let allowed = schema["enum"] as? [Any], !allowed.contains(where: { isEqual(value, $0) }) {
      found.append("\(path): is none of the allowed values")
    }
    found += typeViolations(of: value, against: schema, at: path)
    if let object = value as? [String: Any] {
      found += members(of: object, against: schema, at: path)
    }
    if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
      for (index, item) in array.enumerated() {
        found += violations(of: item, against: items, at: "\(path)[\(index)]")
      }
    }
    return found
  }

  private func members(
    of object: [String: Any], against schema: [String: Any], at path: String
  ) -> [String] {
    let required = schema["required"] as? [String] ?? []
    let properties = schema["properties"] as? [String: Any] ?? [:]
    var found = required.filter { object[$0] == nil }.map { "\(path): lacks `\($0)`" }
    for (key, member) in object {
      guard let property = properties[key] as? [String: Any] else {
        found.append("\(path): `\(key)` is not described")
        continue
      }
      found += violations(of: member, against: property, at: "\(path).\(key)")
    }
    return found
  }

  private func typeViolations(
    of value: Any, against schema: [String: Any], at path: String
  ) -> [String] {
    let types = (schema["type"] as? String).map { [$0] } ?? schema["type"] as? [String]
    if let types, !types.contains(where: { matches(value, type: $0) }) {
      return ["\(path): is no \(types[0])"]
    }
    if let minimum = schema["minimum"] as? Double, let number = value as? Double, number < minimum {
      return ["\(path): is less than \(minimum)"]
    }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      return ["\(path): does not match \(pattern)"]
    }
    return []
  }

  private func matches(_ value: Any, type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": (value as? NSNumber).map(isBoolean) ?? false
    case "number": (value as? NSNumber).map { !isBoolean($0) } ?? false
    case "integer":
      (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue.rounded() == $0.doubleValue }
        ?? false
    default: false
    }
  }

  /// Foundation reads `true` as a number that only its type tells apart.
  private func isBoolean(_ number: NSNumber) -> Bool {
    let type = unsafe String(cString: number.objCType)
    return type == "c" || type == "B"
  }

  private func isEqual(_ left: Any, _ right: Any) -> Bool {
    (left as? NSObject) == (right as? NSObject) || "\(left)" == "\(right)"
  }

  private func definition(_ reference: String) -> [String: Any] {
    let name = reference.split(separator: "/").last.map(String.init) ?? ""
    let definitions = root["$defs"] as? [String: Any] ?? [:]
    return definitions[name] as? [String: Any] ?? ["const": "no definition `\(name)`"]
  }
}
