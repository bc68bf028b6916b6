import BulkgetSystem
import Synchronization

/// The locks of one cache: one file, one open file description, one byte for each key.
///
/// Locking costs one system call and no directory operation. Kernel locks of one description don't exclude each other,
/// so a set keeps the keys of one `DiskCache` apart; two instances have a description each. A lock of this kind doesn't
/// tell its process, so the holder also writes it into a slot of the file: only for messages, never for decisions.
final class LockTable: Sendable {
  /// nil where the file can't be opened for writing.
  private let file: FileDescriptor?
  private let notices: NoticeLog
  private let state = Mutex(State())

  private struct State {
    var heldOffsets: Set<Int64> = []
    var saidUnsupported = false
  }

  /// The byte that is locked while the index is made or set aside: behind those of all keys.
  private static let indexOffset: Int64 = 1 << 62
  /// The byte that runs share while they look at the cache, and that pruning has for itself.
  private static let claimOffset: Int64 = indexOffset + 1

  init(file: FileDescriptor?, notices: NoticeLog) {
    self.file = file
    self.notices = notices
  }

  func lock(_ offset: Int64) throws(CacheError) -> LockAttempt {
    guard let file else { return unsupported() }
    let isFree = state.withLock { $0.heldOffsets.insert(offset).inserted }
    guard isFree else { return .held(processID: ProcessIdentity.processID) }
    do throws(SystemError) {
      guard try file.lockByte(at: offset) else {
        forget(offset)
        return .held(processID: LockSlot(offset, in: file).processID())
      }
      LockSlot(offset, in: file).write()
      return .acquired(FileLock(offset: offset, in: self))
    } catch {
      forget(offset)
      if error.saysLocksAreUnsupported { return unsupported() }
      throw CacheError(error)
    }
  }

  func unlock(_ offset: Int64) {
    // In this order: the other way round, the next holder in this process would lose the kernel's lock to this call.
    // Should the kernel refuse, the lock ends with the process; nothing else can be done about it.
    try? file?.unlockByte(at: offset)
    forget(offset)
  }

  /// Runs `body` while no other process makes or sets aside the index, as far as there are locks.
  func withIndexLock<Result>(
    _ body: () throws(CacheError) -> Result
  ) throws(CacheError) -> Result {
    guard let file else { return try body() }
    var isFree = false
    do {
      isFree = try file.waitForLock(ofByteAt: Self.indexOffset, milliseconds: 10_000)
    } catch {
      guard error.saysLocksAreUnsupported else { throw CacheError(error) }
      return try body()
    }
    guard isFree else { throw .busy(path: file.path) }
    defer { unlock(Self.indexOffset) }
    return try body()
  }

  /// Runs `body` while nothing is pruned, so that what it sees is there until it is claimed.
  ///
  /// Whoever prunes does so in short turns. One that hangs is not waited for: it costs a download at worst.
  func whileNothingIsPruned<Result>(
    _ body: () throws(CacheError) -> Result
  ) throws(CacheError) -> Result {
    let isLocked = try lockClaims(isShared: true)
    defer { if isLocked { try? file?.unlockByte(at: Self.claimOffset) } }
    return try body()
  }

  /// Runs `body` while no run is between its look at the cache and its claim.
  ///
  /// - Throws: ``CacheError/busy(path:)`` where a run stays there for ten seconds.
  func whileNothingIsClaimed<Result>(
    _ body: () throws(CacheError) -> Result
  ) throws(CacheError) -> Result {
    guard let file else { return try body() }
    guard try lockClaims(isShared: false) else { throw .busy(path: file.path) }
    defer { try? file.unlockByte(at: Self.claimOffset) }
    return try body()
  }

  private func lockClaims(isShared: Bool) throws(CacheError) -> Bool {
    guard let file else { return false }
    do {
      return try file.waitForLock(
        ofByteAt: Self.claimOffset, isShared: isShared, milliseconds: 10_000)
    } catch {
      guard error.saysLocksAreUnsupported else { throw CacheError(error) }
      // Exclusive: the claims themselves still count, by their age.
      return !isShared
    }
  }

  private func forget(_ offset: Int64) {
    _ = state.withLock { $0.heldOffsets.remove(offset) }
  }

  private func unsupported() -> LockAttempt {
    let isFirst = state.withLock { state in
      defer { state.saidUnsupported = true }
      return !state.saidUnsupported
    }
    if isFirst {
      notices.add(
        "locks-unsupported",
        "the cache's file system has no locks: processes that use it at once may download a file twice"
      )
    }
    return .unsupported
  }
}
