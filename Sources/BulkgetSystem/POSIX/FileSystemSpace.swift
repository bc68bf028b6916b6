#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How much room a file system has.
package struct FileSystemSpace: Hashable, Sendable {
  /// Tells file systems apart.
  package var device: UInt64
  /// The bytes that this process may still write; nil where the file system doesn't say.
  package var byteCount: Int64?

  /// Makes a value, for decisions that ask no system.
  package init(device: UInt64, byteCount: Int64?) {
    self.device = device
    self.byteCount = byteCount
  }

  /// Looks at the file system of what is at the path, or of its nearest parent that is there.
  package init(at path: String) throws(SystemError) {
    var place = path
    var status = try FileSystem.status(of: place, followingLinks: true)
    while status == nil, place != "/" {
      place = FileSystem.parentDirectory(of: place)
      status = try FileSystem.status(of: place, followingLinks: true)
    }
    var system = statvfs()
    try systemCall("look at", place) { statvfs(place, &system) }
    device = status?.device ?? 0
    // Some virtual file systems know no limit, and say so by having no blocks at all.
    if system.f_blocks > 0 {
      // What is held back for the super-user is room for it.
      let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
      let (bytes, overflow) = Int64(clamping: blocks)
        .multipliedReportingOverflow(by: Int64(clamping: system.f_frsize))
      byteCount = overflow ? .max : bytes
    }
  }
}
