import BulkgetKit
import Testing

/// Content that is there already, under another URL, another id or at the destination.
@Suite struct PlannerContentTests {
  private func world(_ digests: [Digest]) throws -> PlanWorld { try PlanWorld(digests: digests) }

  private func withOther(_ digest: Digest, _ record: CacheRecord) throws -> PlanWorld {
    var world = try PlanWorld(digests: [digest])
    world.empty()
    world.content = [digest: record]
    return world
  }

  @Test(arguments: [(true, Step.Action.place), (false, .keep)])
  func B038_aNewURLWithAnOldDigestIsSameContent(isDeleted: Bool, action: Step.Action) throws {
    var world = try world([.sample(.sha256)])
    world.file.record?.url = "https://example.org/v1/a.bin"
    world.file.record?.finalURL = "https://cdn.example.org/v1/a.bin"
    if isDeleted { world.place.observation = nil }
    let step = try world.step()
    #expect(step.action == action)
    #expect(step.reason == .sameContent)
    #expect(step.record?.finalURL == "https://cdn.example.org/v1/a.bin")
    #expect(step.warnings.isEmpty)
  }

  @Test func refreshingAsksNoOtherURLAboutProvedContent() throws {
    var world = try world([.sample(.sha256)])
    world.configuration.refreshesEverything = true
    world.file.record?.url = "https://example.org/v1/a.bin"
    let step = try world.step()
    #expect(step.action == .keep)
    #expect(step.reason == .sameContent)
  }

  @Test func verifyingHashesBeforeItAsks() throws {
    var world = try world([])
    world.configuration.verifiesCachedFiles = true
    world.entry.freshness = .revalidate
    let step = try world.step()
    #expect(step.action == .rehash)
    #expect(step.reason == .asked)
    #expect(step.isStale)
  }

  @Test func aNewURLWithAnOldWeakDigestIsSameContentUnderTheSameId() throws {
    var world = try world([.sample(.md5)])
    world.file.record?.url = "https://example.org/v1/a.bin"
    let step = try world.step()
    #expect(step.action == .keep)
    #expect(step.reason == .sameContent)
  }

  @Test func aNewURLAndTypeIsSameContentAndPlacedUnderTheNewName() throws {
    var world = try world([.sample(.sha256)])
    world.file.record?.url = "https://example.org/v1/a.dat"
    world.file.record?.type = FileType("dat")
    let step = try world.step()
    #expect(step.action == .place)
    #expect(step.reason == .sameContent)
  }

  @Test(arguments: [DigestAlgorithm.sha256, .sha384, .sha512])
  func aStrongDigestIsFoundUnderAnyId(algorithm: DigestAlgorithm) throws {
    let digest = try Digest.sample(algorithm)
    var record = try CacheRecord.sample("other")
    record.digests = [digest]
    let step = try withOther(digest, record).step()
    #expect(step.action == .place)
    #expect(step.reason == .sameContent)
    #expect(step.record?.key.id == "other")
    #expect(step.byteCount == PlanWorld.size)
  }

  @Test(arguments: [DigestAlgorithm.md5, .sha1])
  func aWeakDigestNeverMatchesAcrossIds(algorithm: DigestAlgorithm) throws {
    let digest = try Digest.sample(algorithm)
    var record = try CacheRecord.sample("other")
    record.digests = [digest]
    let step = try withOther(digest, record).step()
    #expect(step.action == .download)
    #expect(step.reason == .missing)
  }

  @Test func aChangedDigestThatIsElsewhereInTheCacheIsPlaced() throws {
    var world = try world([.sample(.sha256, 2)])
    world.content = [try .sample(.sha256, 2): try .sample("other", byte: 2)]
    let step = try world.step()
    #expect(step.action == .place)
    #expect(step.reason == .sameContent)
  }

