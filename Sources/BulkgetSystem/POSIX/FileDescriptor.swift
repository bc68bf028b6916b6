#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// An open file, closed when its last owner lets go of it.
///
/// It remembers the path it was opened with, so that every error names it.
package final class FileDescriptor: Sendable {
  package let rawValue: CInt
  package let path: String

  /// Takes over a descriptor that is open already.
  package init(owning rawValue: CInt, path: String) {
    self.rawValue = rawValue
    self.path = path
  }

  /// Opens a file. The corresponding C function is `open`; `O_CLOEXEC` is always added.
  package convenience init(
    opening path: String, _ flags: CInt, mode: mode_t = 0, action: String = "open"
  ) throws(SystemError) {
    let descriptor = try systemCall(action, path) { open(path, flags | O_CLOEXEC, mode) }
    self.init(owning: descriptor, path: path)
  }

  deinit {
    // Nothing that matters is lost here: writers synchronise or check before they let go.
    close(rawValue)
  }

  /// Writes all of `bytes` at the file's position.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = try systemCall("write", path) {
        #if canImport(Darwin)
          Darwin.write(rawValue, rest.baseAddress, rest.count)
        #else
          Glibc.write(rawValue, rest.baseAddress, rest.count)
        #endif
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Writes all of `bytes` at the file's position.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes {
      do throws(SystemError) { try write($0) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Writes all of `bytes` at `offset`, leaving the file's position alone.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    var rest = bytes
    var offset = off_t(offset)
    while !rest.isEmpty {
      let written = try systemCall("write", path) {
        pwrite(rawValue, rest.baseAddress, rest.count, offset)
      }
      offset += off_t(written)
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Writes all of `bytes` at `offset`, leaving the file's position alone.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes {
      do throws(SystemError) { try write($0, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Reads up to `buffer.count` bytes at the file's position; 0 is the end of the file.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try systemCall("read", path) {
      #if canImport(Darwin)
        Darwin.read(rawValue, buffer.baseAddress, buffer.count)
      #else
        Glibc.read(rawValue, buffer.baseAddress, buffer.count)
      #endif
    }
  }

  /// Reads up to `count` bytes at `offset`, leaving the file's position alone; fewer where the file ends.
  package func read(count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try systemCall("read", path) { pread(rawValue, &bytes, count, off_t(offset)) }
    return Array(bytes[..<read])
  }

  /// Reads to the end of the file, but no more than `limit` bytes: more than that gives nil.
  package func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      var failure: SystemError?
      let count = chunk.withUnsafeMutableBytes { buffer in
        do throws(SystemError) { return try read(into: buffer) } catch { failure = error }
        return 0
      }
      if let failure { throw failure }
      if count == 0 { return bytes }
      if bytes.count + count > limit { return nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// The status of the open file. The corresponding C function is `fstat`.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try systemCall("examine", path) { fstat(rawValue, &status) }
    return FileStatus(status)
  }

  /// Moves the file's position to `offset` bytes from the start. The corresponding C function is `lseek`.
  package func seek(to offset: Int64) throws(SystemError) {
    try systemCall("seek in", path) { lseek(rawValue, off_t(offset), SEEK_SET) }
  }

  /// Cuts or extends the file to `size` bytes. The corresponding C function is `ftruncate`.
  package func truncate(to size: Int64) throws(SystemError) {
    try systemCall("truncate", path) { ftruncate(rawValue, off_t(size)) }
  }

  /// Flushes the file to the disk. The corresponding C function is `fsync`; on macOS, where that leaves the bytes in the
  /// drive's memory, `fcntl(F_FULLFSYNC)`.
  package func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      // File systems that don't have it have `fsync`.
      if fcntl(rawValue, F_FULLFSYNC) == 0 { return }
    #endif
    try systemCall("flush", path) { fsync(rawValue) }
  }

  /// Sets the permission bits. The corresponding C function is `fchmod`, which no umask narrows.
  package func setPermissions(_ mode: mode_t) throws(SystemError) {
    try systemCall("set the permissions of", path) { fchmod(rawValue, mode) }
  }

  /// Sets the modification time, in nanoseconds since 1970, and leaves the access time alone.
  package func setModificationTime(_ nanoseconds: Int64) throws(SystemError) {
    var times = [
      timespec(tv_sec: 0, tv_nsec: leaveTimeAlone),
      timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000)),
    ]
    try systemCall("set the time of", path) { futimens(rawValue, &times) }
  }
}

/// UTIME_OMIT, a macro with a cast that Swift can't import.
#if canImport(Darwin)
  private let leaveTimeAlone = -2
#else
  private let leaveTimeAlone = (1 << 30) - 2
#endif
