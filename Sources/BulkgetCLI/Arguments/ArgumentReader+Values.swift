extension ArgumentReader {
  /// Values and where each of them was written, by the option's name.
  private struct Given {
    var typed: [String: [String]]
    var variables: [String: [String]] = [:]

    func has(_ name: String) -> Bool { typed[name] != nil || variables[name] != nil }

    func origin(of option: CommandOption) -> UsageError.Origin {
      typed[option.name] != nil ? .option(option.name) : .variable(option.environmentVariable)
    }
  }

  /// Stores the values of the command line and, for options that it leaves open, those of the environment.
  func store(
    _ typed: [String: [String]], of command: Command, in settings: inout Settings
  ) throws(UsageError) {
    let given = try withEnvironment(typed, of: command)
    try check(given, of: command)
    for option in command.options {
      let values = given.typed[option.name] ?? given.variables[option.name] ?? []
      for value in option.isRepeatable ? values : values.suffix(1) {
        do {
          try option.store(value, &settings)
        } catch {
          throw .invalidValue(value, given.origin(of: option), error)
        }
      }
    }
  }

  /// Adds the variables that count: the command line wins over one that contradicts it, and one that means nothing
  /// to this command is not complained about, since it may be set for another one.
  private func withEnvironment(
    _ typed: [String: [String]], of command: Command
  ) throws(UsageError) -> Given {
    var given = Given(typed: typed)
    for option in command.options where typed[option.name] == nil {
      let isContradicted = command.exclusions.contains {
        $0.first == option.name && typed[$0.second] != nil
          || $0.second == option.name && typed[$0.first] != nil
      }
      if !isContradicted { given.variables[option.name] = try variable(of: option) }
    }
    for requirement in command.requirements where !given.has(requirement.needed) {
      given.variables[requirement.option] = nil
    }
    return given
  }

  /// What the option's variable says; nil where it is unset, empty, or a flag that is off.
  private func variable(of option: CommandOption) throws(UsageError) -> [String]? {
    let name = option.environmentVariable
    guard let text = environment[name], !text.isEmpty else { return nil }
    if option.isFlag {
      do {
        return try ValueKind.truth.read(text) ? [text] : nil
      } catch {
        throw .invalidValue(text, .variable(name), error)
      }
    }
    return option.isRepeatable
      ? text.split(whereSeparator: \.isNewline).map(String.init) : [text]
  }

  private func check(_ given: Given, of command: Command) throws(UsageError) {
    let options = Dictionary(command.options.map { ($0.name, $0) }) { first, _ in first }
    for exclusion in command.exclusions where given.has(exclusion.first) {
      guard given.has(exclusion.second), let first = options[exclusion.first],
        let second = options[exclusion.second]
      else { continue }
      throw .exclusive(
        given.origin(of: first), given.origin(of: second), reason: exclusion.reason)
    }
    for requirement in command.requirements where given.has(requirement.option) {
      if given.has(requirement.needed) { continue }
      throw .missingCompanion(
        option: requirement.option, needed: requirement.needed, hint: requirement.hint)
    }
  }
}
