import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The directories below the output directory, each opened from its parent. The last one is kept open, since most files
/// follow one in the same.
struct OutputDirectories {
  private let path: String
  /// Whether new directories are flushed to the disk.
  private let isDurable: Bool
  private var root: FileDescriptor?
  private var last: (relative: String, directory: FileDescriptor)?
  /// Where leftovers of killed processes have been looked for.
  private var tidied: Set<String> = []

  /// How many symbolic links are followed on one way: as many as the kernel would.
  private static let maximumLinkCount = 40

  init(_ path: String, isDurable: Bool) {
    self.path = path
    self.isDurable = isDurable
  }

  /// Opens a directory by its relative path, and makes what is missing.
  ///
  /// - Throws: `ELOOP` where a symbolic link leads out of the output directory, and what the system gave.
  mutating func open(_ relative: String) throws(SystemError) -> FileDescriptor {
    if let last, last.relative == relative { return last.directory }
    let directory = try walk(relative)
    last = (relative, directory)
    if tidied.insert(relative).inserted { TemporaryName.removeLeftovers(in: directory) }
    return directory
  }

  /// Closes everything, so that the next way is walked anew.
  mutating func forget() {
    root = nil
    last = nil
  }

  private mutating func walk(_ relative: String) throws(SystemError) -> FileDescriptor {
    let root = try openRoot()
    var directory = root
    var names = relative.split(separator: "/").map(String.init)[...]
    var linkCount = 0
    while let name = names.popFirst() {
      do throws(SystemError) {
        directory = try child(name, of: directory)
      } catch  where error.code == ELOOP || error.code == ENOTDIR {
        // Where a link leads is walked like any other way, from the top.
        linkCount += 1
        guard linkCount <= Self.maximumLinkCount,
          let target = target(of: directory.path + "/" + name, in: root)
        else { throw error }
        names = (target + names)[...]
        directory = root
      }
    }
    return directory
  }

  private mutating func openRoot() throws(SystemError) -> FileDescriptor {
    if let root { return root }
    let opened: FileDescriptor
    do throws(SystemError) {
      opened = try FileDescriptor.directory(path)
    } catch  where error.isNotFound {
      try FileSystem.makeDirectories(path, isDurable: isDurable)
      opened = try FileDescriptor.directory(path)
    }
    root = opened
    return opened
  }

  private func child(
    _ name: String, of directory: FileDescriptor
  ) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try directory.opening(name, O_RDONLY | O_DIRECTORY)
    } catch  where error.code == ENOENT {
      try directory.makeDirectory(name)
      if isDurable { try directory.synchronize() }
      return try directory.opening(name, O_RDONLY | O_DIRECTORY)
    }
  }

  /// The names from the output directory to where a symbolic link leads; nil where that is outside, or no directory.
  private func target(of link: String, in root: FileDescriptor) -> [String]? {
    guard let top = FileSystem.canonicalPath(of: root.path),
      let target = FileSystem.canonicalPath(of: link), FileSystem.isDirectory(target)
    else { return nil }
    if target == top { return [] }
    let prefix = top == "/" ? "/" : top + "/"
    guard target.hasPrefix(prefix) else { return nil }
    return target.dropFirst(prefix.count).split(separator: "/").map(String.init)
  }
}
