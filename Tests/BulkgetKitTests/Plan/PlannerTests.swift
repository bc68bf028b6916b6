import BulkgetKit
import Testing

/// One change to an entry that is in place, and what follows from it.
struct PlannerCase: Sendable, CustomTestStringConvertible {
  var name: String
  var action: Step.Action
  var reason: Step.Reason
  var change: @Sendable (inout PlanWorld) throws -> Void

  init(
    _ name: String, _ action: Step.Action, _ reason: Step.Reason,
    _ change: @escaping @Sendable (inout PlanWorld) throws -> Void = { _ in }
  ) {
    self.name = name
    self.action = action
    self.reason = reason
    self.change = change
  }

  var testDescription: String { name }

  func check() throws {
    var world = try PlanWorld()
    try change(&world)
    let step = try world.step()
    #expect(step.action == action)
    #expect(step.reason == reason)
  }
}

@Suite struct PlannerTests {
  @Test(arguments: [
    PlannerCase("nothing is there", .download, .missing) { $0.empty() },
    PlannerCase("the cached file is gone", .download, .missing) { $0.file.observation = nil },
    PlannerCase("an unknown file without a digest", .download, .missing) { $0.file.record = nil },
    PlannerCase("an unknown file of another size than wanted", .download, .missing) {
      $0.file.record = nil
      $0.entry.digests = [try .sample(.sha256)]
      $0.entry.size = 5
    },
    PlannerCase("another URL without a digest", .download, .urlChanged) {
      $0.file.record?.url = "https://example.org/old.bin"
    },
    PlannerCase("another digest", .download, .checksumChanged) {
      $0.entry.digests = [try .sample(.sha256, 2)]
    },
    PlannerCase("one of two digests is another", .download, .checksumChanged) {
      $0.entry.digests = [try .sample(.sha256), try .sample(.md5, 2)]
    },
    PlannerCase("another weak digest", .download, .checksumChanged) {
      $0.entry.digests = [try .sample(.md5, 2)]
    },
    PlannerCase("another size", .download, .sizeChanged) { $0.entry.size = 5 },
    PlannerCase("another size than that of the wanted digest", .download, .sizeChanged) {
      $0.entry.digests = [try .sample(.sha256)]
      $0.entry.size = 5
    },
    PlannerCase("forced, although everything is right", .download, .forced) {
      $0.configuration.downloadsEverything = true
    },
    PlannerCase("forced wins over refresh and verify", .download, .forced) {
      $0.configuration.downloadsEverything = true
      $0.configuration.refreshesEverything = true
      $0.configuration.verifiesCachedFiles = true
    },
    PlannerCase("forced does not resume", .download, .forced) {
      $0.configuration.downloadsEverything = true
      $0.file.partial = .sample()
    },
    PlannerCase("without any digest a changed time proves nothing", .download, .damaged) {
      $0.file.record?.digests = []
      $0.file.observation?.modificationTime += 1
    },
    PlannerCase("a digest is wanted and an unknown thing is no file", .download, .damaged) {
      $0.file.record = nil
      $0.file.observation?.kind = .symbolicLink
      $0.entry.digests = [try .sample(.sha256)]
    },
  ])
  func downloads(_ example: PlannerCase) throws { try example.check() }

  @Test(arguments: [
    PlannerCase("halved", .download, .damaged) { $0.file.observation?.size /= 2 },
    PlannerCase("one byte changed, size and time restored", .rehash, .asked) {
      $0.configuration.verifiesCachedFiles = true
    },
    PlannerCase("emptied", .download, .damaged) { $0.file.observation?.size = 0 },
    PlannerCase("a directory in its place", .download, .damaged) {
      $0.file.observation?.kind = .directory
    },
    PlannerCase("unreadable", .download, .damaged) { $0.file.observation?.isReadable = false },
  ])
  func B035_findsDamageInTheCache(_ example: PlannerCase) throws {
    var world = try PlanWorld(digests: [try .sample(.sha256)])
    world.place.observation = nil
    try example.change(&world)
    let step = try world.step()
    #expect(step.action == example.action)
    #expect(step.reason == example.reason)
    #expect(step.warnings.map(\.code) == (example.reason == .damaged ? ["damaged"] : []))
  }

  @Test(arguments: [
    PlannerCase("a strong validator and a total", .resume, .partial) {
      $0.empty()
      $0.file.partial = .sample()
    },
    PlannerCase("also where an older version is replaced", .resume, .partial) {
      $0.entry.digests = [try .sample(.sha256, 2)]
      $0.file.partial = .sample()
    },
    PlannerCase("a partial too small", .download, .missing) {
      $0.empty()
      $0.file.partial = .sample(byteCount: 1_048_575)
    },
    PlannerCase("a partial of another URL", .download, .missing) {
      $0.empty()
      $0.file.partial = .sample("b")
    },
    PlannerCase("a current file wins over a partial", .keep, .current) {
      $0.file.partial = .sample()
    },
  ])
  func resumes(_ example: PlannerCase) throws { try example.check() }

  @Test func tellsTheByteThatAResumeGoesOnFrom() throws {
    var world = try PlanWorld()
    world.empty()
    world.file.partial = .sample()
    let step = try world.step()
    #expect(step.resumedByteCount == 2_000_000)
    #expect(step.byteCount == PlanWorld.size)
  }

