#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// The ways in which files are opened, each one system call.
extension FileDescriptor {
  /// Opens a file for reading.
  package static func reading(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path, O_RDONLY)
  }

  /// Makes a file that must not be there yet, with `mode` less the umask, and opens it for reading and writing: the mode
  /// binds only whoever opens it later.
  package static func creating(_ path: String, mode: mode_t) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_EXCL, mode: mode, action: "create")
  }

  /// Opens a file for reading and writing; where there is none, makes it with `mode` less the umask.
  package static func updating(
    _ path: String, mode: mode_t = 0o666
  ) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: mode)
  }

  /// Opens a file that is there for appending, and for reading.
  package static func appending(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path, O_RDWR | O_APPEND | O_NOFOLLOW)
  }

  /// Opens a directory, to look up names in it or to flush it.
  package static func directory(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
  }
}
