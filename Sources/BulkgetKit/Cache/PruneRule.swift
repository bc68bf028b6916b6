/// Which files of a cache go. Pure: the same files give the same answer.
public struct PruneRule: Hashable, Sendable {
  /// Complete and incomplete files together take at most so many bytes afterwards; what was not used for longest goes.
  public var maximumByteCount: Int64?
  /// What was last used longer ago goes.
  public var maximumAge: Duration?
  /// What stays in any case. Where it is the only rule, everything else goes.
  public var keptKeys: Set<FileKey>?

  /// Without any rule, only incomplete files go.
  public init() {}

  /// What goes, in the order in which it goes: least recently used first. `now` is in nanoseconds since 1970.
  func choice(from items: [PruneItem], now: Int64) -> [PruneItem] {
    let candidates = items.filter { !$0.isKept }.sorted { $0.usedAt < $1.usedAt }
    guard maximumByteCount != nil || maximumAge != nil else {
      return keptKeys == nil ? candidates.filter { $0.kind == .partial } : candidates
    }
    var room = Room(of: items)
    return candidates.filter { item in
      let isOld = maximumAge.map { .nanoseconds(now - item.usedAt) > $0 } ?? false
      let isTooMuch = maximumByteCount.map { room.byteCount > $0 } ?? false
      guard isOld || isTooMuch else { return false }
      room.remove(item)
      return true
    }
  }

  /// How many bytes are taken, where several names may share the bytes of one file.
  private struct Room {
    private(set) var byteCount: Int64 = 0
    private var nameCounts: [UInt64: Int] = [:]

    init(of items: [PruneItem]) {
      for item in items {
        if nameCounts[item.inode] == nil { byteCount += item.byteCount }
        nameCounts[item.inode, default: 0] += 1
      }
    }

    mutating func remove(_ item: PruneItem) {
      let rest = (nameCounts[item.inode] ?? 1) - 1
      nameCounts[item.inode] = rest
      if rest == 0 { byteCount -= item.byteCount }
    }
  }
}

/// One file of a cache that pruning may remove.
public struct PruneItem: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Sendable {
    case file
    /// Incomplete.
    case partial
  }

  /// What it is.
  public var kind: Kind
  /// Whose it is; nil for an incomplete one, and for one that the index doesn't know.
  public var key: FileKey?
  /// The absolute path.
  public var path: String
  /// Size in bytes.
  public var byteCount: Int64
  /// Names with the same number share their bytes.
  var inode: UInt64
  /// When it was last used or written, in nanoseconds since 1970.
  public var usedAt: Int64
  /// Whether a rule keeps it.
  var isKept = false
}

/// What came of pruning.
public struct PruneResult: Sendable {
  /// What was removed, or would be.
  public var removed: [PruneItem] = []
  /// What a running process uses, and stays.
  public var inUse: [PruneItem] = []
}
