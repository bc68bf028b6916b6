/// The help text of a command, no wider than 80 columns.
struct Usage: Sendable {
  /// The command that is explained.
  let command: Command

  private static let width = 80
  /// Where the explanations begin.
  private static let column = 28

  /// The whole text, without a line feed at its end.
  var text: String {
    var sections = [heading, synopsis]
    sections += command.discussion.map { Self.wrapped($0, indent: 0) }
    sections += [operands, subcommands].compactMap(\.self)
    sections += command.groups.compactMap(section)
    sections += [universal, environment].compactMap(\.self)
    sections += command.legends.map(legend) + [examples].compactMap(\.self)
    return sections.joined(separator: "\n\n")
  }

  private var heading: String { "\(command.name): \(command.abstract)" }

  /// How the command is written: `Usage: bulkget run [OPTIONS] MANIFEST...`.
  var synopsis: String {
    if !command.subcommands.isEmpty { return "Usage: \(command.name) COMMAND" }
    let words = [
      command.name, command.options.isEmpty ? nil : "[OPTIONS]", command.operand?.synopsis,
    ]
    return "Usage: " + words.compactMap(\.self).joined(separator: " ")
  }

  private var operands: String? {
    command.operand.map { "Arguments:\n" + Self.row("  \($0.synopsis)", $0.help) }
  }

  private var subcommands: String? {
    if command.subcommands.isEmpty { return nil }
    let rows = command.subcommands.map { subcommand in
      let synopsis = [subcommand.word, subcommand.operand?.synopsis[...]].compactMap(\.self)
      return Self.row("  " + synopsis.joined(separator: " "), subcommand.abstract)
    }
    return "Commands:\n" + rows.joined(separator: "\n")
  }

  private func section(_ group: OptionGroup) -> String? {
    group.title.map { title in
      "\(title):\n" + group.options.map(Self.row).joined(separator: "\n")
    }
  }

  private var universal: String {
    let rows = [
      Self.row("  -h, --help", "print this"), Self.row("  -V, --version", "print the version"),
    ]
    return "Help:\n" + rows.joined(separator: "\n")
  }

  private var environment: String? {
    guard let option = command.options.first else { return nil }
    var sentences = [
      "Every option can also be given in the environment, where the command line wins"
    ]
    if command.options.count <= 5 {
      let value = option.placeholder ?? "1"
      sentences[0] += ": \(option.environmentVariable)=\(value) for --\(option.name)."
    } else {
      sentences[0] +=
        ": BULKGET_JOBS=8 for --jobs 8, BULKGET_OFFLINE=1 or 0 for a flag. An option that can be"
        + " repeated takes a value a line there."
      sentences.append("Times take s, m, h or d; sizes take K, M, G, T or Ki, Mi, Gi, Ti.")
    }
    return Self.wrapped(sentences.joined(separator: " "), indent: 0)
  }

  private func legend(_ legend: Command.Legend) -> String {
    let column = 4 + (legend.rows.map(\.word.count).max() ?? 0)
    let rows = legend.rows.map { Self.row("  \($0.word)", $0.meaning, column: column) }
    return "\(legend.title):\n" + rows.joined(separator: "\n")
  }

  private var examples: String? {
    if command.examples.isEmpty { return nil }
    return "Examples:\n"
      + command.examples.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n")
  }

  private static func row(_ option: CommandOption) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.placeholder.map { " \($0)" } ?? ""
    let notes = [
      option.isRepeatable ? "repeatable" : nil, option.defaultText.map { "default: \($0)" },
    ].compactMap(\.self)
    let note = notes.isEmpty ? "" : " [\(notes.joined(separator: ", "))]"
    return row("  \(letter)--\(option.name)\(value)", option.help + note)
  }

  /// A name on the left, its explanation wrapped on the right, on lines of its own where the name is too long.
  private static func row(_ left: String, _ right: String, column: Int = column) -> String {
    let text = wrapped(right, indent: column)
    if left.count > column - 2 { return left + "\n" + text }
    return left + text.dropFirst(left.count)
  }

  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    lines.append(line)
    return lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
  }
}
