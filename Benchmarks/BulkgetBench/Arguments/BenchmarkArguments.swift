import Foundation

/// The command line of `bulkget-bench`.
struct BenchmarkArguments: Sendable {
  var scenarios = Scenario.all
  /// All that fit a scenario where it is nil.
  var contenders: Set<Contender>?
  var rounds = 3
  var scale = 1.0
  var directory = NSTemporaryDirectory()
  var output: String?
  var markdown: String?
  var bulkget: String?
  var wantsHelp = false

  /// Wrong words, and what would be right.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  static var usage: String {
    """
    usage: bulkget-bench [OPTIONS]

    Measures bulkget and other download programs side by side, against an nginx of its own on this machine.

      --scenarios A,B     only these kinds of work
      --contenders X,Y    only these programs
      --rounds N          rounds that count, 1 to 100; one more comes first [default: 3]
      --scale F           a part of the work, above 0 and at most 1, for a trial [default: 1]
      --directory DIR     where files are served from and written to [default: $TMPDIR]
      --output FILE       write all samples as JSON
      --markdown FILE     write the table into FILE, between its marks where it has them
      --bulkget PATH      the bulkget to measure [default: the one beside this program]
      --help              show this text

    Scenarios: \(Scenario.all.map(\.name).joined(separator: ", "))
    Contenders: \(Contender.all.map(\.name).joined(separator: ", "))

    Exit status: 0 everything was measured, 1 an output was wrong or a program failed, 2 wrong usage,
    4 it couldn't be measured.

    """
  }

  /// Reads the words after the program's name.
  init(_ words: some Sequence<String>) throws(Refusal) {
    var words = words.makeIterator()
    while let word = words.next() {
      if word == "--help" || word == "-h" {
        wantsHelp = true
        continue
      }
      guard word.hasPrefix("--") else { throw Refusal(description: "unexpected word `\(word)`") }
      guard Self.options.contains(word) else {
        throw Refusal(description: "unknown option `\(word)`")
      }
      guard let value = words.next() else {
        throw Refusal(description: "`\(word)` needs a value")
      }
      try set(word, to: value)
    }
  }

  private static let options: Set<String> = [
    "--scenarios", "--contenders", "--rounds", "--scale", "--directory", "--output", "--markdown",
    "--bulkget",
  ]

  private mutating func set(_ option: String, to value: String) throws(Refusal) {
    switch option {
    case "--scenarios": scenarios = try Self.choose(value, from: Scenario.all, \.name, option)
    case "--contenders":
      contenders = Set(try Self.choose(value, from: Contender.all, \.name, option))
    case "--rounds":
      guard let number = Int(value), 1...100 ~= number else {
        throw Refusal(description: "`--rounds` must be 1 to 100, not `\(value)`")
      }
      rounds = number
    case "--scale":
      guard let number = Double(value), number > 0, number <= 1 else {
        throw Refusal(
          description: "`--scale` must be a number above 0 and at most 1, not `\(value)`")
      }
      scale = number
    case "--directory": directory = value
    case "--output": output = value
    case "--markdown": markdown = value
    default: bulkget = value
    }
  }

  /// Those with the names in a list, in their own order.
  private static func choose<Element>(
    _ list: String, from all: [Element], _ name: (Element) -> String, _ option: String
  ) throws(Refusal) -> [Element] {
    let wanted = Set(list.split(separator: ",").map(String.init))
    let known = Set(all.map(name))
    if let stranger = wanted.subtracting(known).min() {
      throw Refusal(
        description: "`\(option)` doesn't know `\(stranger)`; it knows "
          + all.map(name).joined(separator: ", "))
    }
    if wanted.isEmpty { throw Refusal(description: "`\(option)` names nothing") }
    return all.filter { wanted.contains(name($0)) }
  }
}
