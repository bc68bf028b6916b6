/// What libyaml said about a text, to be put in the words of somebody who writes a manifest.
struct YAMLSyntaxError {
  let problem: String
  let context: String
  /// The byte where the problem was seen.
  let offset: Int
  /// The byte where the construct began that could not be read.
  let contextOffset: Int

  /// The error in plain words.
  func explained(in source: [UInt8]) -> YAMLError {
    if let error = quotingError(in: source) ?? surrogateError(in: source) ?? tabError(in: source) {
      return error
    }
    if problem.hasPrefix("found character that cannot start any token") {
      return unexpectedCharacter(in: source)
    }
    if offset >= source.count, contextOffset < source.count, problem.contains("expected ',' or") {
      let bracket = Character(Unicode.Scalar(source[contextOffset]))
      return YAMLError("the `\(bracket)` opened here is never closed", offset: contextOffset)
    }
    if let words = Self.words.first(where: { problem.hasPrefix($0.problem) }) {
      let place = words.isAtContext ? contextOffset : offset
      return YAMLError(words.message, hint: words.hint, offset: place)
    }
    let place = context.isEmpty ? "" : " (\(context))"
    return YAMLError("not valid YAML: \(problem)\(place)", offset: offset)
  }

  private struct Words {
    var problem: String
    var message: String
    var hint: String?
    var isAtContext = false
  }

  private static let words = [
    Words(
      problem: "mapping values are not allowed",
      message: "a `key: value` cannot begin here",
      hint: "indent all keys of an entry alike, and quote a text that contains `: `"),
    Words(
      problem: "could not find expected ':'", message: "a colon is missing after this key",
      hint: "write `key: value`", isAtContext: true),
    Words(
      problem: "did not find expected key", message: "the indentation fits no key before it",
      hint: "indent all keys of an entry by the same number of spaces"),
    Words(
      problem: "did not find expected '-' indicator",
      message: "the indentation fits no item of the list before it",
      hint: "indent all `-` of a list by the same number of spaces"),
    Words(
      problem: "block sequence entries are not allowed", message: "a list item cannot begin here",
      hint: "put the `-` on a line of its own, indented like the items before it"),
    Words(
      problem: "did not find expected ',' or ']'", message: "a `,` or the closing `]` is missing"),
    Words(
      problem: "did not find expected ',' or '}'", message: "a `,` or the closing `}` is missing"),
    Words(
      problem: "found unexpected end of stream", message: "the closing quote is missing",
      hint: "the quote opened here is never closed", isAtContext: true),
    Words(
      problem: "found unexpected document indicator",
      message: "a document ends inside a quoted text", hint: "close the quote opened here",
      isAtContext: true),
    Words(
      problem: "found unknown escape character",
      message: "a backslash before this character has no meaning between double quotes",
      hint: "write `\\\\` for a backslash, or use single quotes"),
    Words(
      problem: "did not find expected hexdecimal number",
      message: "an escape needs hexadecimal digits", hint: "write `\\\\` for a backslash"),
    Words(
      problem: "found invalid Unicode character escape code",
      message: "the escape is no character of Unicode"),
    Words(
      problem: "did not find expected <document start>",
      message: "nothing may follow the document's value here",
      hint: "indent all top-level keys alike: not at all"),
    Words(
      problem: "found incompatible YAML document",
      message: "only YAML 1.1 and 1.2 can be read", hint: "leave the `%YAML` line out"),
    Words(problem: "found duplicate %YAML directive", message: "there is a second `%YAML` line"),
    Words(problem: "found undefined tag handle", message: "the tag's prefix is not declared"),
    Words(
      problem: "did not find expected alphabetic or numeric character",
      message: "an anchor or alias needs a name",
      hint: "quote a text that begins with `&` or `*`", isAtContext: true),
    Words(
      problem: "did not find expected comment or line break",
      message: "a text cannot begin on the line of `|` or `>`", hint: "put it on the next line"),
    Words(
      problem: "did not find expected node content", message: "a value is missing here"),
    Words(
      problem: "mapping keys are not allowed", message: "a `?` cannot begin a key here",
      hint: "quote a text that begins with `? `"),
  ]