  @Test(arguments: [
    PlannerCase("the time changed", .rehash, .timeChanged) {
      $0.file.observation?.modificationTime += 1
    },
    PlannerCase("the time changed and a digest is unrecorded", .rehash, .timeChanged) {
      $0.file.observation?.modificationTime += 1
      $0.entry.digests = [try .sample(.sha512)]
    },
    PlannerCase("an unknown file and a digest", .rehash, .unindexed) {
      $0.file.record = nil
      $0.entry.digests = [try .sample(.sha256)]
    },
    PlannerCase("an unknown file and a weak digest", .rehash, .unindexed) {
      $0.file.record = nil
      $0.entry.digests = [try .sample(.md5)]
    },
    PlannerCase("an algorithm that was not recorded", .rehash, .digestUnrecorded) {
      $0.entry.digests = [try .sample(.sha512)]
    },
    PlannerCase("one of two algorithms was not recorded", .rehash, .digestUnrecorded) {
      $0.entry.digests = [try .sample(.sha256), try .sample(.sha512)]
    },
    PlannerCase("asked for", .rehash, .asked) { $0.configuration.verifiesCachedFiles = true },
  ])
  func rehashes(_ example: PlannerCase) throws { try example.check() }

  @Test(arguments: [
    PlannerCase("on each run", .revalidate, .stale) { $0.entry.freshness = .revalidate },
    PlannerCase("older than its age", .revalidate, .stale) {
      $0.entry.freshness = .maximumAge(.seconds(3599))
    },
    PlannerCase("as old as its age", .keep, .current) {
      $0.entry.freshness = .maximumAge(.seconds(3600))
    },
    PlannerCase("verified far in the future", .revalidate, .stale) {
      $0.entry.freshness = .maximumAge(.seconds(60))
      $0.file.record?.verifiedAt = PlanWorld.now + 61
    },
    PlannerCase("refreshed", .revalidate, .stale) { $0.configuration.refreshesEverything = true },
    PlannerCase("refreshed in spite of a strong digest", .revalidate, .stale) {
      $0.configuration.refreshesEverything = true
      $0.entry.digests = [try .sample(.sha256)]
    },
    PlannerCase("a strong digest needs no question", .keep, .current) {
      $0.entry.freshness = .revalidate
      $0.entry.digests = [try .sample(.sha256)]
    },
    PlannerCase("a weak digest does", .revalidate, .stale) {
      $0.entry.freshness = .revalidate
      $0.entry.digests = [try .sample(.md5)]
    },
    PlannerCase("a weak digest with another URL has nothing to ask about", .download, .urlChanged) {
      $0.entry.freshness = .revalidate
      $0.entry.digests = [try .sample(.md5)]
      $0.file.record?.url = "https://example.org/old.bin"
    },
    PlannerCase("nothing is cached", .download, .missing) {
      $0.entry.freshness = .revalidate
      $0.empty()
    },
    PlannerCase("the cached file is halved", .download, .damaged) {
      $0.entry.freshness = .revalidate
      $0.file.observation?.size /= 2
    },
    PlannerCase("no network", .keep, .current) {
      $0.entry.freshness = .revalidate
      $0.configuration.isOffline = true
    },
    PlannerCase("no network, but a local source", .revalidate, .stale) {
      $0.entry.freshness = .revalidate
      $0.entry.sources = [.local(path: "/srv/a.bin")]
      $0.file.record?.url = "/srv/a.bin"
      $0.configuration.isOffline = true
    },
  ])
  func revalidates(_ example: PlannerCase) throws { try example.check() }

  @Test(arguments: [
    PlannerCase("missing", .place, .destinationMissing) { $0.place.observation = nil },
    PlannerCase("another size", .place, .destinationDiffers) { $0.place.observation?.size += 1 },
    PlannerCase("another time", .place, .destinationDiffers) {
      $0.place.observation?.modificationTime += 1
    },
    PlannerCase("a symbolic link", .place, .destinationDiffers) {
      $0.place.observation?.kind = .symbolicLink
    },
    PlannerCase("execute bits are missing", .place, .destinationDiffers) {
      $0.entry.isExecutable = true
    },
    PlannerCase("execute bits are too many", .place, .destinationDiffers) {
      $0.place.observation?.isExecutable = true
    },
    PlannerCase("execute bits are right", .keep, .current) {
      $0.entry.isExecutable = true
      $0.place.observation?.isExecutable = true
    },
    PlannerCase("everything is right", .keep, .current),
    PlannerCase("no destination is wanted", .keep, .current) { $0.entry.destination = nil },
    PlannerCase("the type changed", .place, .renamed) { $0.entry.type = FileType("zip") },
    PlannerCase("the type changed without a destination", .place, .renamed) {
      $0.entry.type = nil
      $0.entry.destination = nil
    },
    PlannerCase("one of several URLs is the recorded one", .keep, .current) {
      $0.entry.sources.insert(.remote(try ResourceURL("https://mirror.example.org/a")), at: 0)
    },
    PlannerCase("a freshly signed URL is the same", .keep, .current) {
      $0.entry.sources = [
        .remote(try ResourceURL("https://user:pw@example.org/a.bin?X-Amz-Signature=1"))
      ]
    },
    PlannerCase("a local path is compared like a URL", .download, .urlChanged) {
      $0.entry.sources = [.local(path: "/srv/b.bin")]
      $0.file.record?.url = "/srv/a.bin"
    },
  ])
  func placesAndKeeps(_ example: PlannerCase) throws { try example.check() }
}
