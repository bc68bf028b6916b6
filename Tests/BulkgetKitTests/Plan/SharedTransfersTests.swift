import BulkgetKit
import Testing

@Suite struct SharedTransfersTests {
  private var configuration = Configuration(cacheDirectory: "/cache", outputDirectory: "/out")

  private func steps(
    _ entries: [Entry], cache: CacheSnapshot = CacheSnapshot(),
    destinations: DestinationSnapshot = DestinationSnapshot()
  ) -> [Step] {
    Planner(configuration: configuration, now: PlanWorld.now).plan(
      manifests: [Manifest(path: "m", entries: entries)], cache: cache, destinations: destinations
    ).steps
  }

  private func leaders(_ entries: [Entry]) -> [Int?] { steps(entries).map(\.leader) }

  private let url = "https://example.org/x.bin"

  @Test func B074_oneURLOrOneDigestIsOneTransfer() throws {
    var other = try Entry.sample("e", urls: [url])
    other.headers = [HeaderField(name: "Accept", value: "text/plain")]
    let steps = steps([
      try .sample("a", urls: [url], destination: "1"),
      try .sample("b", urls: [url], destination: "2"),
      try .sample("c", digests: [.sample(.sha256)]),
      try .sample("d", digests: [.sample(.sha256)]),
      other,
    ])
    #expect(steps.map(\.action) == [.download, .place, .download, .place, .download])
    #expect(steps.map(\.leader) == [nil, 0, nil, 2, nil])
    #expect(steps[1].reason == .sameContent)
    #expect(steps[3].reason == .sameContent)
    #expect(steps[1].record == nil)
  }

  @Test func aWeakDigestIsNoReasonToShare() throws {
    #expect(
      leaders([
        try .sample("a", digests: [.sample(.md5)]), try .sample("b", digests: [.sample(.md5)]),
      ]) == [nil, nil])
  }

  @Test func entriesThatContradictEachOtherDoNotShare() throws {
    #expect(
      leaders([
        try .sample("a", urls: [url], digests: [.sample(.md5, 1)]),
        try .sample("b", urls: [url], digests: [.sample(.md5, 2)]),
      ]) == [nil, nil])
    #expect(
      leaders([
        try .sample("a", digests: [.sample(.sha256), .sample(.sha1, 1)]),
        try .sample("b", digests: [.sample(.sha256), .sample(.sha1, 2)]),
      ]) == [nil, nil])
    var small = try Entry.sample("a", urls: [url])
    small.size = 1
    var large = try Entry.sample("b", urls: [url])
    large.size = 2
    #expect(leaders([small, large]) == [nil, nil])
  }

  @Test func aDigestThatOnlyOneGivesIsNoContradiction() throws {
    #expect(
      leaders([
        try .sample("a", urls: [url]),
        try .sample("b", urls: [url], digests: [.sample(.sha256)]),
      ]) == [nil, 0])
  }

  @Test func aMirrorThatOnlyOneNamesPreventsSharing() throws {
    #expect(
      leaders([
        try .sample("a", urls: [url, "https://mirror.example.org/x.bin"]),
        try .sample("b", urls: [url]),
      ]) == [nil, nil])
  }

  @Test func headersShareOnlyWithTheSameHeaders() throws {
    let entries = try ["a", "b", "c", "d"].enumerated().map { index, id in
      var entry = try Entry.sample(id, urls: [url])
      if index % 2 == 1 { entry.headers = [HeaderField(name: "Accept", value: "text/plain")] }
      return entry
    }
    #expect(leaders(entries) == [nil, nil, 0, 1])
  }

  @Test func differentUserInformationPreventsSharing() throws {
    #expect(
      leaders([
        try .sample("a", urls: ["https://u:1@example.org/x"]),
        try .sample("b", urls: ["https://u:2@example.org/x"]),
      ]) == [nil, nil])
  }

  @Test func aStepThatCannotSucceedLeadsNobody() throws {
    var destinations = DestinationSnapshot()
    destinations.places[try DestinationPath("1")] = .init(obstacle: .directory)
    let steps = steps(
      [
        try .sample("a", urls: [url], destination: "1"),
        try .sample("b", urls: [url], destination: "2"),
        try .sample("c", urls: [url], destination: "3"),
      ], destinations: destinations)
    #expect(steps.map(\.leader) == [nil, nil, 1])
    #expect(steps.map(\.action) == [.download, .download, .place])
  }

  @Test func aStepThatFetchesNothingLeadsNobody() throws {
    var cache = CacheSnapshot()
    var file = CacheSnapshot.File()
    file.record = try .sample("a")
    file.record?.url = url
    file.observation = .sample
    cache.files[FileKey(namespace: "default", id: "a")] = file
    let steps = steps(
      [try .sample("a", urls: [url]), try .sample("b", urls: [url])], cache: cache)
    #expect(steps.map(\.action) == [.keep, .download])
  }

  @Test func aResumedTransferLeadsToo() throws {
    var cache = CacheSnapshot()
    var file = CacheSnapshot.File()
    file.partial = .sample("x")
    cache.files[FileKey(namespace: "default", id: "a")] = file
    let steps = steps(
      [try .sample("a", urls: [url]), try .sample("b", urls: [url])], cache: cache)
    #expect(steps.map(\.action) == [.resume, .place])
    #expect(steps[1].byteCount == PlanWorld.size)
    #expect(steps[1].resumedByteCount == 0)
  }

  @Test func otherCredentialsForTheHostPreventSharing() throws {
    var first = Manifest(path: "1", entries: [try .sample("a", urls: [url])])
    var settings = HostSettings()
    settings.credential = .bearer("1")
    first.hosts = ["example.org": settings]
    let second = Manifest(path: "2", entries: [try .sample("b", urls: [url])])
    let third = Manifest(path: "3", entries: [try .sample("c", urls: [url])])
    let plan = Planner(configuration: configuration, now: 0).plan(
      manifests: [first, second, third], cache: CacheSnapshot(),
      destinations: DestinationSnapshot())
    #expect(plan.steps.map(\.leader) == [nil, nil, 1])
  }

  @Test func oneEntryInTwoManifestsIsOneStep() throws {
    let entry = try Entry.sample("a")
    let plan = Planner(configuration: configuration, now: 0).plan(
      manifests: [Manifest(path: "1", entries: [entry]), Manifest(path: "2", entries: [entry])],
      cache: CacheSnapshot(), destinations: DestinationSnapshot())
    #expect(plan.steps.count == 1)
  }

  @Test mutating func forcedFetchesEachContentOnce() throws {
    configuration.downloadsEverything = true
    #expect(
      steps([try .sample("a", urls: [url]), try .sample("b", urls: [url])]).map(\.action)
        == [.download, .place])
  }
}