  /// A brace that belongs to `${name}` but stands where YAML takes braces for its own.
  private func quotingError(in source: [UInt8]) -> YAMLError? {
    guard context.contains("flow") || problem.contains("expected ',' or") else { return nil }
    let lineStart =
      source[..<min(offset, source.count)].lastIndex { $0 == 0x0A || $0 == 0x0D } ?? -1
    let before = source[(lineStart + 1)..<min(offset + 1, source.count)]
    guard let dollar = before.lastIndex(of: UInt8(ascii: "$")), dollar + 1 < source.count,
      source[dollar + 1] == UInt8(ascii: "{")
    else { return nil }
    return YAMLError(
      "a text with `${…}` needs quotes between `{` and `}` or `[` and `]`",
      hint: "quote it, as in `{url: \"${base}/x\"}`", offset: dollar)
  }

  private func surrogateError(in source: [UInt8]) -> YAMLError? {
    guard problem.hasPrefix("found invalid Unicode character escape code") else { return nil }
    // The mark stands behind the backslash and the `u`.
    let start = max(0, offset - 2)
    guard start + 6 <= source.count, source[start] == UInt8(ascii: "\\"),
      let unit = SurrogatePairs.unit(at: start, in: source), (0xD800...0xDFFF).contains(unit)
    else { return nil }
    let written = String(decoding: source[start..<start + 6], as: UTF8.self)
    return YAMLError(
      "`\(written)` is one half of a surrogate pair without the other", offset: start)
  }

  /// What libyaml says of a line outside of brackets when its indentation has a tab, which it takes for text.
  private static let problemsOfIndentation = [
    "found a tab character", "mapping values are not allowed", "did not find expected key",
    "did not find expected '-' indicator", "block sequence entries are not allowed",
  ]

  private func tabError(in source: [UInt8]) -> YAMLError? {
    guard Self.problemsOfIndentation.contains(where: problem.hasPrefix) else { return nil }
    let end = min(offset, source.count)
    let start = source[..<end].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    let line = source[start..<source.lineEnd(from: start)]
    guard let tab = line.prefix(while: { $0 == 0x20 || $0 == 0x09 }).firstIndex(of: 0x09) else {
      return problem.hasPrefix("found a tab character") ? Self.tab(at: offset) : nil
    }
    return Self.tab(at: tab)
  }

  private static func tab(at offset: Int) -> YAMLError {
    YAMLError("a tab cannot indent a line of YAML", hint: "indent with spaces", offset: offset)
  }

  private func unexpectedCharacter(in source: [UInt8]) -> YAMLError {
    guard offset < source.count else {
      return YAMLError("the text ends in the middle of a value", offset: offset)
    }
    switch source[offset] {
    case 0x09: return Self.tab(at: offset)
    case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
      let character = Character(Unicode.Scalar(source[offset]))
      return YAMLError(
        "a text cannot begin with \(character) in YAML", hint: "put it between quotes",
        offset: offset)
    default:
      return YAMLError("no value can begin with this character", hint: "quote it", offset: offset)
    }
  }
}

/// What libyaml's reader refuses: bytes that are no UTF-8, and control characters.
func unreadableCharacter(_ problem: String, offset: Int, in source: [UInt8]) -> YAMLError {
  if problem.hasPrefix("control characters") {
    return YAMLError(
      "a control character is not allowed here", hint: "a manifest is text in UTF-8", offset: offset
    )
  }
  // A trailing byte that is none is the fault of the sequence that wants it.
  let isTrailing = problem.contains("trailing")
  let lead = isTrailing ? source[max(0, offset - 3)..<offset].lastIndex { $0 >= 0xC0 } : nil
  return YAMLError(
    "a byte here is not valid UTF-8", hint: "save the manifest as UTF-8", offset: lead ?? offset)
}
