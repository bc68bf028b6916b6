/// Everything that is wrong with one or several manifests, in the order of files and lines.
public struct ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong; never empty.
  public let problems: [Problem]

  /// Makes an error of problems found elsewhere.
  public init(problems: [Problem]) {
    self.problems = problems
  }

  /// Every problem with its line, a caret and a hint, ready for a terminal; without a line feed at the end.
  public var description: String { problems.map(\.description).joined(separator: "\n") }

  /// One mistake and its place. All texts are free of control characters and of secrets.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The manifest's path as the user gave it.
    public let file: String
    /// The line, from 1; 0 where the file as a whole is meant.
    public let line: Int
    /// The column in characters, from 1; 0 where the file as a whole is meant.
    public let column: Int
    /// What is wrong.
    public let message: String
    /// What to do.
    public let hint: String?
    /// The line of the manifest.
    public let excerpt: Excerpt?

    /// Makes a problem of a place in a file.
    public init(
      file: String, at place: (line: Int, column: Int) = (0, 0), _ text: (String, hint: String?),
      excerpt: Excerpt? = nil
    ) {
      self.file = PrintableText.escaped(file)
      (line, column) = place
      message = PrintableText.escaped(text.0)
      hint = text.hint.map(PrintableText.escaped)
      self.excerpt = excerpt
    }

    /// `error: FILE:LINE:COLUMN: message`, the line, a caret, and `hint: …`.
    public var description: String {
      let place = line > 0 ? "\(file):\(line):\(column)" : file
      var lines = ["error: \(place): \(message)"]
      if let excerpt {
        let number = String(line)
        let margin = String(repeating: " ", count: number.utf8.count)
        lines.append("  \(number) | \(excerpt.text)")
        lines.append(
          "  \(margin) | \(String(repeating: " ", count: excerpt.caretColumnCount))^")
      }
      if let hint { lines.append("hint: \(hint)") }
      return lines.joined(separator: "\n")
    }
  }

  /// A line of a manifest as it is shown: without secrets and control characters, and cut around the place when it is
  /// long.
  public struct Excerpt: Hashable, Sendable {
    /// The line.
    public let text: String
    /// How many terminal columns stand before the place.
    public let caretColumnCount: Int
  }
}
