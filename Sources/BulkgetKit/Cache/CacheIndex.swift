import BulkgetSystem
import Synchronization

/// The index of one cache, used by one thread at a time. It repairs what it finds broken where it may write, and treats it
/// as empty where it may not: a lost index loses no file.
final class CacheIndex: Sendable {
  private let file: IndexFile
  private let access: SQLiteDatabase.Access
  private let locks: LockTable
  private let notices: NoticeLog
  private let state = Mutex(State())

  private struct State {
    /// nil where there is no index, or none that can be used.
    var connection: IndexConnection?
    /// The file that the connection has open, to notice when another one takes its path.
    var status: FileStatus?
  }

  /// Opens the index; with `.writing` it is made where there is none.
  init(
    _ file: IndexFile, _ access: SQLiteDatabase.Access, locks: LockTable, notices: NoticeLog
  ) throws(CacheError) {
    self.file = file
    self.access = access
    self.locks = locks
    self.notices = notices
    try state.withLock { state throws(CacheError) in try open(&state) }
  }

  /// Runs `body` on the index; gives `empty` where there is none.
  func read<Result: Sendable>(
    _ empty: Result, _ body: @Sendable (IndexConnection) throws(SQLiteError) -> Result
  ) throws(CacheError) -> Result {
    try state.withLock { state throws(CacheError) in
      for _ in 0..<Self.attempts {
        if !file.hasLocks, try isReplaced(state) { try open(&state) }
        guard let connection = state.connection else { return empty }
        do throws(SQLiteError) {
          return try connection.reading { () throws(SQLiteError) in try body(connection) }
        } catch {
          try recover(from: error, &state)
        }
      }
      throw CacheError.busy(path: file.path)
    }
  }

  /// Commits all changes, or none and throws.
  func commit(_ changes: [IndexChange]) throws(CacheError) {
    try state.withLock { state throws(CacheError) in
      for _ in 0..<Self.attempts {
        if try isReplaced(state) { try open(&state) }
        guard let connection = state.connection else {
          throw CacheError.unwritable(path: file.path)
        }
        do throws(SQLiteError) {
          try connection.apply(changes)
        } catch {
          try recover(from: error, &state)
          continue
        }
        if !file.hasLocks { return try store(connection, &state) }
        // Set aside while this was written: the changes belong into its successor too.
        if try !isReplaced(state) { return }
      }
      throw CacheError.busy(path: file.path)
    }
  }

  /// Each is a repair by this process or a replacement by another one, so more than a few mean that somebody fights.
  private static let attempts = 5

  private func isReplaced(_ state: State) throws(CacheError) -> Bool {
    let status = try cacheCall { () throws(SystemError) in
      try FileSystem.status(of: file.path, followingLinks: true)
    }
    // Without locks every commit is a new file, whose number may be an old one's.
    if !file.hasLocks { return status != state.status }
    return status?.inode != state.status?.inode || status?.device != state.status?.device
  }

  private func store(_ connection: IndexConnection, _ state: inout State) throws(CacheError) {
    try file.replace(by: connection.database)
    state.status = try cacheCall { () throws(SystemError) in
      try FileSystem.status(of: file.path, followingLinks: true)
    }
  }

  private func open(_ state: inout State) throws(CacheError) {
    state.connection = nil
    for _ in 0..<Self.attempts {
      state.status = try cacheCall { () throws(SystemError) in
        try FileSystem.status(of: file.path, followingLinks: true)
      }
      switch try file.open(access) {
      case .index(let connection):
        state.connection = connection
        return
      case .damaged(let reason) where access == .reading:
        return warnUnusable(reason)
      case .nothing where access == .reading:
        return
      case .nothing, .damaged, .outdated, .newer:
        try locks.withIndexLock { () throws(CacheError) in try repair() }
      }
    }
    throw .index(path: file.path, reason: "it was replaced again and again")
  }

  /// Looks again, now that nobody else repairs it.
  private func repair() throws(CacheError) {
    switch try file.open(.writing) {
    case .index, .newer: return
    case .nothing: try file.create()
    case .damaged(let reason): try replace(reason)
    case .outdated: try migrate()
    }
  }

  private func migrate() throws(CacheError) {
    do throws(SQLiteError) { try file.migrate() } catch {
      guard error.kind == .damaged || error.kind == .shapeMismatch else { throw CacheError(error) }
      try replace(error.message)
    }
  }

  private func replace(_ reason: String) throws(CacheError) {
    let aside = try file.setAside()
    notices.add(
      Self.damageCode,
      "the cache's index was damaged (\(reason)) and is set aside as `\(aside)`; the cached files are still there"
    )
    try file.create()
  }

  private func recover(from error: SQLiteError, _ state: inout State) throws(CacheError) {
    switch error.kind {
    case .hotJournal, .moved:
      try open(&state)
    case .damaged where access == .reading:
      state.connection = nil
      warnUnusable(error.message)
    case .damaged:
      state.connection = nil
      let status = state.status
      try locks.withIndexLock { () throws(CacheError) in
        // Another process may have replaced it meanwhile.
        let now = try cacheCall { () throws(SystemError) in
          try FileSystem.status(of: file.path, followingLinks: true)
        }
        if now?.inode == status?.inode { try replace(error.message) }
      }
      try open(&state)
    default:
      throw CacheError(error)
    }
  }

  private func warnUnusable(_ reason: String) {
    notices.add(
      Self.damageCode,
      "the cache's index `\(file.path)` can't be used (\(reason)); the cached files are still there"
    )
  }

  private static let damageCode = "index-damaged"
}