  @Test func intactContentElsewhereIsBetterThanHashingWhatMayBeDamaged() throws {
    var world = try world([.sample(.sha256)])
    world.file.observation?.modificationTime += 1
    world.content = [try .sample(.sha256): try .sample("other")]
    let step = try world.step()
    #expect(step.action == .place)
    #expect(step.record?.key.id == "other")
  }

  @Test func contentThatContradictsAnotherGivenDigestIsNotTaken() throws {
    var world = try withOther(.sample(.sha256), .sample("other"))
    world.entry.digests.append(try .sample(.md5, 9))
    #expect(try world.step().action == .download)
  }

  @Test func contentOfAnotherSizeIsNotTaken() throws {
    var world = try withOther(.sample(.sha256), .sample("other"))
    world.entry.size = 5
    #expect(try world.step().action == .download)
  }

  @Test func contentElsewhereIsHashedWhereAFurtherDigestIsUnrecorded() throws {
    var world = try withOther(.sample(.sha256), .sample("other"))
    world.entry.digests.append(try .sample(.sha1))
    let step = try world.step()
    #expect(step.action == .rehash)
    #expect(step.reason == .digestUnrecorded)
    #expect(step.record?.key.id == "other")
  }

  @Test func contentElsewhereIsHashedWhenAsked() throws {
    var world = try withOther(.sample(.sha256), .sample("other"))
    world.configuration.verifiesCachedFiles = true
    let step = try world.step()
    #expect(step.action == .rehash)
    #expect(step.reason == .asked)
    #expect(step.record?.key.id == "other")
  }

  @Test func forcedTakesNothingFromTheCache() throws {
    var world = try withOther(.sample(.sha256), .sample("other"))
    world.configuration.downloadsEverything = true
    #expect(try world.step().reason == .forced)
  }

  @Test(arguments: [DigestAlgorithm.sha256, .md5])
  func B029_aFileAtTheDestinationIsHashedBeforeItIsFetched(algorithm: DigestAlgorithm) throws {
    var world = try world([.sample(algorithm)])
    world.file = CacheSnapshot.File()
    let step = try world.step()
    #expect(step.action == .rehash)
    #expect(step.reason == .unindexed)
    #expect(step.adoptsDestination)
    #expect(step.byteCount == PlanWorld.size)
  }

  @Test func B029_withoutADigestAFileOfUnknownOriginIsFetched() throws {
    var world = try world([])
    world.file = CacheSnapshot.File()
    world.entry.size = PlanWorld.size
    let step = try world.step()
    #expect(step.action == .download)
    #expect(step.reason == .missing)
    #expect(!step.adoptsDestination)
  }

  @Test(arguments: [
    FileObservation(size: 3, modificationTime: 0),
    FileObservation(kind: .symbolicLink, size: PlanWorld.size, modificationTime: 0),
  ])
  func whatCannotBeTheWantedFileIsNotHashed(observation: FileObservation) throws {
    var world = try world([.sample(.sha256)])
    world.file = CacheSnapshot.File()
    world.entry.size = PlanWorld.size
    world.place.observation = observation
    #expect(try world.step().action == .download)
  }

  @Test func aDestinationIsNotAdoptedWhileTheCacheHasTheEntry() throws {
    var world = try world([.sample(.sha256, 2)])
    world.place.observation?.modificationTime += 1
    let step = try world.step()
    #expect(step.action == .download)
    #expect(step.reason == .checksumChanged)
  }

  @Test func hashingComesBeforeAskingTheServer() throws {
    var world = try world([])
    world.entry.freshness = .revalidate
    world.file.observation?.modificationTime += 1
    let step = try world.step()
    #expect(step.action == .rehash)
    #expect(step.isStale)
  }

  @Test func hashedBytesOfAnotherURLAreNotAskedAbout() throws {
    var world = try world([.sample(.md5)])
    world.entry.freshness = .revalidate
    world.file.record?.url = "https://example.org/old.bin"
    world.file.observation?.modificationTime += 1
    let step = try world.step()
    #expect(step.action == .rehash)
    #expect(!step.isStale)
  }
}
