import BulkgetSystem

/// What one run uses of a cache: nobody prunes it until the claim is given back, or the process ends.
///
/// A file with the fingerprints of the keys, locked by its run. A lock on a byte for each key would cost a system call each,
/// and the kernel walks the list of them for every new one.
final class CacheClaim: Sendable {
  private let file: FileDescriptor

  /// Writes a claim into the cache's directory of claims.
  init(_ keys: some Sequence<FileKey>, in layout: CacheLayout) throws(SystemError) {
    try FileSystem.makeDirectories(layout.claimsDirectory)
    let hasher = KeyHasher()
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    file = try FileDescriptor.creating(layout.claimsDirectory + "/" + name, mode: 0o666)
    do {
      _ = try file.lockByte(at: 0)
    } catch  where error.saysLocksAreUnsupported {
      // Then it counts by its age.
    }
    var bytes: [UInt8] = []
    for key in keys { bytes += hasher.fingerprint(of: key).bytes }
    try file.write(bytes)
  }

  deinit {
    // Unlocked by then, it is removed by whoever looks next.
    try? FileSystem.remove(file.path)
  }
}

/// What all running processes use.
struct ClaimedKeys: Sendable {
  private(set) var fingerprints: Set<KeyFingerprint> = []
  /// Whether anything runs at all.
  private(set) var isAnythingRunning = false

  /// A run is hardly longer; where nothing can be locked, an older claim is a dead process's.
  private static let maximumAge: Int64 = 86_400 * 1_000_000_000

  /// Reads the claims of living processes. Those of dead ones are removed where that is wanted.
  init(
    in layout: CacheLayout, now: Int64, removingDead: Bool
  ) throws(SystemError) {
    for name in try FileSystem.names(in: layout.claimsDirectory) ?? [] {
      let path = layout.claimsDirectory + "/" + name
      do throws(SystemError) {
        let file = try FileDescriptor.reading(path)
        if try Self.isDead(file, now: now) {
          if removingDead { try FileSystem.remove(path) }
        } else {
          try add(file)
        }
      } catch  where error.isNotFound {
        // Its run has just ended.
      }
    }
  }

  private mutating func add(_ file: FileDescriptor) throws(SystemError) {
    isAnythingRunning = true
    let bytes = try file.readAll(limit: .max) ?? []
    for start in stride(from: 0, to: bytes.count - 15, by: 16) {
      fingerprints.insert(KeyFingerprint(bytes: Array(bytes[start..<start + 16])))
    }
  }

  private static func isDead(_ file: FileDescriptor, now: Int64) throws(SystemError) -> Bool {
    do {
      return try file.lockByte(at: 0, isShared: true)
    } catch {
      guard error.saysLocksAreUnsupported else { throw error }
      return try now - file.status().modificationTime > maximumAge
    }
  }
}

extension DiskCache {
  /// Plans, and claims what the plan uses before anybody can prune it. The claim is nil in a cache that may not be written.
  func claiming(
    _ plan: () throws(CacheError) -> Plan
  ) throws(CacheError) -> (Plan, CacheClaim?) {
    guard isWritable else { return (try plan(), nil) }
    return try locks.whileNothingIsPruned { () throws(CacheError) in
      let plan = try plan()
      let claim = try cacheCall { () throws(SystemError) in
        try CacheClaim(plan.usedKeys, in: layout)
      }
      return (plan, claim)
    }
  }
}

extension Plan {
  /// The keys of the files that carrying it out reads or writes.
  fileprivate var usedKeys: Set<FileKey> {
    var keys: Set<FileKey> = []
    for step in steps where step.action != .skip {
      keys.insert(step.entry.key)
      if let record = step.record { keys.insert(record.key) }
    }
    return keys
  }
}
