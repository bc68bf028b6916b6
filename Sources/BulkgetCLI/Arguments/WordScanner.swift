/// Sorts the words of one command into options and operands, in GNU's style.
struct WordScanner {
  let command: Command
  /// The words that are not looked at yet.
  var rest: ArraySlice<String>
  /// Values by the option's name, in the order in which they were written; a flag's is `true`.
  private(set) var values: [String: [String]] = [:]
  private(set) var operands: [String] = []
  /// Whether `--` has been seen: everything behind it is an operand.
  private(set) var isPastOptions = false

  init(command: Command, rest: ArraySlice<String>) {
    self.command = command
    self.rest = rest
  }

  /// Sorts one word, and takes the option's value from the words after it where it stands there.
  mutating func take(_ word: String) throws(UsageError) {
    if isPastOptions || word == "-" || !word.hasPrefix("-") {
      operands.append(word)
    } else if word == "--" {
      isPastOptions = true
    } else if word.hasPrefix("--") {
      try takeLong(word)
    } else {
      try takeLetters(word)
    }
  }

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = command.options.first(where: { $0.name == name }) else {
      let names = command.options.map { "--\($0.name)" } + ["--help", "--version"]
      throw .unknownOption("--\(name)", of: command.name, names: names)
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if option.isFlag, let attached {
      throw .unexpectedValue(attached, option: "--\(name)")
    }
    try add(option, written: "--\(name)", attached: attached)
  }

  /// `-nq`, `-j8`, `-nj8`: flags in one word, the last letter may take the rest of the word as its value.
  private mutating func takeLetters(_ word: String) throws(UsageError) {
    try refuseLongName(in: word)
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.letter == letter }) else {
        throw .unknownOption("-\(letter)", of: command.name, names: [])
      }
      let attached = option.isFlag || letters.isEmpty ? nil : String(letters)
      try add(option, written: "-\(letter)", attached: attached)
      if attached != nil { return }
    }
  }

  private mutating func add(
    _ option: CommandOption, written: String, attached: String?
  ) throws(UsageError) {
    guard let placeholder = option.placeholder else {
      values[option.name, default: []].append("true")
      return
    }
    if let attached {
      values[option.name, default: []].append(attached)
      return
    }
    // A forgotten value must not swallow the option that follows it.
    if let next = rest.first, isOption(next) {
      throw .missingValue(
        option: written, placeholder: placeholder, next: next == "--" ? nil : next)
    }
    guard let value = rest.popFirst() else {
      throw .missingValue(option: written, placeholder: placeholder, next: nil)
    }
    values[option.name, default: []].append(value)
  }

  private func isOption(_ word: String) -> Bool {
    if word == "--" { return true }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    return word.hasPrefix("--") && command.options.contains { $0.name == name }
  }

  /// `-quiet` is a long option with a dash too few more often than a bundle of letters.
  private func refuseLongName(in word: String) throws(UsageError) {
    let name = word.dropFirst().prefix { $0 != "=" }
    guard name.count > 1, command.options.contains(where: { $0.name == name }) else { return }
    throw .unknownOption("-\(name)", of: command.name, names: ["--\(name)"])
  }
}
