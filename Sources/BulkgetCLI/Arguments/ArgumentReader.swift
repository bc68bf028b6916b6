/// What a command line asks for.
enum Invocation: Sendable {
  /// To explain a command.
  case help(Command)
  /// To print the version.
  case version
  /// To do something.
  case command(Command.Action, Settings)
}

/// Reads a command line in GNU's style, and the environment variables that stand in for options, into values.
struct ArgumentReader: Sendable {
  /// The commands that there are.
  var root = CommandTable.root
  /// The process's environment.
  let environment: [String: String]

  /// Reads the words after the program's name.
  ///
  /// Help that is asked for anywhere is given even where the rest is wrong: people add `--help` to find out.
  func read(_ words: [String]) throws(UsageError) -> Invocation {
    var rest = words[...]
    var command = root
    while command.action == nil {
      guard let word = rest.popFirst() else {
        throw .missingCommand(of: command.name, words: command.subcommands.map { String($0.word) })
      }
      if let invocation = Self.universal(word, command) { return invocation }
      command = try subcommand(word, of: command)
    }
    do {
      return try read(rest, as: command)
    } catch {
      let asksForHelp = rest.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
      if asksForHelp { return .help(command) }
      throw error
    }
  }

  private static func universal(_ word: String, _ command: Command) -> Invocation? {
    switch word {
    case "-h", "--help": .help(command)
    case "-V", "--version": .version
    default: nil
    }
  }

  private func subcommand(_ word: String, of command: Command) throws(UsageError) -> Command {
    if let found = command.subcommand(word) { return found }
    if word.hasPrefix("-"), word != "-" {
      let name = word.prefix { $0 != "=" }
      let owner = command.subcommands.first {
        $0.options.contains { "--\($0.name)" == name || $0.letter.map { "-\($0)" } == word }
      }
      throw .optionBeforeCommand(word, command: owner?.name)
    }
    throw .unknownCommand(
      word, of: command.name, words: command.subcommands.map { String($0.word) })
  }

  private func read(
    _ words: ArraySlice<String>, as command: Command
  ) throws(UsageError) -> Invocation {
    var scanner = WordScanner(command: command, rest: words)
    while let word = scanner.rest.popFirst() {
      if !scanner.isPastOptions, let invocation = Self.universal(word, command) {
        return invocation
      }
      try scanner.take(word)
    }
    guard let action = command.action, action != .help else {
      return .help(try explained(scanner.operands))
    }
    var settings = Settings()
    settings.operands = scanner.operands
    try check(settings.operands, of: command)
    try store(scanner.values, of: command, in: &settings)
    return .command(action, settings)
  }

  /// The command that `help cache list` is about.
  private func explained(_ words: [String]) throws(UsageError) -> Command {
    var command = root
    for word in words { command = try subcommand(word, of: command) }
    return command
  }

  private func check(_ operands: [String], of command: Command) throws(UsageError) {
    guard let operand = command.operand else {
      guard let first = operands.first else { return }
      throw .unexpectedOperand(first, command: command.name, placeholder: nil)
    }
    let isNeeded = operand.count == .one || operand.count == .atLeastOne
    if isNeeded, operands.isEmpty {
      throw .missingOperand(operand.placeholder, command: command.name, example: operand.example)
    }
    if operand.count == .one, operands.count > 1 {
      throw .unexpectedOperand(
        operands[1], command: command.name, placeholder: operand.placeholder)
    }
    if operands.count(where: { $0 == "-" }) > 1 { throw .repeatedStandardInput }
    for word in operands where !operand.choices.isEmpty && !operand.choices.contains(word) {
      throw .invalidValue(
        word, .operand(operand.placeholder),
        ValueRefusal(
          expectation: Wording.alternatives(operand.choices),
          hint: Wording.suggestion(for: word, in: operand.choices)))
    }
  }
}
