#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The two streams that a program writes to.
package struct StandardStream: Hashable, Sendable {
  package static let output = Self(descriptor: 1, name: "standard output")
  package static let error = Self(descriptor: 2, name: "standard error")

  package let descriptor: CInt
  /// As messages call it.
  package let name: String

  package init(descriptor: CInt, name: String) {
    self.descriptor = descriptor
    self.name = name
  }
}

/// A standard stream that could not be written to.
package struct StreamError: Error, Hashable, CustomStringConvertible {
  package let stream: StandardStream
  /// The value of `errno`.
  package let code: CInt

  package init(_ stream: StandardStream, code: CInt) {
    self.stream = stream
    self.code = code
  }

  /// The reader is gone: it has seen what it wanted.
  package static func brokenPipe(_ stream: StandardStream) -> Self { Self(stream, code: EPIPE) }

  /// The disk behind it is full.
  package static func full(_ stream: StandardStream) -> Self { Self(stream, code: ENOSPC) }

  package var isBrokenPipe: Bool { code == EPIPE }
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  package var description: String {
    "cannot write to \(stream.name): \(String(cString: strerror(code)))"
  }
}

/// The descriptors 0, 1 and 2, which belong to the process and are never closed by it.
package enum StandardStreams {
  /// Makes sure that the descriptors 0 to 2 are open, and that a reader who goes away is an error and no signal;
  /// a file that grows too large as well.
  ///
  /// A parent may have closed some of them. The next file opened would get the free number, and a message meant for a
  /// closed stream would land in that file. So the free ones are given to `/dev/null`, opened the wrong way round: reads
  /// and writes still fail as they would on a closed descriptor. Call this before anything else is opened.
  package static func secure() {
    for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // Gets the lowest free number, which is this one, since all below it are open by now.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    signal(SIGPIPE, SIG_IGN)
    // A file that outgrows `ulimit -f` is an error of its download. Linux sends this signal to the thread that writes, and
    // the queues' threads happen to block it; macOS sends it to the process.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Writes all of `bytes`, waiting where the stream is non-blocking, as a parent may have made it.
  package static func write(_ bytes: [UInt8], to stream: StandardStream) throws(StreamError) {
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes { rest in
        systemWrite(stream.descriptor, rest.baseAddress, rest.count)
      }
      if written >= 0 {
        start += written
        continue
      }
      let code = errno
      switch code {
      case EINTR: continue
      case EAGAIN: waitUntilWritable(stream)
      default: throw StreamError(stream, code: code)
      }
    }
  }

  private static func waitUntilWritable(_ stream: StandardStream) {
    var request = pollfd(fd: stream.descriptor, events: Int16(POLLOUT), revents: 0)
    // An error shows again in the next write.
    _ = poll(&request, 1, -1)
  }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
