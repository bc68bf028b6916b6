import BulkgetKit
import Testing

@Suite struct PlannerPurityTests {
  /// Entries of every kind: cached, damaged, partial, shared and missing ones.
  private func world(count: Int) throws -> (Manifest, CacheSnapshot) {
    var cache = CacheSnapshot()
    var entries: [Entry] = []
    for index in 0..<count {
      let id = "file-\(index)"
      let digests = index % 5 == 4 ? [try Digest.sample(.sha256, UInt8(index % 7))] : []
      entries.append(try .sample(id, digests: digests, destination: "d/\(id)"))
      var file = CacheSnapshot.File()
      if index % 3 != 0 {
        file.record = try .sample(id)
        file.observation = .sample
      }
      if index % 4 == 1 { file.observation?.size -= 1 }
      if index % 4 == 2 { file.observation?.modificationTime += 1 }
      if index % 6 == 0 { file.partial = .sample(id) }
      cache.files[FileKey(namespace: "default", id: id)] = file
    }
    return (Manifest(path: "m", entries: entries), cache)
  }

  private func plan(_ manifest: Manifest, _ cache: CacheSnapshot) -> Plan {
    let configuration = Configuration(cacheDirectory: "/none", outputDirectory: "/none/out")
    return Planner(configuration: configuration, now: PlanWorld.now).plan(
      manifests: [manifest], cache: cache, destinations: DestinationSnapshot())
  }

  @Test func B110_theSameValuesGiveTheSamePlan() throws {
    let (manifest, cache) = try world(count: 500)
    let first = plan(manifest, cache)
    let second = plan(manifest, cache)
    #expect(first.steps.map(\.summary) == second.steps.map(\.summary))
    #expect(Set(first.steps.map(\.action)) == [.download, .resume, .place, .rehash])
  }

  @Test func stepsAreInTheManifestsOrder() throws {
    let (manifest, cache) = try world(count: 500)
    #expect(plan(manifest, cache).steps.map(\.entry.key) == manifest.entries.map(\.key))
  }

  @Test func leadersComeBeforeTheirFollowersAndFetch() throws {
    let (manifest, cache) = try world(count: 500)
    let steps = plan(manifest, cache).steps
    let followers = steps.enumerated().filter { $1.leader != nil }
    #expect(!followers.isEmpty)
    for (index, step) in followers {
      let leader = try #require(step.leader)
      #expect(leader < index)
      #expect(steps[leader].isTransfer)
    }
  }

  @Test func B112_aHundredThousandEntriesArePlanned() throws {
    let sample = try Entry.sample("a", digests: [.sample(.md5)])
    let entries = (0..<100_000).map { index in
      var entry = sample
      entry.key = FileKey(namespace: "default", id: "\(index)")
      entry.sources = [.local(path: "/srv/\(index)")]
      return entry
    }
    let totals = plan(Manifest(path: "m", entries: entries), CacheSnapshot()).totals
    #expect(totals.actions == [.download: 100_000])
  }

  @Test func totalsAddUp() throws {
    let (manifest, cache) = try world(count: 500)
    let totals = plan(manifest, cache).totals
    #expect(totals.actions.values.reduce(0, +) == totals.files)
  }

  @Test(arguments: [
    (Step.Action.download, true), (.resume, true), (.rehash, true), (.place, true),
    (.revalidate, false), (.keep, false), (.skip, false),
  ])
  func someActionsAreWork(action: Step.Action, isWork: Bool) throws {
    var step = Step(entry: try .sample("a"), action: action, reason: .current)
    #expect(Plan(manifests: [], steps: [step]).hasWork == isWork)
    step.conflict = Failure(.destinationConflict, "m")
    #expect(Plan(manifests: [], steps: [step]).hasWork)
  }

  @Test func bytesToFetchLeaveOutWhatIsThere() throws {
    var resumed = Step(entry: try .sample("a"), action: .resume, reason: .partial, byteCount: 100)
    resumed.resumedByteCount = 40
    let fetched = Step(entry: try .sample("b"), action: .download, reason: .missing, byteCount: 7)
    let unknown = Step(entry: try .sample("c"), action: .download, reason: .missing)
    let kept = Step(entry: try .sample("d"), action: .keep, reason: .current, byteCount: 1000)
    var failing = fetched
    failing.conflict = Failure(.destinationConflict, "m")
    let skipped = Step(entry: try .sample("e"), action: .skip, reason: .notSelected, byteCount: 5)
    let totals = PlanTotals(of: [resumed, fetched, unknown, kept, failing, skipped])
    #expect(totals.transferByteCount == 67)
    #expect(totals.unknownSizes == 1)
    #expect(totals.conflicts == 1)
    #expect(totals.byteCount == 1114)
  }

  @Test func sizesBeyondAllMeasureDoNotOverflow() throws {
    let step = Step(entry: try .sample("a"), action: .download, reason: .missing, byteCount: .max)
    #expect(PlanTotals(of: [step, step]).byteCount == .max)
  }
}

extension Step {
  /// What can be compared without comparing entries.
  fileprivate var summary: String {
    "\(action) \(reason) \(leader ?? -1) \(resumedByteCount) \(byteCount ?? -1)"
  }
}
