#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A whole file that a user names to be read, or standard input.
package enum InputFile {
  /// Why it can't be read.
  package enum Refusal: Error, Hashable, Sendable {
    case system(SystemError)
    case directory
    /// It has more bytes than the limit.
    case tooLarge
    /// `-` was asked for, and the descriptor 0 is not open.
    case closedStandardInput
  }

  /// Reads the file at `path`, or standard input for `-`. A file beyond `limit` bytes is not read at all.
  package static func bytes(of path: String, limit: Int) throws(Refusal) -> [UInt8] {
    let file = try open(path)
    let status = try calling { () throws(SystemError) in try file.status() }
    if status.kind == .directory { throw .directory }
    if status.size > Int64(limit) { throw .tooLarge }
    var bytes: [UInt8] = []
    // A regular file's size, and one byte more to see its end; pipes have none.
    bytes.reserveCapacity(Int(status.size) + 1)
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = try calling { () throws(SystemError) in try file.read(into: &chunk) }
      if count == 0 { return bytes }
      if bytes.count + count > limit { throw .tooLarge }
      bytes += chunk[..<count]
    }
  }

  private static func calling<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(Refusal) -> Result {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }

  private static func open(_ path: String) throws(Refusal) -> FileDescriptor {
    if path == "-" {
      // A copy, since the owner of a descriptor closes it.
      let copy = fcntl(0, F_DUPFD_CLOEXEC, 3)
      if copy == -1 { throw .closedStandardInput }
      return FileDescriptor(owning: copy, path: "standard input")
    }
    do throws(SystemError) {
      return try FileDescriptor(opening: path, O_RDONLY)
    } catch {
      throw .system(error)
    }
  }
}

extension FileDescriptor {
  /// Reads into an array from its start, and gives the number of bytes; 0 is the end of the file.
  fileprivate func read(into bytes: inout [UInt8]) throws(SystemError) -> Int {
    let path = path
    let descriptor = rawValue
    return try systemCall("read", path) {
      bytes.withUnsafeMutableBytes { buffer in
        #if canImport(Darwin)
          Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
    }
  }
}
