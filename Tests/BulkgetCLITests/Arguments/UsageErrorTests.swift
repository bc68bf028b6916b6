import Testing

@testable import BulkgetCLI

/// A command line and all that is said about it.
struct WrongUsage: Sendable, CustomTestStringConvertible {
  let words: [String]
  let environment: [String: String]
  let expected: String

  init(_ line: String, _ expected: String) {
    self.init(line, [:], expected)
  }

  init(_ line: String, _ environment: [String: String], _ expected: String) {
    words = line.split(separator: " ").map(String.init)
    self.environment = environment
    self.expected = expected
  }

  var testDescription: String { words.joined(separator: " ") }
}

struct UsageErrorTests {
  static let options = [
    WrongUsage("run m --job 3", "error: unknown option `--job`\nhint: did you mean `--jobs`?"),
    WrongUsage(
      "run m --ofline", "error: unknown option `--ofline`\nhint: did you mean `--offline`?"),
    WrongUsage(
      "run m --xyzzy=1",
      "error: unknown option `--xyzzy`\nhint: `bulkget run --help` lists the options"),
    WrongUsage(
      "run m -x", "error: unknown option `-x`\nhint: `bulkget run --help` lists the options"),
    WrongUsage(
      "run m -qx", "error: unknown option `-x`\nhint: `bulkget run --help` lists the options"),
    WrongUsage("run m -quiet", "error: unknown option `-quiet`\nhint: did you mean `--quiet`?"),
    WrongUsage("run m -jobs=4", "error: unknown option `-jobs`\nhint: did you mean `--jobs`?"),
    WrongUsage(
      "run m --quiet=yes",
      "error: option `--quiet` takes no value, found `yes`\nhint: write just `--quiet`"),
    WrongUsage(
      "run m --report", "error: option `--report` needs a value\nhint: write `--report=FILE`"),
    WrongUsage("run m -j", "error: option `-j` needs a value\nhint: write `-jN`"),
    WrongUsage(
      "run m --out --quiet",
      "error: option `--out` needs a value\nhint: if `--quiet` is the value, write `--out=--quiet`"),
    WrongUsage(
      "run m -j -- x", "error: option `-j` needs a value\nhint: write `-jN`"),
    WrongUsage(
      "--quiet run m",
      "error: option `--quiet` before the command\nhint: options come after the command: `bulkget run --quiet`"
    ),
    WrongUsage(
      "--cachee x", "error: unknown option `--cachee`\nhint: `bulkget --help` lists the commands"),
  ]

  static let values = [
    WrongUsage(
      "run m -j x", "error: invalid value `x` for `--jobs`: expected a whole number from 1 to 1024"),
    WrongUsage(
      "run m -j 0", "error: invalid value `0` for `--jobs`: expected a whole number from 1 to 1024"),
    WrongUsage(
      "run m -j 1025",
      "error: invalid value `1025` for `--jobs`: expected a whole number from 1 to 1024"),
    WrongUsage(
      "run m --retries -1",
      "error: invalid value `-1` for `--retries`: expected a whole number from 0 to 100"),
    WrongUsage(
      "run m --max-time 5x",
      "error: invalid value `5x` for `--max-time`: expected a time of at most 36500d such as `90`, `0.5s`, `10m`, `2h` or `7d`"
    ),
    WrongUsage(
      "run m --stall-timeout 0",
      "error: invalid value `0` for `--stall-timeout`: expected a time longer than 0"),
    WrongUsage(
      "run m --max-file-size 1X",
      "error: invalid value `1X` for `--max-file-size`: expected a whole number of bytes, more than 0, such as `4096`, `1.5G` or `200Mi`"
    ),
    WrongUsage(
      "run m --color alway",
      "error: invalid value `alway` for `--color`: expected `auto`, `always` or `never`\nhint: did you mean `always`?"
    ),
    WrongUsage(
      "run m --platform linux/x86_64",
      "error: invalid value `linux/x86_64` for `--platform`: expected `all` or `os/architecture` such as `linux/amd64`\nhint: did you mean `linux/amd64`?"
    ),
    WrongUsage(
      "run m --platform linux",
      "error: invalid value `linux` for `--platform`: expected `all` or `os/architecture` such as `linux/amd64`"
    ),
    WrongUsage(
      "run m --cache=", "error: invalid value `` for `--cache`: expected a path, found nothing"),
    WrongUsage(
      "run m --tag=",
      "error: invalid value `` for `--tag`: expected a tag without control characters"),
    WrongUsage(
      "run m", ["BULKGET_JOBS": "many"],
      "error: invalid value `many` in the environment variable `BULKGET_JOBS`: expected a whole number from 1 to 1024"
    ),
    WrongUsage(
      "run m", ["BULKGET_OFFLINE": "yes"],
      "error: invalid value `yes` in the environment variable `BULKGET_OFFLINE`: expected `1`, `true`, `0` or `false`"
    ),
    WrongUsage(
      "schema manifst",
      "error: invalid value `manifst` for NAME: expected `manifest`, `plan` or `report`\nhint: did you mean `manifest`?"
    ),
  ]

