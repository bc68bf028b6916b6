/// The commands of bulkget, declared once. Adding an option means adding a line to ``CommandOption`` and its name here.
enum CommandTable {
  static let root = Command(
    name: "bulkget",
    abstract: "downloads what a manifest lists, in bulk and exactly",
    subcommands: [run, plan, verify, lock, cache, schema, help],
    examples: [
      .init(line: "bulkget plan manifest.yaml", meaning: "show what would be done"),
      .init(line: "bulkget run manifest.yaml --out vendor", meaning: "do it"),
    ])

  static let run = Command(
    name: "bulkget run",
    abstract: "plan, download, verify, place, write the report",
    action: .run,
    operand: manifests,
    groups: [
      choosing,
      OptionGroup(
        title: "Places",
        options: [.cache, .readCache, .output, .link, .durable, .report, .noReport]), doing,
      transfers, OptionGroup(title: "Output", options: [.dryRun, .json, .check, .probe] + saying),
    ],
    exclusions: planExclusions + [
      .init(first: "report", second: "no-report", reason: "one asks for what the other forbids")
    ],
    requirements: [
      .init(
        option: "json", needed: "dry-run",
        hint: "`--report -` writes the report as JSON to standard output"),
      .init(option: "check", needed: "dry-run", hint: "`bulkget plan --check` does the same"),
      .init(option: "probe", needed: "dry-run", hint: "`bulkget plan --probe` does the same"),
    ],
    examples: [
      .init(line: "bulkget run manifest.yaml", meaning: "fetch and place everything"),
      .init(
        line: "bulkget run manifest.yaml -j 32 --out vendor --only 'model/*'",
        meaning: "only ids below model/, 32 at once, placed in vendor"),
      .init(
        line: "bulkget run a.yaml b.yaml --offline --report -",
        meaning: "from the cache alone, report to standard output"),
    ],
    legends: [
      exitStatuses([
        ("0", "everything wanted is in place"),
        ("1", "a file that is not optional failed or was cancelled"), wrongUsage,
        ("4", "the cache or the report cannot be used, or the disk is full"),
        ("129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM"),
      ])
    ])

  static let plan = Command(
    name: "bulkget plan",
    abstract: "show what run would do; changes nothing on disk, no network",
    discussion: [
      """
      The other options of run are accepted too, so that run can be replaced by plan in any \
      command line; those about transfers count for --probe.
      """
    ],
    action: .plan,
    operand: manifests,
    groups: [
      choosing, OptionGroup(title: "Places", options: [.cache, .readCache, .output, .link]), doing,
      OptionGroup(title: "Output", options: [.probe, .json, .check] + saying),
      OptionGroup(
        title: nil, options: transfers.options + [.durable, .report, .noReport, .dryRun]),
    ],
    exclusions: planExclusions,
    examples: [
      .init(line: "bulkget plan manifest.yaml -v", meaning: "also what is kept, with the URLs"),
      .init(
        line: "bulkget plan manifest.yaml --check > plan.txt",
        meaning: "exit status 3 when there is something to do"),
    ],
    legends: [
      Command.Legend(
        title: "Signs",
        rows: [
          ("+", "download"), (">", "resume an interrupted download"),
          ("~", "rehash: hash what is there, and download it when it is wrong"),
          ("?", "revalidate: ask the server, and download it when it has changed"),
          ("*", "place what is cached"), ("=", "keep (shown with --verbose)"),
          (".", "skip what is not selected (shown with --verbose)"),
          ("!", "will fail, and why"),
        ]),
      exitStatuses([
        ("0", "there is a plan"), wrongUsage,
        ("3", "with --check: there is something to do, or something that will fail"),
        ("4", "the cache or standard output cannot be used"),
      ]),
    ])

  static let verify = Command(
    name: "bulkget verify",
    abstract: "hash what is cached and placed again, and say what is damaged",
    discussion: [
      """
      Without a manifest the whole cache is verified. Nothing is repaired; what is damaged is \
      marked, so that the next run fetches or places it again.
      """
    ],
    action: .verify,
    operand: Operand(
      placeholder: "MANIFEST", count: .any,
      help: "whose files to verify; none for the whole cache", example: "manifest.yaml"),
    groups: [
      choosing, OptionGroup(title: "Places", options: [.cache, .readCache, .output, .link]),
      OptionGroup(title: "Output", options: [.json] + saying),
    ],
    exclusions: [quietOrVerbose],
    examples: [
      .init(line: "bulkget verify", meaning: "the whole cache"),
      .init(
        line: "bulkget verify manifest.yaml --out vendor -v",
        meaning: "its files, cached and placed, each with what was found"),
    ],
    legends: [
      exitStatuses([
        ("0", "nothing is damaged"), ("1", "something is"), wrongUsage,
        ("4", "the cache cannot be used"),
      ])
    ])

