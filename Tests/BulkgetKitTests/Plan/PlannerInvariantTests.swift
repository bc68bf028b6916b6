import BulkgetKit
import Testing

/// Every combination of what can be wanted and what can be there, against rules that no single table shows.
@Suite struct PlannerInvariantTests {
  /// One combination; each field chooses one of a few variants.
  struct Combination {
    var digests = 0
    var url = 0
    var cached = 0
    var partial = 0
    var place = 0
    var option = 0
    var content = 0

    static let counts = [5, 2, 6, 3, 4, 6, 2]

    static var all: [Combination] {
      let total = counts.reduce(1, *)
      return (0..<total).map { number in
        var rest = number
        let fields = counts.map { count in
          defer { rest /= count }
          return rest % count
        }
        return Combination(
          digests: fields[0], url: fields[1], cached: fields[2], partial: fields[3],
          place: fields[4], option: fields[5], content: fields[6])
      }
    }

    func world() throws -> PlanWorld {
      var world = try PlanWorld()
      let strong = try Digest.sample(.sha256)
      world.entry.digests =
        [
          [], [strong], [try .sample(.sha256, 2)], [try .sample(.md5)], [try .sample(.sha512)],
        ][digests]
      if url == 1 { world.file.record?.url = "https://example.org/old.bin" }
      switch cached {
      case 1: world.file.observation?.modificationTime += 1
      case 2: world.file.observation?.size -= 1
      case 3: world.file.record = nil
      case 4: world.file.observation = nil
      case 5: world.file = CacheSnapshot.File()
      default: break
      }
      world.file.partial = [nil, .sample(), .sample(byteCount: 1000)][partial]
      world.place =
        [
          world.place, .init(), .init(observation: .init(size: 1, modificationTime: 1)),
          .init(obstacle: .directory),
        ][place]
      if content == 1 {
        let byte = world.entry.digests.first == strong ? UInt8(1) : 2
        world.content = [try .sample(.sha256, byte): try .sample("other", byte: byte)]
      }
      setOption(of: &world)
      return world
    }

    private func setOption(of world: inout PlanWorld) {
      switch option {
      case 1: world.configuration.downloadsEverything = true
      case 2: world.configuration.refreshesEverything = true
      case 3: world.configuration.verifiesCachedFiles = true
      case 4: world.configuration.isOffline = true
      case 5: world.entry.freshness = .revalidate
      default: break
      }
    }
  }

  /// One combination and what was planned for it.
  struct Example {
    var combination: Combination
    var world: PlanWorld
    var step: Step

    var entry: Entry { world.entry }
    /// The recorded URL is none of the entry's.
    var isOtherURL: Bool { combination.url == 1 }
    var isBlocked: Bool { combination.place == 3 }
    var isForced: Bool { combination.option == 1 }
    var isOffline: Bool { combination.option == 4 }
    /// The cached bytes are used as they are, because size and time say so.
    var trustsTheCache: Bool { [.keep, .place, .revalidate].contains(step.action) }
    var usesOtherId: Bool { step.record.map { $0.key != entry.key } ?? false }
  }

  private static let examples = Result {
    try Combination.all.map { combination in
      let world = try combination.world()
      return Example(combination: combination, world: world, step: try world.step())
    }
  }

  /// Every example that meets `condition` has to meet `rule`, and there has to be one.
  private func expect(
    where condition: (Example) -> Bool = { _ in true }, _ rule: (Example) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let concerned = try Self.examples.get().filter(condition)
    #expect(!concerned.isEmpty, sourceLocation: sourceLocation)
    let violations = concerned.filter { !rule($0) }.prefix(3).map {
      "\($0.combination): \($0.step.action) \($0.step.reason)"
    }
    #expect(violations == [], sourceLocation: sourceLocation)
  }

  private static let reasons: [Step.Action: Set<Step.Reason>] = [
    .download: [.missing, .urlChanged, .checksumChanged, .sizeChanged, .damaged, .forced],
    .resume: [.partial],
    .rehash: [.timeChanged, .unindexed, .digestUnrecorded, .asked],
    .revalidate: [.stale],
    .place: [.destinationMissing, .destinationDiffers, .sameContent, .renamed],
    .keep: [.current, .sameContent],
    .skip: [.notSelected],
  ]

  @Test func actionsHaveTheReasonsOfTheDocumentation() throws {
    try expect { Self.reasons[$0.step.action]?.contains($0.step.reason) == true }
  }