  static let words = [
    WrongUsage(
      "",
      "error: `bulkget` needs a command\nhint: the commands are `run`, `plan`, `verify`, `lock`, `cache`, `schema`, `help`"
    ),
    WrongUsage("rnu m", "error: unknown command `rnu`\nhint: did you mean `run`?"),
    WrongUsage("sche x", "error: unknown command `sche`\nhint: did you mean `schema`?"),
    WrongUsage(
      "frobnicate",
      "error: unknown command `frobnicate`\nhint: the commands are `run`, `plan`, `verify`, `lock`, `cache`, `schema`, `help`"
    ),
    WrongUsage(
      "files.yaml",
      "error: unknown command `files.yaml`\nhint: did you mean `bulkget run files.yaml`?"),
    WrongUsage(
      "cache",
      "error: `bulkget cache` needs a command\nhint: the commands are `dir`, `list`, `path`, `prune`, `remove`, `size`"
    ),
    WrongUsage("cache lst", "error: unknown command `lst`\nhint: did you mean `list`?"),
    WrongUsage("help rum", "error: unknown command `rum`\nhint: did you mean `run`?"),
    WrongUsage(
      "run", "error: `bulkget run` needs a MANIFEST\nhint: for example: `bulkget run manifest.yaml`"
    ),
    WrongUsage(
      "schema", "error: `bulkget schema` needs a NAME\nhint: for example: `bulkget schema manifest`"
    ),
    WrongUsage(
      "cache dir x", "error: unexpected argument `x`\nhint: `bulkget cache dir` takes no arguments"),
    WrongUsage(
      "cache path a b", "error: unexpected argument `b`\nhint: `bulkget cache path` takes one ID"),
    WrongUsage("run - m -", "error: standard input (`-`) can be read only once"),
  ]

  static let contradictions = [
    WrongUsage(
      "run m -qv",
      "error: `--quiet` and `--verbose` cannot be used together\nhint: one asks for less output, the other for more"
    ),
    WrongUsage(
      "plan m --force --offline",
      "error: `--force` and `--offline` cannot be used together\nhint: downloading everything again needs the network that `--offline` forbids"
    ),
    WrongUsage(
      "run m --offline --refresh",
      "error: `--refresh` and `--offline` cannot be used together\nhint: asking the servers needs the network that `--offline` forbids"
    ),
    WrongUsage(
      "run m --refresh --force",
      "error: `--refresh` and `--force` cannot be used together\nhint: what is downloaded again is not revalidated: choose one"
    ),
    WrongUsage(
      "run m --report r --no-report",
      "error: `--report` and `--no-report` cannot be used together\nhint: one asks for what the other forbids"
    ),
    WrongUsage(
      "run m --json",
      "error: `--json` needs `--dry-run`\nhint: `--report -` writes the report as JSON to standard output"
    ),
    WrongUsage(
      "run m --check",
      "error: `--check` needs `--dry-run`\nhint: `bulkget plan --check` does the same"),
    WrongUsage(
      "run m", ["BULKGET_QUIET": "1", "BULKGET_VERBOSE": "1"],
      "error: `BULKGET_QUIET` and `BULKGET_VERBOSE` cannot be used together\nhint: one asks for less output, the other for more"
    ),
  ]

  @Test(arguments: options + values + words + contradictions)
  func wrongUsageIsExplainedAndEndsWithStatusTwo(_ usage: WrongUsage) async {
    let recording = RecordingConsole()
    let world = World(recording, environment: usage.environment)
    let status = await BulkgetCLI.CommandLine.run(usage.words, in: world.context)
    #expect(status == .usage)
    #expect(recording.errors == usage.expected + "\n")
    #expect(recording.output == "")
  }

  @Test func B071_wordsOfTheUserAreEscapedToo() async {
    let recording = RecordingConsole()
    let status = await World(recording).run("run", "m", "--\u{1B}[2J")
    #expect(status == 2)
    #expect(
      recording.errors
        == "error: unknown option `--\\u001b[2J`\nhint: `bulkget run --help` lists the options\n")
  }
}
