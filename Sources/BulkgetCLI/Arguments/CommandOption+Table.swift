import BulkgetKit

extension CommandOption {
  // Choosing files
  static let only = list(
    "only", .text("GLOB", "a pattern"), \.configuration.selection.idPatterns,
    "only ids that match; * matches any text, slashes too")
  static let tag = list(
    "tag", .text("T", "a tag"), \.configuration.selection.tags, "only files with this tag")
  static let excludeTag = list(
    "exclude-tag", .text("T", "a tag"), \.configuration.selection.excludedTags,
    "no files with this tag, whatever else is chosen")
  static let platform = list(
    "platform", .platform, \.platforms,
    "files for os/architecture, or all [default: this machine's]")

  // Places
  static let cache = value(
    "cache", .path("DIR"), \.cache, default: "$XDG_CACHE_HOME/bulkget or ~/.cache/bulkget",
    "the cache's directory")
  static let readCache = list(
    "read-cache", .path("DIR"), \.configuration.readCaches,
    "a further cache, used as it is and never written")
  static let output = value("out", .path("DIR"), \.output, "where dest paths are placed")
  static let link = value(
    "link", .choice("MODE"), \.configuration.linkMode,
    "how files are placed: auto (reflink, else copy), reflink, hardlink, symlink or copy")
  static let durable = flag(
    "durable", \.configuration.isDurable,
    "flush files and directories to the disk before they count")
  static let report = value(
    "report", .path("FILE"), \.report, default: ReportTarget.defaultPath,
    "the JSON report; - is standard output")
  static let lockReport = value(
    "report", .path("FILE"), \.report, default: nil,
    "the JSON report, which is not written otherwise; - is standard output")
  static let noReport = flag("no-report", \.writesNoReport, "write no report")
  static let namespace = value(
    "namespace", .text("NAME", "a namespace"), \.namespace, "the namespace of the id")

  // Pruning
  static let maximumSize = value(
    "max-size", .size(), \.pruning.maximumByteCount, default: nil,
    "remove what was not used for longest until the cache takes no more")
  static let olderThan = value(
    "older-than", .duration(), \.pruning.maximumAge, default: nil,
    "remove what was last used longer ago, such as 30d")
  static let keep = list(
    "keep", .path("MANIFEST"), \.keptManifests,
    "keep what the manifest lists; as the only rule: remove everything else")
  static let pruneDryRun = flag("dry-run", letter: "n", \.plansOnly, "only show what would go")

  // What is trusted
  static let offline = flag(
    "offline", \.configuration.isOffline, "no network: what is not cached fails")
  static let refresh = flag(
    "refresh", \.configuration.refreshesEverything, "ask the servers about every cached file")
  static let force = flag(
    "force", \.configuration.downloadsEverything, "download everything again")
  static let verify = flag(
    "verify", \.configuration.verifiesCachedFiles,
    "hash cached and placed files instead of trusting size and modification time")

  static let locked = flag(
    "locked", \.configuration.requiresStrongDigests,
    "every file must have a digest of sha256 or stronger, in the manifest or its lock file")

  // Transfers
  static let jobs = value(
    "jobs", letter: "j", .integer(1...1024), \.configuration.jobs, "downloads at once, 1 to 1024")
  static let connectionsPerHost = value(
    "connections-per-host", .integer(1...1024), \.configuration.connectionsPerHost,
    default: "as many as jobs", "connections to one host at once")
  static let retries = value(
    "retries", .integer(0...100), \.configuration.retries, "tries after the first, per URL")
  static let retryWaitMaximum = value(
    "retry-wait-max", .duration(allowsZero: true), \.configuration.maximumRetryWait,
    "longest wait before a try; a server that asks for longer has failed")
  static let connectTimeout = value(
    "connect-timeout", .duration(), \.configuration.connectTimeout,
    "no connection for so long ends a try")
  static let stallTimeout = value(
    "stall-timeout", .duration(), \.configuration.stallTimeout,
    "less than 1 KiB for so long ends a try")
  static let maximumTime = value(
    "max-time", .duration(), \.configuration.maximumTime, default: nil,
    "for the whole run; what is left then is cancelled")
  static let maximumFileSize = value(
    "max-file-size", .size(), \.configuration.maximumFileSize, default: nil,
    "a larger file is cut off and fails")
  static let limitRate = value(
    "limit-rate", .rate, \.configuration.bytesPerSecond, default: nil,
    "bytes a second for all downloads together, such as 20M")
  static let failFast = flag(
    "fail-fast", \.configuration.stopsAtFirstFailure, "stop at the first failure")
  static let certificateAuthority = value(
    "cacert", .path("FILE"), \.configuration.certificateAuthorityFile, default: nil,
    "trusted certificates in PEM [default: CURL_CA_BUNDLE, SSL_CERT_FILE, else the system's]")
  static let netrc = flag("netrc", \.usesNetrc, "take credentials from ~/.netrc")
  static let netrcFile = value(
    "netrc-file", .path("FILE"), \.netrcFile, default: nil,
    "take credentials from a file written like .netrc")
  static let proxy = value(
    "proxy", .proxy, \.proxy, default: "http_proxy, https_proxy",
    "the proxy for every host that no_proxy leaves to it")

  // Output
  static let dryRun = flag("dry-run", letter: "n", \.plansOnly, "the same as bulkget plan")
  static let json = flag("json", \.printsJSON, "print JSON on standard output")
  static let check = flag(
    "check", \.checks, "exit with 3 when there is something to do; asking servers doesn't count")
  static let probe = flag(
    "probe", \.probes, "ask the servers for sizes that are not known; reads no file")
  static let quiet = flag("quiet", letter: "q", \.isQuiet, "errors only")
  static let verbose = flag(
    "verbose", letter: "v", \.isVerbose, "say more: every file, every retry")
  static let color = value("color", .choice("WHEN"), \.color, "auto, always or never")
}