  @Test func forcedIsForcedWhateverIsThere() throws {
    try expect { ($0.step.reason == .forced) == $0.isForced }
    try expect(where: \.isForced) { $0.step.action == .download }
  }

  @Test func whatIsUsedUnhashedHasTheRecordedSizeAndTime() throws {
    try expect(where: { $0.trustsTheCache && !$0.usesOtherId }) { example in
      let seen = example.world.file.observation
      return seen?.size == example.step.record?.size
        && seen?.modificationTime == example.step.record?.modificationTime
    }
  }

  @Test func whatIsUsedUnhashedHasEveryWantedDigest() throws {
    try expect(where: \.trustsTheCache) { example in
      let recorded = example.step.record?.digests ?? []
      return !recorded.isEmpty && example.entry.digests.allSatisfy(recorded.contains)
    }
  }

  @Test func withoutADigestOnlyTheRecordedURLCounts() throws {
    try expect(where: { $0.isOtherURL && $0.entry.digests.isEmpty }) { $0.step.isTransfer }
  }

  @Test func anotherIdsBytesCountOnlyWithAStrongDigest() throws {
    try expect(where: \.usesOtherId) { example in
      let recorded = example.step.record?.digests ?? []
      return example.entry.digests.contains { $0.algorithm.isStrong && recorded.contains($0) }
    }
  }

  @Test func contentThatIsInTheCacheIsNeverFetched() throws {
    try expect { example in
      guard let digest = example.entry.digests.first, example.world.content[digest] != nil else {
        return true
      }
      return example.isForced || !example.step.isTransfer
    }
  }

  @Test func nothingIsKeptWhileTheDestinationIsWrong() throws {
    try expect(where: { $0.step.action == .keep && !$0.isBlocked }) { $0.combination.place == 0 }
  }

  @Test func anObstacleIsAConflictWhateverIsDone() throws {
    try expect { ($0.step.conflict?.code == .destinationConflict) == $0.isBlocked }
  }

  @Test func offlineNothingIsAskedAndWhatIsMissingFails() throws {
    try expect(where: \.isOffline) { $0.step.action != .revalidate && !$0.step.isStale }
    try expect(where: { $0.isOffline && $0.step.isTransfer }) { $0.step.conflict != nil }
    try expect(where: { !$0.isOffline && !$0.isBlocked }) { $0.step.conflict == nil }
  }

  @Test func onlyWhatMayBeUsedIsAskedAbout() throws {
    try expect(where: \.step.isStale) { example in
      [.revalidate, .rehash].contains(example.step.action)
        && [2, 3, 5].contains(example.combination.option) && !example.isOtherURL
    }
    try expect(where: { $0.step.action == .revalidate }, \.step.isStale)
  }

  @Test func proofNeedsNoQuestionUnlessRefreshed() throws {
    try expect(where: {
      $0.combination.option == 5 && $0.entry.digests.contains(where: \.algorithm.isStrong)
    }) { $0.step.action != .revalidate && !$0.step.isStale }
  }

  @Test func resumesAreLargeEnoughAndNothingElseGoesOnFromAByte() throws {
    try expect(where: { $0.step.action == .resume }) {
      $0.combination.partial == 1 && $0.step.resumedByteCount == 2_000_000
    }
    try expect(where: { $0.step.action != .resume }) { $0.step.resumedByteCount == 0 }
  }

  @Test func onlyAnEmptyCacheAdoptsADestination() throws {
    try expect(where: \.step.adoptsDestination) { example in
      example.step.reason == .unindexed && example.world.file.observation == nil
        && example.world.place.observation != nil && !example.entry.digests.isEmpty
    }
  }

  @Test func sizesAreUnknownOnlyBeforeADownload() throws {
    try expect(where: { $0.step.byteCount == nil }) { $0.step.action == .download }
  }

  @Test func damageAlwaysWarns() throws {
    try expect(where: { $0.step.reason == .damaged }) { example in
      example.step.warnings.contains { $0.code == "damaged" }
    }
  }

  @Test func planningTwiceGivesTheSame() throws {
    try expect { example in
      guard let again = try? example.world.step() else { return false }
      return again.action == example.step.action && again.reason == example.step.reason
        && again.conflict == example.step.conflict && again.warnings == example.step.warnings
    }
  }
}
