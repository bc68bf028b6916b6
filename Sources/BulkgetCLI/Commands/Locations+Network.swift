import BulkgetKit
import BulkgetSystem

extension Locations {
  /// More than this is no file of credentials.
  private static let maximumNetrcByteCount = 1 << 20

  /// The proxies of `--proxy` and the environment.
  func proxies(_ settings: Settings) throws(CommandFailure) -> ProxySettings {
    do throws(ProxySettings.UnreadableProxy) {
      return try ProxySettings(environment: environment, proxy: settings.proxy)
    } catch {
      throw .problems([
        Problem(
          message: "`\(error.variable)` names no proxy",
          hint: "set it to something like `http://proxy.example.org:3128`, or unset it")
      ])
    }
  }

  /// The credentials of `--netrc-file`, or with `--netrc` of the home directory; nil without these options.
  func netrc(_ settings: Settings) throws(CommandFailure) -> Netrc? {
    guard let path = try netrcPath(settings) else { return nil }
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try FileDescriptor.reading(path).readAll(limit: Self.maximumNetrcByteCount)
    } catch {
      throw .problems([Problem(message: error.description)])
    }
    guard let bytes else {
      throw .problems([Problem(message: "`\(path)` is too large for a file of credentials")])
    }
    return Netrc(String(decoding: bytes, as: UTF8.self))
  }

  private func netrcPath(_ settings: Settings) throws(CommandFailure) -> String? {
    if let file = settings.netrcFile { return try absolute(file) }
    guard settings.usesNetrc else { return nil }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw .problems([
        Problem(
          message: "no `.netrc` without a home directory: HOME is not set",
          hint: "name the file with `--netrc-file FILE`")
      ])
    }
    return "\(home)/.netrc"
  }
}
