#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Locks of single bytes that belong to the open file description: the kernel releases them with its last descriptor,
/// however the process ends, and two descriptions of one process exclude each other (fcntl(2), "Open file description
/// locks"). The byte need not exist.
extension FileDescriptor {
  /// Locks one byte, for itself or shared with others that share it; false where somebody else has it. Locking what this
  /// description holds already is no error.
  package func lockByte(at offset: Int64, isShared: Bool = false) throws(SystemError) -> Bool {
    do {
      try setLock(CInt(isShared ? F_RDLCK : F_WRLCK), at: offset)
      return true
    } catch  where error.code == EAGAIN || error.code == EACCES {
      return false
    }
  }

  /// Tries every 10 ms to lock the byte, for itself unless it is to be shared; false where the time was too short. A waiting call of the kernel has
  /// no limit of time, and a stopped process would block it for ever.
  package func waitForLock(
    ofByteAt offset: Int64, isShared: Bool = false, milliseconds: Int
  ) throws(SystemError) -> Bool {
    for _ in 0...(milliseconds / 10) {
      if try lockByte(at: offset, isShared: isShared) { return true }
      poll(nil, 0, 10)
    }
    return false
  }

  /// Gives the byte's lock back.
  package func unlockByte(at offset: Int64) throws(SystemError) {
    try setLock(CInt(F_UNLCK), at: offset)
  }

  /// Whether the file system knows locks: asks for one's holder and takes none.
  package func hasLocks() throws(SystemError) -> Bool {
    do {
      try callLock(openFileDescriptionLockQuery, CInt(F_RDLCK), at: 0)
      return true
    } catch {
      guard error.saysLocksAreUnsupported else { throw error }
      return false
    }
  }

  private func setLock(_ kind: CInt, at offset: Int64) throws(SystemError) {
    try callLock(openFileDescriptionLock, kind, at: offset)
  }

  private func callLock(
    _ command: CInt, _ kind: CInt, at offset: Int64
  ) throws(SystemError) {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(offset)
    lock.l_len = 1
    // It has to be 0 for locks of this kind.
    lock.l_pid = 0
    try systemCall("lock", path) { fcntl(rawValue, command, &lock) }
  }
}

extension SystemError {
  /// Whether a failed lock means that the file system has no locks, rather than that this one is held.
  package var saysLocksAreUnsupported: Bool {
    // EINVAL is what kernels without open file description locks say.
    [ENOLCK, ENOSYS, EOPNOTSUPP, ENOTSUP, EINVAL].contains(code)
  }
}

/// F_OFD_SETLK and F_OFD_GETLK, which Swift's C libraries leave out.
#if canImport(Darwin)
  private let openFileDescriptionLock: CInt = 90
  private let openFileDescriptionLockQuery: CInt = 92
#else
  private let openFileDescriptionLock: CInt = 37
  private let openFileDescriptionLockQuery: CInt = 36
#endif
