import BulkgetKit

/// Errors and warnings as lines for people. Whatever text comes in, no control character goes out.
struct ErrorText: Sendable {
  let palette: Palette

  /// `error: message`, then `hint: …` where there is one.
  func error(_ message: String, hint: String? = nil) -> String {
    line("error:", .boldRed, message) + self.hint(hint)
  }

  /// `warning: message (code)`, with the id of the file it is about.
  func warning(_ notice: Notice, about id: String? = nil) -> String {
    line("warning:", .boldYellow, subject(id) + "\(notice.message) (\(notice.code))")
  }

  /// `error: id: message (code)`; the failure of an optional file is a warning.
  func failure(_ failure: Failure, of entry: Entry) -> String {
    let text = subject(entry.key.id) + "\(failure.message) (\(failure.code.rawValue))"
    return entry.isOptional
      ? line("warning:", .boldYellow, text + ", optional") : line("error:", .boldRed, text)
  }

  /// A failure of the command as a whole.
  func failure(_ failure: CommandFailure) -> String {
    switch failure {
    case .usage(let error): self.error(error.message, hint: error.hint)
    case .problems(let problems): self.problems(problems)
    case .surroundings(let failure, let hint):
      error(failure.message, hint: hint)
    case .notFound(let message, let hint): error(message, hint: hint)
    }
  }

  /// A line with a word in front.
  func line(_ word: String, _ style: Style, _ message: String) -> String {
    palette.paint(word, style) + " " + PrintableText.escaped(message)
  }

  private func subject(_ id: String?) -> String { id.map { "\($0): " } ?? "" }

  private func hint(_ text: String?) -> String {
    text.map { "\n" + line("hint:", .cyan, $0) } ?? ""
  }

  private func problems(_ problems: [Problem]) -> String {
    var texts = problems.map(problem)
    if problems.count > 1 {
      texts.append(error("\(problems.count) problems, nothing was attempted"))
    }
    return texts.joined(separator: "\n")
  }

  private func problem(_ problem: Problem) -> String {
    var place = problem.file.map { "\($0):" } ?? ""
    if problem.line > 0 { place += "\(problem.line):\(problem.column):" }
    let message = place.isEmpty ? problem.message : "\(place) \(problem.message)"
    return line("error:", .boldRed, message) + excerpt(of: problem) + hint(problem.hint)
  }

  /// The line, and a caret below the place.
  private func excerpt(of problem: Problem) -> String {
    guard let excerpt = problem.excerpt, problem.line > 0 else { return "" }
    let number = String(problem.line)
    let empty = String(repeating: " ", count: number.utf8.count)
    let before = String(repeating: " ", count: max(0, excerpt.caretColumnCount))
    return "\n" + palette.paint("  \(number) | ", .dim) + PrintableText.escaped(excerpt.text)
      + "\n" + palette.paint("  \(empty) | ", .dim) + before + palette.paint("^", .boldRed)
  }
}
