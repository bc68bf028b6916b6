import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The two ends of a pipe, each closed when it is let go of.
struct Pipe {
  var reading: FileDescriptor?
  var writing: FileDescriptor?

  init() throws {
    var ends: [CInt] = [-1, -1]
    try systemCall("open", "a pipe") { unsafe pipe(&ends) }
    reading = FileDescriptor(owning: ends[0], path: "a pipe")
    writing = FileDescriptor(owning: ends[1], path: "a pipe")
  }

  /// The writing end as a stream.
  var stream: StandardStream {
    StandardStream(descriptor: writing?.rawValue ?? -1, name: "the pipe")
  }
}
