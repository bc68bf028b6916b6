/// A value of a manifest after its `${…}` were replaced.
struct ExpandedText {
  /// The text in UTF-8: most values need no replacement and stay where they are written.
  var bytes: ArraySlice<UInt8>
  /// The offsets in `bytes`, counted from 0, of what came from the environment.
  var secrets: [Range<Int>] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Replaces `${name}`, `${env:NAME}` and `${env:NAME:-text}`, and `$${` by `${`. What was put in is not looked at again.
struct Template {
  /// The variables defined so far.
  var variables: [String: ExpandedText] = [:]
  let environment: [String: String]

  /// The longest text that a value may become, in bytes.
  static let maximumByteCount = 64 * 1024

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// Why a text can't be expanded.
  struct Refusal: Error, Hashable {
    var message: String
    var hint: String?
    /// The name that is no variable's.
    var unknownName: String?
  }

  /// Whether there is anything to replace.
  static func isNeeded(for bytes: ArraySlice<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == UInt8(ascii: "{"), previous == UInt8(ascii: "$") { return true }
      previous = byte
    }
    return false
  }

  /// Expands a text.
  func expanded(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> ExpandedText {
    guard Self.isNeeded(for: bytes) else {
      return ExpandedText(bytes: bytes)
    }
    var output = Output()
    output.bytes.reserveCapacity(bytes.count + 64)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let start = index
      while index < bytes.endIndex, bytes[index] != UInt8(ascii: "$") { index += 1 }
      output.bytes += bytes[start..<index]
      let (dollarCount, isOpening) = Self.dollars(in: bytes, at: index)
      if !isOpening {
        output.bytes += bytes[index..<(index + dollarCount)]
        index += dollarCount
      } else if dollarCount > 1 {
        // `$${` is a literal `${`; dollars ahead of it are what they are.
        output.bytes += bytes[(index + 1)...(index + dollarCount)]
        index += dollarCount + 1
      } else {
        index = try expand(bytes, at: index + 2, to: &output)
      }
    }
    return try output.text()
  }

  /// How many dollar signs stand at an offset, and whether a brace follows them.
  private static func dollars(in bytes: ArraySlice<UInt8>, at start: Int) -> (
    count: Int, isOpening: Bool
  ) {
    var end = start
    while end < bytes.endIndex, bytes[end] == UInt8(ascii: "$") { end += 1 }
    return (end - start, end > start && end < bytes.endIndex && bytes[end] == UInt8(ascii: "{"))
  }

  /// Appends what the expression behind a `${` stands for, and gives the offset behind its `}`.
  private func expand(
    _ bytes: ArraySlice<UInt8>, at start: Int, to output: inout Output
  ) throws(Refusal) -> Int {
    var close = start
    while close < bytes.endIndex, bytes[close] != UInt8(ascii: "}") { close += 1 }
    if close == bytes.endIndex {
      throw Refusal(message: "`${` is never closed", hint: "write `$${` for a literal `${`")
    }
    try append(String(decoding: bytes[start..<close], as: UTF8.self), to: &output)
    return close + 1
  }

  private struct Output {
    var bytes: [UInt8] = []
    var secrets: [Range<Int>] = []

    mutating func append(_ expanded: ExpandedText) {
      let start = bytes.count
      bytes += expanded.bytes
      for secret in expanded.secrets {
        secrets.append(secret.lowerBound + start..<secret.upperBound + start)
      }
    }

    func text() throws(Refusal) -> ExpandedText {
      if bytes.count > Template.maximumByteCount {
        throw Refusal(message: "the value expands to more than \(Template.maximumByteCount) bytes")
      }
      return ExpandedText(bytes: bytes[...], secrets: secrets)
    }
  }

  private func append(_ expression: String, to output: inout Output) throws(Refusal) {
    if let value = variables[expression] {
      output.append(value)
    } else if let colon = expression.firstIndex(of: ":") {
      let word = expression[..<colon]
      guard word == "env" else {
        throw Refusal(
          message: "`${\(PrintableText.shown(String(word))):…}` means nothing",
          hint: "`${env:NAME}` takes an environment variable; write `$${` for a literal `${`")
      }
      output.append(try environmentValue(expression[expression.index(after: colon)...]))
    } else {
      throw Refusal(
        message: "no variable `\(PrintableText.shown(expression))`",
        hint: "define it under `variables`, or write `$${` for a literal `${`",
        unknownName: expression)
    }
    if output.bytes.count > Self.maximumByteCount { _ = try output.text() }
  }

  private func environmentValue(_ expression: Substring) throws(Refusal) -> ExpandedText {
    let parts = expression.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard Self.isEnvironmentName(name) else {
      throw Refusal(message: "`\(PrintableText.shown(name))` is no name of an environment variable")
    }
    var fallback: String?
    if parts.count > 1 {
      guard parts[1].hasPrefix("-") else {
        throw Refusal(
          message: "only `:-` can follow the name in `${env:\(name)…}`",
          hint: "`${env:\(name):-text}` takes `text` where the variable is unset or empty")
      }
      fallback = String(parts[1].dropFirst())
    }
    if let value = environment[name], !(value.isEmpty && fallback != nil) {
      let bytes = Array(value.utf8)
      return ExpandedText(bytes: bytes[...], secrets: bytes.isEmpty ? [] : [0..<bytes.count])
    }
    if let fallback { return ExpandedText(bytes: Array(fallback.utf8)[...]) }
    throw Refusal(
      message: "the environment variable `\(name)` is not set",
      hint: "set it, or give a default: `${env:\(name):-text}`")
  }

  /// `[A-Za-z_][A-Za-z0-9_.-]*`, what a variable may be called.
  static func isVariableName(_ name: String) -> Bool {
    isWord(name, or: [UInt8(ascii: "."), UInt8(ascii: "-")])
  }

  /// `[A-Za-z_][A-Za-z0-9_]*` (POSIX.1-2017, section 8.1).
  static func isEnvironmentName(_ name: String) -> Bool { isWord(name, or: []) }

  private static func isWord(_ name: String, or others: [UInt8]) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first), !others.contains(first)
    else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: others.contains(byte)
      }
    }
  }
}
