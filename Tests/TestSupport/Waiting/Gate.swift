package import BulkgetSystem

/// Something that is shut until somebody opens it, once and for good.
///
/// It is a pipe whose writing end is closed by opening, so that a thread can wait for a gate and for sockets in one
/// `poll`, without a sleep and without missing a wake-up.
package final class Gate: Sendable {
  private let reading: FileDescriptor
  private let writing: Monitor<FileDescriptor?>

  package init() throws(SystemError) {
    let ends = try Pipe()
    reading = ends.reading
    writing = Monitor(ends.writing)
  }

  /// Lets everybody through who waits or will wait.
  package func open() {
    writing.withLock { $0 = nil }
  }

  package var isOpen: Bool {
    writing.withLock { $0 == nil }
  }

  /// The descriptor that `poll` reports as hung up once the gate is open.
  package var descriptor: CInt { reading.rawValue }
}
