import Synchronization

/// The right to download one file, given back when it is released or let go of. The kernel gives it back when the
/// process ends, however it ends.
package final class FileLock: Sendable {
  let offset: Int64
  private let table: LockTable
  private let isHeld = Mutex(true)

  init(offset: Int64, in table: LockTable) {
    self.offset = offset
    self.table = table
  }

  deinit {
    release()
  }

  /// Gives the lock back. Once is enough, more does no harm.
  package func release() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if wasHeld { table.unlock(offset) }
  }
}

/// What came of trying to lock a file.
package enum LockAttempt: Sendable {
  /// It is locked until the lock is released or let go of.
  case acquired(FileLock)
  /// Somebody else has it: a process, where the system tells which.
  case held(processID: Int32?)
  /// The file system has no locks. At worst a file is downloaded twice.
  case unsupported
}
