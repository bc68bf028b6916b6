package import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The two ends of a pipe; neither is inherited by child processes.
package struct Pipe: Sendable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    try withoutSpawning { () throws(SystemError) in
      try systemCall("make", "pipe") { pipe(&ends) }
      for end in ends {
        try systemCall("configure", "pipe") { fcntl(end, F_SETFD, FD_CLOEXEC) }
      }
    }
    reading = FileDescriptor(owning: ends[0], path: "pipe")
    writing = FileDescriptor(owning: ends[1], path: "pipe")
  }
}

/// Held while a descriptor is made and marked as not to be inherited, and while a process is spawned: between the
/// two calls a child of another test would inherit it, and keep a connection or a pipe open.
///
/// The value is nothing: but one without size has its neighbour's address, which the thread sanitizer then suspects.
private let spawning = Monitor(false)

/// Runs `body` while no child process is started.
package func withoutSpawning<Result: Sendable>(
  _ body: () throws(SystemError) -> Result
) throws(SystemError) -> Result {
  try spawning.withLock { _ throws(SystemError) in try body() }
}
