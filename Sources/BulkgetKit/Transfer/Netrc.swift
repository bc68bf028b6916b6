/// The credentials of a `.netrc` file, as ftp(1) and curl read it.
public struct Netrc: Hashable, Sendable {
  private struct Line: Hashable, Sendable {
    /// Nil for `default`.
    var machine: String?
    var user = ""
    var password = ""
  }

  private var lines: [Line] = []

  /// Reads the text of a file: words between white space, quoted ones with escapes, comments behind a `#` that begins a
  /// line. What isn't known is passed over, macros included.
  public init(_ text: String) {
    var words = NetrcWords(text)
    while let word = words.next() {
      switch word {
      case "machine": words.next().map { lines.append(Line(machine: $0.lowercased())) }
      case "default": lines.append(Line(machine: nil))
      case "login": change { $0.user = words.next() ?? "" }
      case "password": change { $0.password = words.next() ?? "" }
      case "account": _ = words.next()
      case "macdef": words.skipParagraph()
      default: break
      }
    }
  }

  private mutating func change(_ body: (inout Line) -> Void) {
    var nobody = Line()
    guard let last = lines.indices.last else { return body(&nobody) }
    body(&lines[last])
  }

  /// The credentials for a host of a URL: those of its machine, else the default ones.
  func credential(for host: String) -> (user: String, password: String)? {
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let line =
      lines.first { $0.machine == name || $0.machine == host } ?? lines.first { $0.machine == nil }
    return line.map { ($0.user, $0.password) }
  }
}

/// The words of a `.netrc` file.
private struct NetrcWords {
  private var rest: Substring

  init(_ text: String) {
    rest = text[...]
  }

  mutating func next() -> String? {
    skipSpace()
    guard let first = rest.first else { return nil }
    if first == "\"" { return quotedWord() }
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest[word.endIndex...]
    return String(word)
  }

  /// Passes over the lines of a macro, which an empty line ends.
  mutating func skipParagraph() {
    while let end = rest.firstIndex(where: \.isNewline) {
      rest = rest[rest.index(after: end)...]
      if rest.first?.isNewline == true { return }
    }
    rest = ""
  }

  private mutating func skipSpace() {
    var isLineStart = rest.startIndex == rest.base.startIndex
    while let first = rest.first {
      if first == "#", isLineStart {
        rest = rest.drop { !$0.isNewline }
      } else if first.isWhitespace {
        isLineStart = first.isNewline || (isLineStart && first != "#")
        rest.removeFirst()
      } else {
        return
      }
    }
  }

  private mutating func quotedWord() -> String {
    let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
    var word = ""
    rest.removeFirst()
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() {
        word.append(escapes[escaped] ?? escaped)
      } else {
        word.append(character)
      }
    }
    return word
  }
}
