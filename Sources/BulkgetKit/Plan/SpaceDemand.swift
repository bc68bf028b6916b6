import BulkgetSystem

/// How many bytes a plan is going to write, as far as sizes are known. Pure.
struct SpaceDemand: Hashable, Sendable {
  /// In the cache: what is to be fetched, without what is there already.
  private(set) var cacheByteCount: Int64 = 0
  /// Below the output directory.
  private(set) var outputByteCount: Int64 = 0

  init(of plan: Plan, _ mode: LinkMode = .auto) {
    for step in plan.steps where step.conflict == nil && step.action != .skip {
      let size = step.byteCount ?? 0
      if step.isTransfer, step.leader == nil {
        cacheByteCount.addSaturating(max(0, size - step.resumedByteCount))
      }
      let isPlaced = step.isTransfer || step.action == .place
      let takesRoom = mode.mode(for: step.entry).takesRoom
      if isPlaced, takesRoom, step.entry.destination != nil { outputByteCount.addSaturating(size) }
    }
  }

  /// What there is no room for; nil where all of it fits, or nobody can tell.
  ///
  /// What is replaced is not counted as room: the old file goes when the new one is there.
  ///
  /// - Parameter sharesBlocks: whether a copy in the cache's file system takes no room; asked only where that matters.
  func shortage(
    cache: FileSystemSpace, output: FileSystemSpace, sharesBlocks: () -> Bool
  ) -> Shortage? {
    var needed = [(role: Shortage.Role.cache, byteCount: cacheByteCount, space: cache)]
    if cache.device != output.device {
      needed.append((.output, outputByteCount, output))
    } else {
      needed[0].byteCount.addSaturating(outputByteCount)
    }
    for (role, byteCount, space) in needed {
      guard let available = space.byteCount, byteCount > available else { continue }
      let isForCopies = role == .cache && cacheByteCount <= available
      if isForCopies, sharesBlocks() { continue }
      return Shortage(role: role, needed: byteCount, available: available)
    }
    return nil
  }

  /// Too little room.
  struct Shortage: Hashable, Sendable {
    enum Role: Sendable { case cache, output }
    /// Which directory's file system has too little.
    var role: Role
    /// In bytes.
    var needed: Int64
    /// In bytes.
    var available: Int64
  }
}

extension SpaceDemand.Shortage {
  /// What ends the run.
  func failure(_ configuration: Configuration) -> Failure {
    let (path, option) =
      switch role {
      case .cache: (configuration.cacheDirectory, "--cache")
      case .output: (configuration.outputDirectory, "--out")
      }
    return Failure(
      .diskFull,
      """
      the plan needs \(needed) bytes and the file system of `\(path)` has \(available) left; make room \
      (`bulkget cache prune` helps with the cache), or choose another directory with `\(option)`
      """)
  }
}
