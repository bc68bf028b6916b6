import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The names of files that are on the way to their place.
///
/// Its owner locks such a file while it is being written, so that what a killed process left can be told from it.
enum TemporaryName {
  private static let prefix = ".bulkget-"

  static func make() -> String { prefix + String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Where there are no locks, a leftover of another process may be taken for one's own, and the other way round: then a
  /// file is placed twice.
  static func claim(_ file: FileDescriptor) { _ = try? file.lockByte(at: 0) }

  /// Removes what killed processes left. What can't be removed now is left to another run.
  static func removeLeftovers(in directory: FileDescriptor) {
    let names = (try? FileSystem.names(in: directory.path)) ?? []
    for name in names where name.hasPrefix(prefix) && !isInUse(name, in: directory) {
      try? directory.remove(name)
    }
  }

  private static func isInUse(_ name: String, in directory: FileDescriptor) -> Bool {
    do throws(SystemError) {
      return try !directory.opening(name, O_RDONLY | O_NONBLOCK).lockByte(at: 0, isShared: true)
    } catch {
      // A symbolic link can't be opened, and takes no time to make: its owner is gone. Of anything else nothing is known.
      return error.code != ELOOP
    }
  }
}
