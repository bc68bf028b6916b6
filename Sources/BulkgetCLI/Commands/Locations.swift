import BulkgetKit
import BulkgetSystem

/// Turns the paths of a command line into absolute ones.
struct Locations: Sendable {
  let environment: [String: String]
  /// The current directory; nil where it is gone.
  let currentDirectory: String?

  /// The cache's directory: `--cache`, else the one of the XDG base directories, else the one in the home directory.
  func cacheDirectory(_ settings: Settings) throws(CommandFailure) -> String {
    if let cache = settings.cache { return try absolute(cache) }
    if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") {
      return normalized("\(base)/bulkget")
    }
    if let home = environment["HOME"], home.hasPrefix("/") {
      return normalized("\(home)/.cache/bulkget")
    }
    throw .surroundings(
      Failure(.cacheUnwritable, "no place for the cache: neither XDG_CACHE_HOME nor HOME is set"),
      hint: "name a directory with `--cache DIR`")
  }

  /// The configuration with every path absolute.
  func configuration(_ settings: Settings) throws(CommandFailure) -> Configuration {
    var configuration = settings.configuration
    configuration.cacheDirectory = try cacheDirectory(settings)
    configuration.outputDirectory = try absolute(settings.output)
    configuration.readCaches = []
    for directory in settings.configuration.readCaches {
      configuration.readCaches.append(try absolute(directory))
    }
    let certificates = try trustedCertificates(settings)
    configuration.certificateAuthorityFile = certificates.file?.text
    configuration.certificateAuthorityDirectory = certificates.directories?.text
    configuration.netrc = try netrc(settings)
    configuration.proxies = try proxies(settings)
    if !settings.platforms.isEmpty {
      configuration.selection.platforms = platforms(settings.platforms)
    }
    var reserved: [String] = []
    for path in settings.operands where path != "-" {
      for path in [path, LockFile.path(of: path)].compactMap(\.self) {
        reserved.append(try absolute(path))
      }
    }
    if case .file(let path, _) = ReportTarget(settings) { reserved.append(try absolute(path)) }
    configuration.reservedPaths = reserved
    return configuration
  }

  /// The path below the current directory, without empty and `.` components. `..` stays, since what it means depends
  /// on symbolic links.
  func absolute(_ path: String) throws(CommandFailure) -> String {
    if path.hasPrefix("/") { return normalized(path) }
    guard let currentDirectory else {
      throw .surroundings(
        Failure(.io, "cannot find `\(path)`: the current directory does not exist any more"),
        hint: "change to another directory, or give absolute paths")
    }
    return normalized("\(currentDirectory)/\(path)")
  }

  private func normalized(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  private func platforms(_ choices: [PlatformChoice]) -> [Platform]? {
    var platforms: [Platform] = []
    for choice in choices {
      guard case .one(let platform) = choice else { return nil }
      platforms.append(platform)
    }
    return platforms
  }
}

/// Where the report goes.
enum ReportTarget: Hashable, Sendable {
  case none
  case standardOutput
  /// Nobody asked for the default path, so a directory that can't be written to is only worth a warning there.
  case file(path: String, isDefault: Bool)

  /// Where it goes when nobody says anything.
  static let defaultPath = "bulkget-report.json"

  init(_ settings: Settings) {
    if settings.writesNoReport {
      self = .none
    } else if settings.report == "-" {
      self = .standardOutput
    } else {
      self = .file(path: settings.report ?? Self.defaultPath, isDefault: settings.report == nil)
    }
  }
}
