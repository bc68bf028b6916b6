import Foundation

/// Checks values against as much of JSON Schema (draft 2020-12) as the project's own schemas use.
///
/// A keyword that it doesn't know stops the test, so that no rule of a schema goes unchecked.
struct SchemaValidator {
  private let root: [String: Any]

  struct UnknownKeyword: Error {
    let name: String
  }

  init?(_ text: String) throws {
    guard let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    else { return nil }
    self.root = root
  }

  /// Whether JSON text fulfils the schema.
  func accepts(_ json: String) throws -> Bool {
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    return try accepts(value, root)
  }

  private func accepts(_ value: Any, _ schema: Any) throws -> Bool {
    if let flag = schema as? Bool { return flag }
    guard let schema = schema as? [String: Any] else { return false }
    for (keyword, rule) in schema where try !holds(keyword, rule, value, schema) { return false }
    return true
  }

  private func holds(_ keyword: String, _ rule: Any, _ value: Any, _ schema: [String: Any]) throws
    -> Bool
  {
    switch keyword {
    case "$schema", "$defs", "title", "description": return true
    case "$ref": return try accepts(value, definition(rule))
    case "type": return types(rule).contains { isType($0, value) }
    case "enum": return list(rule).contains { isSame($0, value) }
    case "anyOf": return try list(rule).contains { try accepts(value, $0) }
    case "oneOf": return try list(rule).filter { try accepts(value, $0) }.count == 1
    case "not": return try !accepts(value, rule)
    case "pattern", "minLength", "maxLength": return try textHolds(keyword, rule, value)
    case "minimum", "maximum": return numberHolds(keyword, rule, value)
    case "items", "minItems": return try arrayHolds(keyword, rule, value)
    default: return try objectHolds(keyword, rule, value, schema)
    }
  }

  private func textHolds(_ keyword: String, _ rule: Any, _ value: Any) throws -> Bool {
    guard let text = value as? String else { return true }
    switch keyword {
    case "minLength": return text.unicodeScalars.count >= rule as? Int ?? 0
    case "maxLength": return text.unicodeScalars.count <= rule as? Int ?? 0
    default: return try matches(text, rule)
    }
  }

  private func matches(_ text: String, _ pattern: Any) throws -> Bool {
    let expression = try NSRegularExpression(pattern: pattern as? String ?? "")
    let range = NSRange(text.startIndex..., in: text)
    return expression.firstMatch(in: text, range: range) != nil
  }

  private func numberHolds(_ keyword: String, _ rule: Any, _ value: Any) -> Bool {
    guard isType("number", value), let number = value as? Double, let bound = rule as? Double else {
      return true
    }
    return keyword == "minimum" ? number >= bound : number <= bound
  }

  private func arrayHolds(_ keyword: String, _ rule: Any, _ value: Any) throws -> Bool {
    guard let items = value as? [Any] else { return true }
    if keyword == "minItems" { return items.count >= rule as? Int ?? 0 }
    return try items.allSatisfy { try accepts($0, rule) }
  }

  private func objectHolds(_ keyword: String, _ rule: Any, _ value: Any, _ schema: [String: Any])
    throws -> Bool
  {
    guard let object = value as? [String: Any] else { return true }
    switch keyword {
    case "required": return (rule as? [String] ?? []).allSatisfy { object[$0] != nil }
    case "minProperties": return object.count >= rule as? Int ?? 0
    case "maxProperties": return object.count <= rule as? Int ?? 0
    case "dependentRequired":
      let rules = rule as? [String: [String]] ?? [:]
      return rules.allSatisfy { key, others in
        object[key] == nil || others.allSatisfy { object[$0] != nil }
      }
    case "propertyNames": return try object.keys.allSatisfy { try accepts($0, rule) }
    case "properties":
      return try (rule as? [String: Any] ?? [:]).allSatisfy { key, rule in
        try object[key].map { try accepts($0, rule) } ?? true
      }
    case "patternProperties": return true  // Only `^x-` with anything; see `additionalProperties`.
    case "additionalProperties":
      return try object.filter { try isAdditional($0.key, schema) }.allSatisfy {
        try accepts($0.value, rule)
      }
    default: throw UnknownKeyword(name: keyword)
    }
  }

  private func isAdditional(_ key: String, _ schema: [String: Any]) throws -> Bool {
    if (schema["properties"] as? [String: Any])?[key] != nil { return false }
    let patterns = (schema["patternProperties"] as? [String: Any] ?? [:]).keys
    return try !patterns.contains { try matches(key, $0) }
  }

  private func definition(_ reference: Any) -> Any {
    let name = (reference as? String ?? "").split(separator: "/").last.map(String.init) ?? ""
    return (root["$defs"] as? [String: Any])?[name] ?? false
  }

  private func types(_ rule: Any) -> [String] { rule as? [String] ?? [rule as? String ?? ""] }

  private func list(_ rule: Any) -> [Any] { rule as? [Any] ?? [] }

  private func isSame(_ left: Any, _ right: Any) -> Bool {
    isBoolean(left) == isBoolean(right) && (left as? NSObject)?.isEqual(right) == true
  }

  private func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    // Foundation tells a boolean from a number only by its C type.
    return unsafe String(cString: number.objCType) == "c"
  }

  private func isType(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "null": value is NSNull
    case "boolean": isBoolean(value)
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "integer": !isBoolean(value) && (value as? Double).map { $0 == $0.rounded() } == true
    default: !isBoolean(value) && value is NSNumber
    }
  }
}
