#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// Calls on paths, each one system call with its error named. A relative path is one of the current directory.
package enum FileSystem {
  /// The status of what is at `path`, or nil where nothing is (also where a parent is no directory).
  package static func status(
    of path: String, followingLinks: Bool = false
  ) throws(SystemError) -> FileStatus? {
    var status = stat()
    do {
      try systemCall("examine", path) {
        fstatat(AT_FDCWD, path, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return nil
    }
    return FileStatus(status)
  }

  /// The status of the file `name` in an open directory, or nil where nothing is. A symbolic link is not followed.
  ///
  /// Many look-ups in one directory are cheaper than by path: the kernel doesn't walk down to it each time.
  package static func status(
    of name: String, in directory: FileDescriptor
  ) throws(SystemError) -> FileStatus? {
    var status = stat()
    do {
      try systemCall("examine", "\(directory.path)/\(name)") {
        fstatat(directory.rawValue, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return nil
    }
    return FileStatus(status)
  }

  /// Gives `source` the name `target`, replacing a file there atomically. The corresponding C function is `rename`.
  package static func rename(_ source: String, to target: String) throws(SystemError) {
    #if canImport(Darwin)
      try systemCall("rename to \(target)", source) { Darwin.rename(source, target) }
    #else
      try systemCall("rename to \(target)", source) { Glibc.rename(source, target) }
    #endif
  }

  /// Removes a file or symbolic link; one that is not there is no error. The corresponding C function is `unlink`.
  package static func remove(_ path: String) throws(SystemError) {
    do {
      try systemCall("remove", path) { unlink(path) }
    } catch  where error.code == ENOENT {
      return
    }
  }

  /// Removes an empty directory. The corresponding C function is `rmdir`.
  package static func removeDirectory(_ path: String) throws(SystemError) {
    try systemCall("remove", path) { rmdir(path) }
  }

  /// Makes a directory and its missing parents, all with mode 0777 less the umask; durable ones are flushed to the disk.
  package static func makeDirectories(
    _ path: String, isDurable: Bool = false
  ) throws(SystemError) {
    let code = try makeDirectory(path, isDurable: isDurable)
    switch code {
    case 0: return
    case EEXIST:
      if try status(of: path, followingLinks: true)?.kind == .directory { return }
      throw SystemError("create the directory", path, code: ENOTDIR)
    case ENOENT:
      let parent = parentDirectory(of: path)
      if parent == path { throw SystemError("create the directory", path, code: code) }
      try makeDirectories(parent, isDurable: isDurable)
      let code = try makeDirectory(path, isDurable: isDurable)
      // Another process may have made it meanwhile.
      if code != 0, code != EEXIST {
        throw SystemError("create the directory", path, code: code)
      }
    default:
      throw SystemError("create the directory", path, code: code)
    }
  }

  /// Gives the number of the error, 0 for none.
  private static func makeDirectory(_ path: String, isDurable: Bool) throws(SystemError) -> CInt {
    guard mkdir(path, 0o777) == 0 else { return errno }
    // A directory's name is in its parent.
    if isDurable { try FileDescriptor.directory(parentDirectory(of: path)).synchronize() }
    return 0
  }

  /// The text before the last slash: `/` for `/a`, `.` for `a`.
  package static func parentDirectory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let parent = path[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  /// The names in a directory but `.` and `..`, in no order; nil where there is no directory.
  package static func names(in directory: String) throws(SystemError) -> [String]? {
    var names: [String] = []
    let isThere = try forEachName(in: directory) { names.append($0) }
    return isThere ? names : nil
  }

  /// Calls `body` with each name in a directory but `.` and `..`, in no order; false where there is no directory.
  ///
  /// A million names are never in memory at once.
  @discardableResult
  package static func forEachName(
    in directory: String, _ body: (String) throws(SystemError) -> Void
  ) throws(SystemError) -> Bool {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return false }
      throw SystemError("list", directory, code: errno)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError("list", directory, code: errno) }
        return true
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { try body(name) }
    }
  }

  /// Adds a name to a file. The corresponding C function is `link`.
  package static func makeHardLink(_ target: String, to source: String) throws(SystemError) {
    try systemCall("link to \(source)", target) { link(source, target) }
  }

  /// Makes a symbolic link. The corresponding C function is `symlink`.
  package static func makeSymbolicLink(_ path: String, to target: String) throws(SystemError) {
    try systemCall("link to \(target)", path) { symlink(target, path) }
  }

  /// The current directory's absolute path, or nil where it is gone.
  package static var currentDirectory: String? {
    guard let buffer = getcwd(nil, 0) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
  }

  /// The absolute path with symbolic links and dots resolved, or nil where that can't be done.
  package static func canonicalPath(of path: String) -> String? {
    guard let buffer = realpath(path, nil) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
  }

  /// Sets the permission bits, which no umask narrows. The corresponding C function is `chmod`.
  package static func setPermissions(_ mode: mode_t, of path: String) throws(SystemError) {
    try systemCall("set the permissions of", path) { chmod(path, mode) }
  }

  /// Whether there is a directory, or a link to one, as far as this process can see.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return fstatat(AT_FDCWD, path, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether this process may read the file. The corresponding C function is `access`.
  package static func isReadable(_ path: String) -> Bool {
    access(path, R_OK) == 0
  }

  /// Whether this process may write in the directory. The corresponding C function is `access`.
  package static func isWritable(_ path: String) -> Bool {
    access(path, W_OK) == 0
  }
}
