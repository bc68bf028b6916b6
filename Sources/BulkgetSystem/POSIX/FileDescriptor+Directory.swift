#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// What an open directory holds, by names without a slash: nobody who moves or replaces the directory's parents can lead
/// such a call elsewhere.
extension FileDescriptor {
  /// Opens a file of this directory; symbolic links are not followed.
  package func opening(
    _ name: String, _ flags: CInt, mode: mode_t = 0, action: String = "open"
  ) throws(SystemError) -> FileDescriptor {
    let path = path(of: name)
    let descriptor = try systemCall(action, path) {
      openat(rawValue, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
    }
    return FileDescriptor(owning: descriptor, path: path)
  }

  /// Makes a directory in this one; one that is there already is no error.
  package func makeDirectory(_ name: String) throws(SystemError) {
    do {
      try systemCall("create", path(of: name)) { mkdirat(rawValue, name, 0o777) }
    } catch  where error.code == EEXIST {
      return
    }
  }

  /// Gives a file of this directory another name in it, replacing what has that name atomically.
  package func rename(_ name: String, to target: String) throws(SystemError) {
    try systemCall("rename to \(path(of: target))", path(of: name)) {
      renameat(rawValue, name, rawValue, target)
    }
  }

  /// Removes a file or symbolic link of this directory; one that is not there is no error.
  package func remove(_ name: String) throws(SystemError) {
    do {
      try systemCall("remove", path(of: name)) { unlinkat(rawValue, name, 0) }
    } catch  where error.code == ENOENT {
      return
    }
  }

  /// Adds a name in this directory to the file at a path.
  package func makeHardLink(_ name: String, to source: String) throws(SystemError) {
    try systemCall("link to \(source)", path(of: name)) {
      linkat(AT_FDCWD, source, rawValue, name, 0)
    }
  }

  /// Makes a symbolic link in this directory.
  package func makeSymbolicLink(_ name: String, to target: String) throws(SystemError) {
    try systemCall("link to \(target)", path(of: name)) { symlinkat(target, rawValue, name) }
  }

  private func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }
}

extension FileSystem {
  /// What a symbolic link says; nil where there is none.
  package static func linkTarget(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count < 0
      ? nil : String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
