import BulkgetSystem
import Dispatch
import Synchronization

/// Collects changes of the index and commits them in batches, on a queue of its own.
///
/// A batch is committed when it has 512 changes, when its first one is a quarter of a second old (so long other processes
/// may have to wait for a record, and so rare are the commits of a slow run), or when somebody flushes. A batch that
/// fails stays, and is tried again with the next one; the last word is ``flush()``'s, which throws.
final class IndexWriter: Sendable {
  private let index: CacheIndex
  private let notices: NoticeLog
  private let queue = DispatchQueue(label: "bulkget.cache-index")
  private let state = Mutex(State())

  /// A change and what has to happen once it is committed.
  struct Item: Sendable {
    var change: IndexChange
    /// The file that the committed record replaces: removed afterwards, so that a kill in between leaves one that the
    /// index knows.
    var obsoletePath: String?
    /// Kept until others can read the record: whoever waits for it finds the file in the index.
    var lock: FileLock?
  }

  private struct State {
    var pending: [Item] = []
    var isTimerSet = false
  }

  private static let batchCount = 512
  private static let delay: DispatchTimeInterval = .milliseconds(250)

  init(_ index: CacheIndex, notices: NoticeLog) {
    self.index = index
    self.notices = notices
  }

  /// Queues a change. Never waits.
  func add(_ item: Item) {
    let (isFull, needsTimer) = state.withLock { state in
      state.pending.append(item)
      defer { state.isTimerSet = true }
      return (state.pending.count % Self.batchCount == 0, !state.isTimerSet)
    }
    if isFull { queue.async { self.commitInBackground() } }
    if needsTimer { queue.asyncAfter(deadline: .now() + Self.delay) { self.timerFired() } }
  }

  /// Commits what is queued, and waits for it.
  func flush() throws(CacheError) {
    let result = queue.sync { Result { () throws(CacheError) in try self.commitPending() } }
    try result.get()
  }

  private func timerFired() {
    state.withLock { $0.isTimerSet = false }
    commitInBackground()
  }

  private func commitInBackground() {
    // Not lost: the changes are queued again, and `flush` tries and throws.
    try? commitPending()
  }

  private func commitPending() throws(CacheError) {
    let batch = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    if batch.isEmpty { return }
    do {
      try index.commit(batch.map(\.change))
    } catch {
      keep(batch)
      throw error
    }
    for path in batch.compactMap(\.obsoletePath) { removeObsolete(path) }
  }

  /// Queues a failed batch again, before what came since, but without its locks: nobody shall wait for a broken index.
  private func keep(_ batch: [Item]) {
    let unlocked = batch.map { item in
      var item = item
      item.lock = nil
      return item
    }
    state.withLock { $0.pending = unlocked + $0.pending }
  }

  private func removeObsolete(_ path: String) {
    do { try FileSystem.remove(path) } catch {
      notices.add("cache-leftover", error.description)
    }
  }
}
