import BulkgetSystem
import Foundation

extension DiskCache {
  /// Removes what the rule chooses and no running process uses.
  ///
  /// It is removed in short turns, in which no run may begin; a run that has begun keeps what it claims.
  ///
  /// - Parameter isRehearsal: whether only to say what would go.
  /// - Throws: ``CacheError/unwritable(path:)``, ``CacheError/busy(path:)``, and what the system or the index gave.
  public func prune(
    _ rule: PruneRule, isRehearsal: Bool = false
  ) throws(CacheError) -> PruneResult {
    let now = Self.now
    if !isRehearsal { try checkWritable(layout.directory) }
    let inventory = try PruneInventory(self, keptKeys: rule.keptKeys ?? [])
    var rest = rule.choice(from: inventory.items, now: now)[...]
    var result = PruneResult()
    // Once at least: the claims of dead processes are cleared away even where nothing is chosen.
    repeat {
      let turn = rest.prefix(Self.turnCount)
      rest = rest.dropFirst(Self.turnCount)
      if isRehearsal {
        try remove(turn, now: now, isRehearsal: true, into: &result)
      } else {
        try locks.whileNothingIsClaimed { () throws(CacheError) in
          try remove(turn, now: now, isRehearsal: false, into: &result)
          try flush()
        }
      }
    } while !rest.isEmpty
    return result
  }

  private static let turnCount = 256

  private func remove(
    _ items: some Sequence<PruneItem>, now: Int64, isRehearsal: Bool,
    into result: inout PruneResult
  ) throws(CacheError) {
    let claims = try cacheCall { () throws(SystemError) in
      try ClaimedKeys(in: layout, now: now, removingDead: !isRehearsal)
    }
    let hasher = KeyHasher()
    for item in items {
      var isFree = !claims.covers(item, hasher)
      if isFree, !isRehearsal { isFree = try remove(item) }
      if isFree { result.removed.append(item) } else { result.inUse.append(item) }
    }
  }

  /// Removes one file; false where a process is at it.
  private func remove(_ item: PruneItem) throws(CacheError) -> Bool {
    switch (item.kind, item.key) {
    case (.partial, _):
      return try removePartial(at: item.path)
    case (.file, let key?):
      guard let record = try record(of: key) else { return true }
      // Replaced, or used by a run that has ended since.
      if record.usedAt * 1_000_000_000 > item.usedAt { return false }
      return try remove(record)
    case (.file, nil):
      try cacheCall { () throws(SystemError) in try FileSystem.remove(item.path) }
      return true
    }
  }

  /// Removes a file and its record; false where another run is at it.
  package func remove(_ record: CacheRecord) throws(CacheError) -> Bool {
    var lock: FileLock?
    switch try self.lock(record.key) {
    case .held: return false
    case .acquired(let acquired): lock = acquired
    case .unsupported: break
    }
    let path = layout.path(of: record)
    try cacheCall { () throws(SystemError) in try FileSystem.remove(path) }
    writer.add(IndexWriter.Item(change: .remove(record.key), lock: lock))
    return true
  }

  /// Removes an incomplete file where its key is not locked, which also keeps others from beginning with it meanwhile.
  private func removePartial(at path: String) throws(CacheError) -> Bool {
    guard let partial = PartialName(path: path) else { return false }
    guard case .acquired(let lock) = try locks.lock(partial.fingerprint.lockOffset) else {
      return false
    }
    defer { lock.release() }
    return try cacheCall { () throws(SystemError) in
      // It has no record, and may be written while somebody else holds its key's lock or has given it back.
      if partial.isPrivate { return try removeAbandoned(path) }
      try removePartial(path)
      return true
    }
  }

  /// What came of removing one file.
  public enum Removal: Sendable {
    case removed, missing
    /// A running process uses it.
    case inUse
  }

