/// A pattern that matches whole texts: `*` any text, slashes included, `?` one character, `[a-z]` a class, `[!a-z]` or
/// `[^a-z]` its complement; a backslash takes the next character literally.
///
/// A character is a Unicode scalar. A bracket that is never closed stands for itself.
struct GlobPattern: Hashable, Sendable {
  private enum Token: Hashable, Sendable {
    case literal(Unicode.Scalar)
    case anyCharacter
    case anyText
    case oneOf([ClosedRange<Unicode.Scalar>], isComplement: Bool)

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .literal(let literal): literal == scalar
      case .anyCharacter: true
      case .anyText: false
      case .oneOf(let ranges, let isComplement):
        ranges.contains { $0.contains(scalar) } != isComplement
      }
    }
  }

  private let tokens: [Token]

  init(_ text: String) {
    var tokens: [Token] = []
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*":
        if tokens.last != .anyText { tokens.append(.anyText) }
      case "?": tokens.append(.anyCharacter)
      case "\\": tokens.append(.literal(rest.popFirst() ?? scalar))
      case "[": tokens.append(Self.characterClass(&rest) ?? .literal(scalar))
      default: tokens.append(.literal(scalar))
      }
    }
    self.tokens = tokens
  }

  /// Reads a class behind its bracket; leaves `rest` alone and gives nil where no bracket closes it.
  private static func characterClass(_ rest: inout Substring.UnicodeScalarView) -> Token? {
    var text = rest
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    let isComplement = text.first == "!" || text.first == "^"
    if isComplement { text.removeFirst() }
    while let first = text.popFirst() {
      if first == "]", !ranges.isEmpty {
        rest = text
        return .oneOf(ranges, isComplement: isComplement)
      }
      let start = first == "\\" ? text.popFirst() ?? first : first
      ranges.append(start...upperBound(from: start, in: &text))
    }
    return nil
  }

  /// The other end of `a-z` behind its `a`; a hyphen ahead of the closing bracket is a character like any other.
  private static func upperBound(
    from start: Unicode.Scalar, in text: inout Substring.UnicodeScalarView
  ) -> Unicode.Scalar {
    var ahead = text
    guard ahead.popFirst() == "-", let end = ahead.popFirst(), end != "]", end >= start else {
      return start
    }
    text = ahead
    return end
  }

  /// Whether the pattern is the whole of `text`. The last star takes back one character at a time, which is enough,
  /// and never worse than pattern times text.
  func matches(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    var token = 0
    var index = scalars.startIndex
    var retry: (token: Int, index: String.UnicodeScalarView.Index)?
    while index < scalars.endIndex {
      if token < tokens.count, tokens[token] == .anyText {
        token += 1
        retry = (token, index)
      } else if token < tokens.count, tokens[token].matches(scalars[index]) {
        token += 1
        index = scalars.index(after: index)
      } else if let star = retry {
        token = star.token
        index = scalars.index(after: star.index)
        retry = (token, index)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .anyText }
  }
}