  static let lock = Command(
    name: "bulkget lock",
    abstract: "fetch what has no strong digest and record it in the lock file",
    discussion: [
      """
      The lock file of manifest.yaml is manifest.lock beside it. What it records counts like a \
      digest of the manifest for as long as the URLs stay the same, in every run and plan. What \
      is recorded already is not fetched again, but with --refresh or --force.
      """,
      "What is fetched goes into the cache, and nothing is placed.",
    ],
    action: .lock,
    operand: Operand(
      placeholder: "MANIFEST", count: .one, help: "a manifest in YAML or JSON",
      example: "manifest.yaml"),
    groups: [
      choosing, OptionGroup(title: "Places", options: [.cache, .readCache, .durable, .lockReport]),
      OptionGroup(title: "What is trusted", options: [.offline, .refresh, .force, .verify]),
      transfers, OptionGroup(title: "Output", options: saying),
    ],
    exclusions: planExclusions,
    examples: [
      .init(line: "bulkget lock manifest.yaml --platform all", meaning: "lock every file"),
      .init(
        line: "bulkget run manifest.yaml --locked", meaning: "then accept nothing else, anywhere"),
    ],
    legends: [
      exitStatuses([
        ("0", "everything chosen is locked"), ("1", "a file could not be fetched"), wrongUsage,
        ("4", "the cache or the lock file cannot be written, or the disk is full"),
        ("129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM"),
      ])
    ])

  static let help = Command(
    name: "bulkget help",
    abstract: "say how a command is used",
    action: .help,
    operand: Operand(
      placeholder: "COMMAND", count: .any, help: "the command to explain", example: "run"))

  static let schema = Command(
    name: "bulkget schema",
    abstract: "print the JSON Schema of manifest, plan or report",
    action: .schema,
    operand: Operand(
      placeholder: "NAME", count: .one, help: "manifest, plan or report",
      choices: SchemaName.allCases.map(\.rawValue), example: "manifest"),
    groups: [OptionGroup(title: "Output", options: [.color])],
    examples: [
      .init(
        line: "bulkget schema manifest > manifest.schema.json",
        meaning: "for editors that check while you type")
    ])
}

extension CommandTable {
  private typealias Row = (word: String, meaning: String)

  private static let wrongUsage: Row = (
    "2", "wrong usage, or an error in a manifest or in the configuration"
  )

  static func exitStatuses(_ rows: [(word: String, meaning: String)]) -> Command.Legend {
    Command.Legend(title: "Exit status", rows: rows)
  }

  private static let manifests = Operand(
    placeholder: "MANIFEST", count: .atLeastOne,
    help: "a manifest in YAML or JSON; - reads standard input", example: "manifest.yaml")

  private static let choosing = OptionGroup(
    title: "Choosing files", options: [.only, .tag, .excludeTag, .platform])

  private static let doing = OptionGroup(
    title: "What is trusted", options: [.locked, .offline, .refresh, .force, .verify])

  private static let transfers = OptionGroup(
    title: "Transfers",
    options: [
      .jobs, .connectionsPerHost, .retries, .retryWaitMaximum, .connectTimeout, .stallTimeout,
      .maximumTime, .limitRate, .maximumFileSize, .failFast, .certificateAuthority, .netrc,
      .netrcFile, .proxy,
    ])

  static let saying: [CommandOption] = [.quiet, .verbose, .color]

  private static let quietOrVerbose = Command.Exclusion(
    first: "quiet", second: "verbose", reason: "one asks for less output, the other for more")

  private static let planExclusions: [Command.Exclusion] = [
    .init(first: "netrc", second: "netrc-file", reason: "each names a file of its own: choose one"),
    quietOrVerbose,
    .init(
      first: "force", second: "offline",
      reason: "downloading everything again needs the network that `--offline` forbids"),
    .init(
      first: "refresh", second: "offline",
      reason: "asking the servers needs the network that `--offline` forbids"),
    .init(
      first: "refresh", second: "force",
      reason: "what is downloaded again is not revalidated: choose one"),
  ]
}
