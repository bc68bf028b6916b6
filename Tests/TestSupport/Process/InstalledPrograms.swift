import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The programs of this machine that tests and benchmarks start.
package enum InstalledPrograms {
  /// A program's path, or nil where it isn't installed.
  package static func path(of name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    // Debian has servers where an ordinary user's PATH doesn't lead.
    let directories: [Substring] =
      path.split(separator: ":") + ["/usr/sbin", "/usr/local/sbin"]
    return directories.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