  /// Removes everything of one key: its file, what is kept of a download, and what is known about them.
  public func remove(_ key: FileKey) throws(CacheError) -> Removal {
    try checkWritable(layout.directory)
    guard try has(key) else { return .missing }
    return try locks.whileNothingIsClaimed { () throws(CacheError) in
      let claims = try cacheCall { () throws(SystemError) in
        try ClaimedKeys(in: layout, now: Self.now, removingDead: true)
      }
      if claims.fingerprints.contains(KeyHasher().fingerprint(of: key)) { return .inUse }
      guard try removePartial(at: layout.partialPath(of: key)) else { return .inUse }
      guard let record = try record(of: key) else { return .removed }
      let isRemoved = try remove(record)
      try flush()
      return isRemoved ? .removed : .inUse
    }
  }

  /// Whether there is anything of the key: a record, or kept bytes of a download.
  public func has(_ key: FileKey) throws(CacheError) -> Bool {
    if try record(of: key) != nil { return true }
    return try cacheCall { () throws(SystemError) in
      try FileSystem.status(of: layout.partialPath(of: key)) != nil
    }
  }

  /// In nanoseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e9) }
}

extension ClaimedKeys {
  /// Whether a running process may need the item. A file that the index doesn't know may be anybody's.
  fileprivate func covers(_ item: PruneItem, _ hasher: KeyHasher) -> Bool {
    if let key = item.key { return fingerprints.contains(hasher.fingerprint(of: key)) }
    if item.kind == .file { return isAnythingRunning }
    return PartialName(path: item.path).map { fingerprints.contains($0.fingerprint) } ?? false
  }
}

/// Everything in a cache that can be pruned.
private struct PruneInventory {
  private(set) var items: [PruneItem] = []

  init(_ cache: DiskCache, keptKeys: Set<FileKey>) throws(CacheError) {
    try addFiles(of: cache, keptKeys: keptKeys)
    try addPartials(of: cache, keptKeys: keptKeys)
  }

  /// What the index knows was last used when it says; anything else when it was written.
  private mutating func addFiles(
    of cache: DiskCache, keptKeys: Set<FileKey>
  ) throws(CacheError) {
    let layout = cache.layout
    var numbers: [String: Int] = [:]
    let namespaces = try cacheCall { () throws(SystemError) in
      try FileSystem.names(in: layout.filesDirectory) ?? []
    }
    for namespace in namespaces {
      let directory = layout.filesDirectory + "/" + namespace
      try cacheCall { () throws(SystemError) in
        try cache.forEachFile(in: directory) { name, status in
          let path = directory + "/" + name
          numbers[path] = items.count
          items.append(PruneItem(.file, path, status))
        }
      }
    }
    try cache.forEachRecord { record throws(CacheError) in
      guard let number = numbers[layout.path(of: record)] else { return }
      items[number].key = record.key
      items[number].usedAt = record.usedAt * 1_000_000_000
      items[number].isKept = keptKeys.contains(record.key)
    }
  }

  private mutating func addPartials(
    of cache: DiskCache, keptKeys: Set<FileKey>
  ) throws(CacheError) {
    let hasher = KeyHasher()
    let kept = Set(keptKeys.map { hasher.fingerprint(of: $0) })
    try cacheCall { () throws(SystemError) in
      try cache.forEachFile(in: cache.layout.partialDirectory) { name, status in
        let path = cache.layout.partialDirectory + "/" + name
        guard let partial = PartialName(path: path) else { return }
        var item = PruneItem(.partial, path, status)
        item.isKept = kept.contains(partial.fingerprint)
        items.append(item)
      }
    }
  }
}

extension PruneItem {
  fileprivate init(_ kind: Kind, _ path: String, _ status: FileStatus) {
    self.init(
      kind: kind, key: nil, path: path, byteCount: status.size, inode: status.inode,
      usedAt: status.modificationTime)
  }
}

/// The name of a file in the directory of incomplete ones. Records are removed with their bytes.
private struct PartialName {
  let fingerprint: KeyFingerprint
  /// Whether it has a random part: a download beside another one's, or a link on its way.
  let isPrivate: Bool

  init?(path: String) {
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let fingerprint = KeyFingerprint(name: first) else { return nil }
    if name.hasSuffix(CacheLayout.recordSuffix) { return nil }
    self.fingerprint = fingerprint
    isPrivate = parts.count > 1
  }
}
