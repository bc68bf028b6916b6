/// How a plan is made and carried out.
public struct Configuration: Sendable {
  /// The cache's directory, absolute.
  public var cacheDirectory: String
  /// Further caches, as absolute directories: their files are used where they are, and nothing of them is ever written.
  public var readCaches: [String] = []
  /// Where destinations are placed, absolute.
  public var outputDirectory: String
  /// How files are placed.
  public var linkMode = LinkMode.auto
  /// Flushes files and directories to the disk before they count, so that even a power cut loses none of them.
  public var isDurable = false
  /// Which entries are wanted.
  public var selection = Selection()
  /// Revalidates every cached file with its server.
  public var refreshesEverything = false
  /// Downloads every file again.
  public var downloadsEverything = false
  /// Hashes cached and placed files instead of trusting size and modification time.
  public var verifiesCachedFiles = false
  /// Takes only entries with a digest of sha256 or stronger; see ``Selection/checkLocked(_:)``.
  public var requiresStrongDigests = false
  /// Uses no network.
  public var isOffline = false
  /// Downloads at once, 1 to 1,024.
  public var jobs = 16
  /// Downloads from one host at once; nil for no limit but ``jobs``.
  public var connectionsPerHost: Int?
  /// Stops at the first failure of an entry that is not optional.
  public var stopsAtFirstFailure = false
  /// Tries after the first, per URL.
  public var retries = 5
  /// The longest wait before a try; a server that asks for longer is not asked again.
  public var maximumRetryWait: Duration = .seconds(60)
  /// The longest time to a connection, TLS included.
  public var connectTimeout: Duration = .seconds(15)
  /// How long less than 1 KiB may arrive before a try ends.
  public var stallTimeout: Duration = .seconds(30)
  /// The longest time for the whole run; nil for no limit.
  public var maximumTime: Duration?
  /// The largest body in bytes; nil for no limit.
  public var maximumFileSize: Int64?
  /// The bytes per second that all downloads together may take; nil for no limit.
  public var bytesPerSecond: Int64?
  /// Which requests go through a proxy. Nothing is read from the environment unless you do:
  /// ``ProxySettings/init(environment:proxy:)``.
  public var proxies = ProxySettings()
  /// Credentials by machine, for the entries' own URLs that have none; nil for none.
  public var netrc: Netrc?
  /// A file of trusted certificates in PEM; nil for the system's.
  public var certificateAuthorityFile: String?
  /// A directory of trusted certificates with OpenSSL's hashed names; nil for the system's.
  public var certificateAuthorityDirectory: String?
  /// Files that must never be taken for a destination: the manifests and the report, as absolute paths.
  public var reservedPaths: [String] = []

  /// Makes a configuration with the documented defaults.
  public init(cacheDirectory: String, outputDirectory: String) {
    self.cacheDirectory = cacheDirectory
    self.outputDirectory = outputDirectory
  }
}

/// Which entries of the manifests are wanted. Exclusion wins; different criteria must all hold, of one criterion's
/// values any.
public struct Selection: Hashable, Sendable {
  /// Patterns that match whole ids: `*` any text, slashes included, `?` one character, `[a-z]` a class.
  public var idPatterns: [String] = []
  /// Tags of which an entry must have one.
  public var tags: [String] = []
  /// Tags of which an entry must have none.
  public var excludedTags: [String] = []
  /// Platforms that are wanted; nil for all of them.
  public var platforms: [Platform]? = Platform.current.map { [$0] }

  /// Wants everything for this machine's platform.
  public init() {}
}
