/// Finds entries that one transfer can serve: those with one strong digest, and those with the same sources and headers.
///
/// Sources have to be the same altogether: a mirror that only one of two entries names could deliver bytes that the
/// other one never asked for.
struct SharedTransfers {
  private struct Leader {
    var step: Int
    /// Equal for manifests that give hosts the same settings and credentials: others may be sent other bytes.
    var hosts: Int
  }

  private let hosts: [Int]
  // Keyed by hashes: a hundred thousand keys would hold on to all digests and URLs. Whether the leader really is one is
  // read from its step.
  private var byDigest: [Int: Leader] = [:]
  private var byRequest: [Int: Leader] = [:]

  init(manifests: [Manifest]) {
    var groups: [[String: HostSettings]: Int] = [:]
    hosts = manifests.map { manifest in
      let group = groups[manifest.hosts] ?? groups.count
      groups[manifest.hosts] = group
      return group
    }
  }

  /// Makes a transfer that an earlier one can serve its follower; any other transfer can lead later ones. Call it
  /// for each step when it was added.
  mutating func joinLast(of steps: inout [Step], manifest: Int) {
    let index = steps.count - 1
    guard steps[index].isTransfer, steps[index].conflict == nil else { return }
    let entry = steps[index].entry
    let hosts = hosts[manifest]
    let request = entry.requestHash(hosts: hosts)
    if let leader = leader(of: entry, request: request, hosts: hosts, in: steps) {
      steps[index].action = .place
      steps[index].reason = .sameContent
      steps[index].byteCount = steps[index].byteCount ?? steps[leader].byteCount
      steps[index].resumedByteCount = 0
      steps[index].leader = leader
      return
    }
    let newLeader = Leader(step: index, hosts: hosts)
    for digest in entry.digests where digest.algorithm.isStrong {
      byDigest.keepFirst(newLeader, for: digest.shortHash)
    }
    byRequest.keepFirst(newLeader, for: request)
  }

  private func leader(of entry: Entry, request: Int, hosts: Int, in steps: [Step]) -> Int? {
    for digest in entry.digests where digest.algorithm.isStrong {
      if let leader = byDigest[digest.shortHash]?.step,
        steps[leader].entry.digests.contains(digest), steps[leader].entry.agrees(with: entry)
      {
        return leader
      }
    }
    guard let leader = byRequest[request], leader.hosts == hosts,
      steps[leader.step].entry.asksTheSame(as: entry), steps[leader.step].entry.agrees(with: entry)
    else { return nil }
    return leader.step
  }
}

extension Dictionary {
  fileprivate mutating func keepFirst(_ value: Value, for key: Key) {
    if self[key] == nil { self[key] = value }
  }
}

extension Digest {
  /// Its first bytes: of a strong digest they are as good as any hash.
  fileprivate var shortHash: Int {
    bytes.prefix(8).reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Entry {
  fileprivate func requestHash(hosts: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(hosts)
    for source in sources {
      switch source {
      case .remote(let url): hasher.combine(url.text)
      case .local(let path): hasher.combine(path)
      }
    }
    hasher.combine(headers)
    return hasher.finalize()
  }

  fileprivate func asksTheSame(as other: Entry) -> Bool {
    sources == other.sources && headers == other.headers
  }

  /// Whether one file can be what both entries describe.
  fileprivate func agrees(with other: Entry) -> Bool {
    if let size, let otherSize = other.size, size != otherSize { return false }
    return digests.allSatisfy { digest in
      other.digests.allSatisfy { $0.algorithm != digest.algorithm || $0 == digest }
    }
  }
}
