/// One command as declared: parsing, help, completions and the manual page all come from this value.
struct Command: Sendable {
  /// What is done when the command is given; a command with subcommands does nothing itself.
  enum Action: Sendable {
    case run, plan, verify, lock
    case cacheDirectory, cacheList, cachePath, cachePrune, cacheRemove, cacheSize
    case schema, help
  }

  /// One thing that can't be told from the options alone.
  struct Example: Sendable {
    var line: String
    var meaning: String
  }

  /// What short words or numbers mean, under a heading of its own.
  struct Legend: Sendable {
    var title: String
    var rows: [(word: String, meaning: String)]
  }

  /// Two options that contradict each other.
  struct Exclusion: Sendable {
    var first: String
    var second: String
    var reason: String
  }

  /// An option that means something only beside another one.
  struct Requirement: Sendable {
    var option: String
    var needed: String
    var hint: String
  }

  /// The words that call it, as in `bulkget cache list`.
  var name: String
  /// What it does, in one line.
  var abstract: String
  /// What is worth knowing besides; a paragraph each.
  var discussion: [String] = []
  var action: Action?
  var operand: Operand?
  var groups: [OptionGroup] = []
  var exclusions: [Exclusion] = []
  var requirements: [Requirement] = []
  var subcommands: [Command] = []
  var examples: [Example] = []
  /// Signs and exit statuses.
  var legends: [Legend] = []

  /// The last word of the name.
  var word: Substring { name.split(separator: " ").last ?? "" }

  /// Every option, in the order of the help.
  var options: [CommandOption] { groups.flatMap(\.options) }

  /// The subcommand called `word`.
  func subcommand(_ word: String) -> Command? {
    subcommands.first { $0.word == word }
  }
}

/// Options that belong together under one heading.
struct OptionGroup: Sendable {
  /// The heading; nil for options that are accepted without being shown.
  var title: String?
  var options: [CommandOption]
}

/// The words after the options.
struct Operand: Sendable {
  /// How many there may be.
  enum Count: Sendable {
    case one, optional, atLeastOne, any
  }

  var placeholder: String
  var count: Count
  var help: String
  /// The only words allowed; empty where any is.
  var choices: [String] = []
  /// A word that makes a good example.
  var example: String

  /// The operand as the synopsis has it: `MANIFEST...`, `[COMMAND]`.
  var synopsis: String {
    switch count {
    case .one: placeholder
    case .optional: "[\(placeholder)]"
    case .atLeastOne: "\(placeholder)..."
    case .any: "[\(placeholder)...]"
    }
  }
}
