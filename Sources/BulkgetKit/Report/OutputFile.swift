import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file of the user's that is written as a whole: it appears complete or not at all.
///
/// A regular file is replaced by a rename. What is no regular file (a terminal, a pipe, `/dev/null`) is written to
/// directly, and so is `/dev/stdout` even where it is a file: a rename would take it from under the shell that opened
/// it.
struct OutputFile: Sendable {
  /// The path as the user gave it.
  let path: String

  /// Finds out whether it can be written, and leaves nothing behind.
  func checkWritable() throws(SystemError) {
    switch try target() {
    case .direct(let path):
      guard FileSystem.isWritable(path) else { throw SystemError("write", path, code: EACCES) }
    case .replaced(let path):
      let sibling = siblingPath(of: path)
      _ = try open(sibling)
      try FileSystem.remove(sibling)
    }
  }

  /// Writes what `body` gives to the descriptor.
  func write(_ body: (FileDescriptor) throws(SystemError) -> Void) throws(SystemError) {
    switch try target() {
    case .direct(let path): try body(FileDescriptor(opening: path, O_WRONLY | O_APPEND))
    case .replaced(let path):
      do throws(SystemError) {
        try replace(path, body)
      } catch  where error.isNotFound {
        // Another process took the new file for a dead one's before it was claimed.
        try replace(path, body)
      }
      if let directory = try? FileDescriptor.directory(FileSystem.parentDirectory(of: path)) {
        TemporaryName.removeLeftovers(in: directory)
      }
    }
  }

  private func replace(
    _ path: String, _ body: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    let sibling = siblingPath(of: path)
    let file = try open(sibling)
    do throws(SystemError) {
      try body(file)
      try FileSystem.rename(sibling, to: path)
    } catch {
      // The first error is the one that tells; a sibling that can't be removed either changes nothing about it.
      _ = Result { () throws(SystemError) in try FileSystem.remove(sibling) }
      throw error
    }
  }

  private enum Target {
    case direct(String)
    case replaced(String)
  }

  private func target() throws(SystemError) -> Target {
    if path.hasPrefix("/proc/") || path.hasPrefix("/dev/fd/") || path == "/dev/stdout"
      || path == "/dev/stderr"
    {
      return .direct(path)
    }
    switch try FileSystem.status(of: path, followingLinks: true)?.kind {
    case nil: return .replaced(path)
    case .file, .symbolicLink:
      // The file behind a symbolic link is replaced, and the link stays.
      return .replaced(FileSystem.canonicalPath(of: path) ?? path)
    case .directory: throw SystemError("write", path, code: EISDIR)
    case .other: return .direct(path)
    }
  }

  private func open(_ sibling: String) throws(SystemError) -> FileDescriptor {
    let file = try FileDescriptor(
      opening: sibling, O_RDWR | O_CREAT | O_EXCL, mode: 0o666, action: "create")
    TemporaryName.claim(file)
    return file
  }

  /// A short name, so that the file's own name may be as long as the file system allows.
  private func siblingPath(of path: String) -> String {
    "\(FileSystem.parentDirectory(of: path))/\(TemporaryName.make())"
  }
}
