import BulkgetKit

/// How the text of a value is read and shown.
struct ValueKind<Value: Sendable>: Sendable {
  /// The word that stands for such a value in the help.
  let placeholder: String
  /// The only texts allowed; empty where there is no such list.
  var choices: [String] = []
  /// Reads a value.
  let read: @Sendable (String) throws(ValueRefusal) -> Value
  /// Writes a value as the help shows it; nil where there is nothing to show.
  var text: @Sendable (Value) -> String? = { _ in nil }
}

/// Why a text is no value of its kind.
struct ValueRefusal: Error, Hashable, Sendable {
  /// What would have been right, after the word "expected".
  var expectation: String
  /// What to do instead, where that is known.
  var hint: String?
  /// Whether the text may hold a password and must not be shown.
  var hidesText = false
}

extension ValueKind<Bool> {
  /// What the environment variable of a flag may say.
  static let truth = ValueKind(placeholder: "BOOL") { text throws(ValueRefusal) in
    switch text.lowercased() {
    case "1", "true": return true
    case "0", "false": return false
    default: throw ValueRefusal(expectation: "`1`, `true`, `0` or `false`")
    }
  }
}

extension ValueKind<Int> {
  /// A whole number of a range.
  static func integer(_ range: ClosedRange<Int>) -> Self {
    ValueKind(
      placeholder: "N",
      read: { text throws(ValueRefusal) in
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(isDigit)
        guard isNumber, let number = Int(text), range.contains(number) else {
          throw ValueRefusal(
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
      },
      text: { String($0) })
  }
}

extension ValueKind<String> {
  /// A path; `placeholder` says of what.
  static func path(_ placeholder: String) -> Self {
    ValueKind(
      placeholder: placeholder,
      read: { text throws(ValueRefusal) in
        if text.isEmpty { throw ValueRefusal(expectation: "a path, found nothing") }
        return text
      }, text: { $0 })
  }

  /// A text on one line.
  static func text(_ placeholder: String, _ expectation: String) -> Self {
    ValueKind(placeholder: placeholder) { text throws(ValueRefusal) in
      let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      if text.isEmpty || hasControl {
        throw ValueRefusal(expectation: "\(expectation) without control characters")
      }
      return text
    }
  }
}

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enumeration.
  static func choice(_ placeholder: String) -> Self {
    let words = Value.allCases.map(\.rawValue)
    return ValueKind(
      placeholder: placeholder, choices: words,
      read: { text throws(ValueRefusal) in
        guard let value = Value(rawValue: text) else {
          throw ValueRefusal(
            expectation: Wording.alternatives(words), hint: Wording.suggestion(for: text, in: words)
          )
        }
        return value
      },
      text: { $0.rawValue })
  }
}

/// Whether a byte of UTF-8 is `0` to `9`.
func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
