import BulkgetKit
import Testing

/// What a plan says about places where nothing can be put, and about other things worth a word.
@Suite struct PlannerConflictTests {
  @Test(arguments: [
    (
      DestinationSnapshot.Obstacle.directory,
      "cannot place `/out/a.bin`: a directory is there; remove it, or change `dest`"
    ),
    (
      .specialFile,
      "cannot place `/out/a.bin`: what is there is no regular file; remove it, or change `dest`"
    ),
    (
      .parentIsNoDirectory(path: "/out/f"),
      "cannot place `/out/a.bin`: `/out/f` is no directory; remove it, or change `dest`"
    ),
    (
      .leavesOutputDirectory(link: "/out/l"),
      "cannot place `/out/a.bin`: the symbolic link `/out/l` leads out of the output directory"
    ),
    (
      .reserved,
      "cannot place `/out/a.bin`: it belongs to a manifest, the report or the cache; change `dest`"
    ),
  ])
  func anObstacleIsADestinationConflict(
    obstacle: DestinationSnapshot.Obstacle, message: String
  ) throws {
    var world = try PlanWorld()
    world.place = .init(obstacle: obstacle)
    #expect(try world.step().conflict == Failure(.destinationConflict, message))
  }

  @Test func anObstacleCountsAlsoWhereTheRightFileIsThere() throws {
    var world = try PlanWorld()
    world.place.obstacle = .leavesOutputDirectory(link: "/out/l")
    let step = try world.step()
    #expect(step.action == .keep)
    #expect(step.conflict?.code == .destinationConflict)
  }

  @Test(arguments: [(true, Failure.Code.permissionDenied), (false, .io)])
  func aPlaceThatCannotBeExaminedFails(isPermission: Bool, code: Failure.Code) throws {
    var world = try PlanWorld()
    world.place = .init(obstacle: .unreadable(message: "m", isPermission: isPermission))
    #expect(try world.step().conflict == Failure(code, "m"))
  }

  @Test func aReadOnlyDirectoryIsNoConflictWhereTheRightFileIsThere() throws {
    var world = try PlanWorld()
    world.place.obstacle = .unwritable(directory: "/out")
    #expect(try world.step().conflict == nil)
  }

  @Test(arguments: [true, false])
  func aReadOnlyDirectoryIsAConflictWhereAFileHasToBePlaced(isCached: Bool) throws {
    var world = try PlanWorld()
    if !isCached { world.file = CacheSnapshot.File() }
    world.place = .init(obstacle: .unwritable(directory: "/out"))
    let message = """
      cannot place `/out/a.bin`: no permission to create files in `/out`; change its permissions, or choose another \
      directory with `--out`
      """
    #expect(try world.step().conflict == Failure(.permissionDenied, message))
  }

  @Test func aReadOnlyDirectoryIsNoConflictForAFileThatIsAdopted() throws {
    var world = try PlanWorld(digests: [.sample(.sha256)])
    world.file = CacheSnapshot.File()
    world.place.obstacle = .unwritable(directory: "/out")
    let step = try world.step()
    #expect(step.adoptsDestination)
    #expect(step.conflict == nil)
  }

  @Test func entriesWithoutDestinationHaveNoConflict() throws {
    var world = try PlanWorld(destination: nil)
    world.empty()
    #expect(try world.step().conflict == nil)
  }

  @Test func offlineWhatIsNotCachedFails() throws {
    var world = try PlanWorld()
    world.empty()
    world.configuration.isOffline = true
    #expect(try world.step().conflict?.code == .offline)
    world.entry.sources.append(.local(path: "/srv/a.bin"))
    #expect(try world.step().conflict == nil)
  }

  @Test func offlineWhatIsCachedIsUsed() throws {
    var world = try PlanWorld()
    world.configuration.isOffline = true
    #expect(try world.step().conflict == nil)
  }

  @Test func replacingTheFileOfAnotherURLSuggestsANamespace() throws {
    var world = try PlanWorld()
    world.file.record?.url = "https://example.org/old.bin"
    let warning = try #require(try world.step().warnings.first)
    #expect(warning.code == "replaces-other-url")
    #expect(warning.message.contains("`https://example.org/old.bin`"))
    #expect(warning.message.contains("`namespace`"))
  }

  @Test func aFirstDownloadReplacesNothing() throws {
    var world = try PlanWorld()
    world.file.record?.url = "https://example.org/old.bin"
    world.file.observation = nil
    #expect(try world.step().warnings.isEmpty)
  }

  @Test func B026_aLostResumeRecordIsWorthAWord() throws {
    var world = try PlanWorld(digests: [.sample(.sha256)])
    world.empty()
    world.file.partial = .init(byteCount: 2_000_000, record: nil)
    let step = try world.step()
    #expect(step.action == .resume)
    #expect(step.warnings.map(\.code) == ["damaged-partial"])
  }

  @Test func warningsOfManifestsAndCacheAreThePlans() throws {
    var manifest = Manifest(path: "m")
    manifest.warnings = [Notice(code: "one", message: "1")]
    var cache = CacheSnapshot()
    cache.warnings = [Notice(code: "two", message: "2")]
    let configuration = Configuration(cacheDirectory: "/cache", outputDirectory: "/out")
    let plan = Planner(configuration: configuration, now: 0).plan(
      manifests: [manifest], cache: cache, destinations: DestinationSnapshot())
    #expect(plan.warnings.map(\.code) == ["one", "two"])
    #expect(plan.steps.isEmpty)
    #expect(!plan.hasWork)
  }
}
