#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The digests of one file's content, with the status that the content had.
package struct FileDigests: Sendable {
  /// Why a file has no digests.
  package enum Refusal: Error, Hashable, Sendable {
    case system(SystemError)
    /// It is no regular file.
    case notAFile
    /// The library doesn't offer the algorithm (MD5 in a FIPS build).
    case unavailable(MessageDigestAlgorithm)
    /// Its size or modification time changed while it was read.
    case changed
    case cancelled
  }

  /// In the order of the algorithms asked for.
  package let digests: [[UInt8]]
  package let status: FileStatus

  /// Reads the file once, in pieces of 1 MiB, and asks before each whether to go on.
  package init(
    of path: String, _ algorithms: [MessageDigestAlgorithm], isCancelled: () -> Bool
  ) throws(Refusal) {
    var running: [MessageDigest] = []
    for algorithm in algorithms {
      guard let digest = MessageDigest(algorithm) else { throw .unavailable(algorithm) }
      running.append(digest)
    }
    // A named pipe that took the file's place would block a plain open.
    let file = try system { () throws(SystemError) in
      try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }
    status = try system(file.status)
    guard status.kind == .file else { throw .notAFile }
    try Self.read(file, into: running, isCancelled)
    guard try system(file.status).hasSameContent(as: status) else { throw .changed }
    digests = running.map { $0.finish() }
  }

  private static func read(
    _ file: FileDescriptor, into digests: [MessageDigest], _ isCancelled: () -> Bool
  ) throws(Refusal) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    while true {
      if isCancelled() { throw .cancelled }
      let count = try system { () throws(SystemError) in try file.read(into: buffer) }
      if count == 0 { return }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      for digest in digests { digest.update(piece) }
    }
  }
}

/// Makes a system error a refusal.
private func system<Result>(
  _ body: () throws(SystemError) -> Result
) throws(FileDigests.Refusal) -> Result {
  do { return try body() } catch { throw .system(error) }
}
