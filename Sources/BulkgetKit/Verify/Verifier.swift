import BulkgetSystem
import Dispatch
import Foundation
import Synchronization

/// Hashes files again, on all cores, and compares with what the index says about them.
final class Verifier: Sendable {
  /// One file to be hashed.
  struct Item: Sendable {
    var place: Verification.Place
    var path: String
    /// Whose file it is.
    var key: FileKey
    /// What it has to be; nil where the cache knows nothing about it.
    var record: CacheRecord?
  }

  private struct State {
    var next = 0
    var files: [Verification?]
    var progress = VerificationProgress()
  }

  private let cache: DiskCache
  private let items: [Item]
  private let tell: @Sendable (VerificationProgress) -> Void
  private let state: Mutex<State>

  init(
    _ items: [Item], in cache: DiskCache, tell: @escaping @Sendable (VerificationProgress) -> Void
  ) {
    self.cache = cache
    self.items = items
    self.tell = tell
    var state = State(files: Array(repeating: nil, count: items.count))
    state.progress.fileCount = items.count
    state.progress.byteCount = items.reduce(0) { $0 + ($1.record?.size ?? 0) }
    self.state = Mutex(state)
  }

  /// Hashes everything; takes as long as that takes, and blocks the calling thread. One result for each item, in order.
  func run() -> [Verification] {
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let index = takeNext() {
        let file = verify(items[index])
        let progress = state.withLock { state in
          state.files[index] = file
          state.progress.verifiedFileCount += 1
          state.progress.verifiedByteCount += file.byteCount
          return state.progress
        }
        tell(progress)
      }
    }
    return state.withLock { $0.files.compactMap(\.self) }
  }

  private func takeNext() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  private func verify(_ item: Item) -> Verification {
    let first = judge(item)
    guard first.isDamage, item.place == .cached, item.record?.readCache == nil,
      let now = try? cache.record(of: item.key),
      now != item.record
    else { return first }
    // Another process has replaced it since the list was made.
    var again = item
    again.record = now
    again.path = cache.layout.path(of: now)
    return judge(again)
  }

  private func judge(_ item: Item) -> Verification {
    var file = Verification(
      key: item.key, place: item.place, path: item.path, status: .absent,
      byteCount: item.record?.size ?? 0)
    guard let record = item.record else { return file }
    file.sha256 = record.digests.first { $0.algorithm == .sha256 }
    do throws(CacheError) {
      let algorithms = Set(record.digests.map(\.algorithm))
      let hashed = try DiskCache.hash(item.path, algorithms)
      let isRight =
        hashed.observation.size == record.size && record.digests.allSatisfy(hashed.digests.contains)
      file.status = isRight ? .right : .damaged
      if !isRight { file.message = Self.difference(hashed, record) }
    } catch {
      file.status = error.isMissing ? (item.place == .cached ? .missing : .absent) : .damaged
      file.message = file.status == .absent ? nil : error.description
    }
    return file
  }

  private static func difference(_ hashed: DiskCache.HashedFile, _ record: CacheRecord) -> String {
    if hashed.observation.size != record.size {
      return "it has \(hashed.observation.size) bytes rather than \(record.size)"
    }
    let wrong = zip(record.digests.sorted { $0.algorithm < $1.algorithm }, hashed.digests)
      .first { $0 != $1 }
    guard let (expected, actual) = wrong else { return "its digests differ" }
    return
      "expected \(expected.algorithm.rawValue) \(expected.hexadecimal), got \(actual.hexadecimal)"
  }
}

/// How far verifying has come.
public struct VerificationProgress: Hashable, Sendable {
  /// All files.
  public var fileCount = 0
  /// Their bytes.
  public var byteCount: Int64 = 0
  /// Those that are done.
  public var verifiedFileCount = 0
  /// Their bytes.
  public var verifiedByteCount: Int64 = 0
}

extension CacheError {
  fileprivate var isMissing: Bool {
    guard case .system(_, let path, let code) = self else { return false }
    return SystemError("open", path, code: code).isNotFound
  }
}
