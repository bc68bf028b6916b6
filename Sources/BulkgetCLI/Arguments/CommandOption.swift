/// One option as declared: how it is written, what it takes and where its value goes.
struct CommandOption: Sendable {
  /// The long name without dashes, as in `dry-run`.
  let name: String
  /// The short name, as in `n`.
  let letter: Character?
  /// The word that stands for the value in the help; nil for a flag.
  let placeholder: String?
  /// What it does, in a sentence without a full stop.
  let help: String
  /// The default as the help shows it.
  let defaultText: String?
  /// The only values allowed; empty where any is.
  let choices: [String]
  /// Whether every occurrence counts; otherwise the last one does.
  let isRepeatable: Bool
  /// Reads one value and puts it in its place; that of a repeatable option goes behind the others.
  let store: @Sendable (String, inout Settings) throws(ValueRefusal) -> Void

  /// The environment variable that stands in for the option: `BULKGET_DRY_RUN`.
  var environmentVariable: String {
    "BULKGET_" + String(name.map { $0 == "-" ? "_" : $0 }).uppercased()
  }

  /// Whether it takes no value.
  var isFlag: Bool { placeholder == nil }
}

extension CommandOption {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

  /// An option that is there or not.
  static func flag(
    _ name: String, letter: Character? = nil, _ path: Path<Bool>, _ help: String
  ) -> Self {
    Self(
      name: name, letter: letter, placeholder: nil, help: help, defaultText: nil, choices: [],
      isRepeatable: false
    ) { text, settings throws(ValueRefusal) in
      settings[keyPath: path] = try ValueKind.truth.read(text)
    }
  }

  /// An option with a value and a default, which is the one that `Settings` begins with.
  static func value<Value>(
    _ name: String, letter: Character? = nil, _ kind: ValueKind<Value>, _ path: Path<Value>,
    _ help: String
  ) -> Self {
    Self(
      name: name, letter: letter, placeholder: kind.placeholder, help: help,
      defaultText: kind.text(Settings()[keyPath: path]), choices: kind.choices, isRepeatable: false
    ) { text, settings throws(ValueRefusal) in
      settings[keyPath: path] = try kind.read(text)
    }
  }

  /// An option with a value that may be absent.
  static func value<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: Path<Value?>, default defaultText: String?,
    _ help: String
  ) -> Self {
    Self(
      name: name, letter: nil, placeholder: kind.placeholder, help: help, defaultText: defaultText,
      choices: kind.choices, isRepeatable: false
    ) { text, settings throws(ValueRefusal) in
      settings[keyPath: path] = try kind.read(text)
    }
  }

  /// An option that may be given several times.
  static func list<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: Path<[Value]>, _ help: String
  ) -> Self {
    Self(
      name: name, letter: nil, placeholder: kind.placeholder, help: help, defaultText: nil,
      choices: kind.choices, isRepeatable: true
    ) { text, settings throws(ValueRefusal) in
      settings[keyPath: path].append(try kind.read(text))
    }
  }
}
