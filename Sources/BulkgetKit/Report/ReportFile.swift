import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file that a report is written to: it appears complete or not at all.
///
/// A regular file is replaced by a rename. What is no regular file (a terminal, a pipe, `/dev/null`) is written to
/// directly, and so is `/dev/stdout` even where it is a file: a rename would take it from under the shell that opened
/// it.
public struct ReportFile: Sendable {
  /// The path as the user gave it.
  public let path: String

  /// Names the file and touches nothing.
  public init(path: String) {
    self.path = path
  }

  /// Finds out whether the report can be written, and leaves nothing behind.
  public func checkWritable() throws(ReportError) {
    try mapping { () throws(SystemError) in
      switch try target() {
      case .direct(let path):
        guard FileSystem.isWritable(path) else { throw SystemError("write", path, code: EACCES) }
      case .replaced(let path):
        let sibling = siblingPath(of: path)
        _ = try open(sibling)
        try FileSystem.remove(sibling)
      }
    }
  }

  /// Writes the report.
  public func write(_ report: Report) throws(ReportError) {
    try mapping { () throws(SystemError) in
      switch try target() {
      case .direct(let path):
        let file = try FileDescriptor(opening: path, O_WRONLY | O_APPEND)
        try report.writeJSON { (bytes) throws(SystemError) in try file.write(copy bytes) }
      case .replaced(let path):
        try replace(path, with: report)
      }
    }
  }

  private func replace(_ path: String, with report: Report) throws(SystemError) {
    let sibling = siblingPath(of: path)
    let file = try open(sibling)
    do throws(SystemError) {
      try report.writeJSON { (bytes) throws(SystemError) in try file.write(copy bytes) }
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
    try FileDescriptor(
      opening: sibling, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666, action: "create")
  }

  /// A short name, so that a report's name may be as long as the file system allows.
  private func siblingPath(of path: String) -> String {
    let name = ".bulkget-\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 16)).tmp"
    return "\(FileSystem.parentDirectory(of: path))/\(name)"
  }

  private func mapping(_ body: () throws(SystemError) -> Void) throws(ReportError) {
    do throws(SystemError) { try body() } catch {
      throw .unwritable(path: path, reason: error.description)
    }
  }
}
