import BulkgetKit

/// Everything that the words of one command line say. It begins with the documented defaults.
struct Settings: Sendable {
  /// What the library is told. Its directories are filled in when the paths are resolved.
  var configuration = Configuration(cacheDirectory: "", outputDirectory: "")
  /// The cache's directory as given; nil for the usual places.
  var cache: String?
  /// Where destinations are placed, as given.
  var output = "."
  /// What `--platform` says; empty for this machine's.
  var platforms: [PlatformChoice] = []
  /// Where the report goes, as given; nil for the usual file.
  var report: String?
  var writesNoReport = false
  /// Whether credentials come from `.netrc` in the home directory.
  var usesNetrc = false
  /// The file of credentials, as given.
  var netrcFile: String?
  /// The proxy that stands in for those of the environment.
  var proxy: ProxyAddress?
  var plansOnly = false
  var printsJSON = false
  var checks = false
  /// Whether `plan` asks servers for sizes.
  var probes = false
  var isQuiet = false
  var isVerbose = false
  var color = ColorChoice.auto
  /// The namespace of `cache path` and `cache remove`.
  var namespace = "default"
  /// What `cache prune` removes, but for what is kept.
  var pruning = PruneRule()
  /// The manifests, as given, whose files `cache prune` keeps.
  var keptManifests: [String] = []
  /// The words that are no options.
  var operands: [String] = []

  /// How much is said on standard error.
  var verbosity: Verbosity { isQuiet ? .quiet : isVerbose ? .verbose : .normal }
}

/// How much is said on standard error.
enum Verbosity: Sendable {
  /// Errors only.
  case quiet
  case normal
  /// Every file and every retry.
  case verbose
}

/// When output is coloured.
enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}
