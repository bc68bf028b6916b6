/// What is wrong with a command line or with a variable that stands in for an option.
enum UsageError: Error, Hashable, Sendable {
  /// Where a value was written.
  enum Origin: Hashable, Sendable {
    case option(String)
    case variable(String)
    case operand(String)
  }

  case missingCommand(of: String, words: [String])
  case unknownCommand(String, of: String, words: [String])
  case unknownOption(String, of: String, names: [String])
  /// An option before the command; `command` has such an option.
  case optionBeforeCommand(String, command: String?)
  case missingValue(option: String, placeholder: String, next: String?)
  case unexpectedValue(String, option: String)
  case invalidValue(String, Origin, ValueRefusal)
  case exclusive(Origin, Origin, reason: String)
  case missingCompanion(option: String, needed: String, hint: String)
  case missingOperand(String, command: String, example: String)
  case unexpectedOperand(String, command: String, placeholder: String?)
  case repeatedStandardInput
}

extension UsageError {
  /// What is wrong, in one line.
  var message: String {
    switch self {
    case .missingCommand(let parent, _): "`\(parent)` needs a command"
    case .unknownCommand(let word, _, _): "unknown command `\(word)`"
    case .unknownOption(let option, _, _), .optionBeforeCommand(let option, nil):
      "unknown option `\(option)`"
    case .optionBeforeCommand(let option, _): "option `\(option)` before the command"
    case .missingValue(let option, _, _): "option `\(option)` needs a value"
    case .unexpectedValue(let value, let option):
      "option `\(option)` takes no value, found `\(value)`"
    case .invalidValue(let value, let origin, let refusal):
      "invalid value \(refusal.hidesText ? "" : "`\(value)` ")\(origin.text): "
        + "expected \(refusal.expectation)"
    case .exclusive(let first, let second, _):
      "`\(first.name)` and `\(second.name)` cannot be used together"
    case .missingCompanion(let option, let needed, _):
      "`--\(option)` needs `--\(needed)`"
    case .missingOperand(let placeholder, let command, _): "`\(command)` needs a \(placeholder)"
    case .unexpectedOperand(let word, _, _): "unexpected argument `\(word)`"
    case .repeatedStandardInput: "standard input (`-`) can be read only once"
    }
  }

  /// What to do instead.
  var hint: String? {
    switch self {
    case .missingCommand(_, let words): "the commands are \(Wording.list(words))"
    case .unknownCommand(let word, let parent, let words):
      Self.commandHint(word, parent: parent, words: words)
    case .unknownOption(let option, let command, let names):
      Wording.suggestion(for: option, in: names) ?? "`\(command) --help` lists the options"
    case .optionBeforeCommand(let option, let command):
      command.map { "options come after the command: `\($0) \(option)`" }
        ?? "`bulkget --help` lists the commands"
    case .missingValue(let option, let placeholder, let next):
      Self.valueHint(option, placeholder: placeholder, next: next)
    case .unexpectedValue(_, let option): "write just `\(option)`"
    case .invalidValue(_, _, let refusal): refusal.hint
    case .exclusive(_, _, let reason): reason
    case .missingCompanion(_, _, let hint): hint
    case .missingOperand(_, let command, let example): "for example: `\(command) \(example)`"
    case .unexpectedOperand(_, let command, let placeholder):
      placeholder.map { "`\(command)` takes one \($0)" } ?? "`\(command)` takes no arguments"
    case .repeatedStandardInput: nil
    }
  }

  private static func commandHint(_ word: String, parent: String, words: [String]) -> String {
    if let suggestion = Wording.suggestion(for: word, in: words) { return suggestion }
    if words.contains("run"), word.contains("."), !word.contains(" ") {
      return "did you mean `\(parent) run \(word)`?"
    }
    return "the commands are \(Wording.list(words))"
  }

  private static func valueHint(_ option: String, placeholder: String, next: String?) -> String {
    let separator = option.hasPrefix("--") ? "=" : ""
    guard let next else { return "write `\(option)\(separator)\(placeholder)`" }
    return "if `\(next)` is the value, write `\(option)\(separator)\(next)`"
  }
}

extension UsageError.Origin {
  fileprivate var text: String {
    switch self {
    case .option: "for `\(name)`"
    case .variable: "in the environment variable `\(name)`"
    case .operand: "for \(name)"
    }
  }

  fileprivate var name: String {
    switch self {
    case .option(let name): "--\(name)"
    case .variable(let name), .operand(let name): name
    }
  }
}
