import BulkgetSystem
import TestSupport
import Testing

/// Further caches, which are read and never written.
@Suite(.blocking) struct ReadCacheCases {
  private static let body = Body.pseudoRandom(200_000, seed: 21)
  private static let readCache = ["--read-cache", "shared"]

  /// A site whose cache `shared` has the entry `a`.
  private static func site(_ entry: (CaseSite) -> String) throws -> CaseSite {
    let site = try CaseSite(["*": [.file(Resource(body, etag: "\"1\""))]])
    let run = try site.run(entry(site), cache: "shared", output: "first")
    try #require(run.exitStatus == 0, "\(run)")
    return site
  }

  private static func shared(_ site: CaseSite) throws -> [String: FileStatus] {
    try site.directory.contents().filter { $0.key.hasPrefix("shared") }
  }

  @Test func servesWhereItIs() throws {
    let site = try Self.site { $0.entry() }
    let before = try Self.shared(site)
    let plan = try site.plan(site.entry(), site.entry("b"), options: Self.readCache)
    #expect(try plan.report.files.map(\.action) == ["place", "download"])

    let run = try site.run(site.entry(), site.entry("b"), options: Self.readCache)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.statuses == ["cached", "downloaded"])
    #expect(try run.file.path?.hasPrefix(site.directory.path("shared/files/")) == true)
    #expect(try site.holds(Self.body))
    #expect(try site.holds(Self.body, at: "out/b.bin"))
    #expect(site.server.requests(to: "/a.bin").count == 1)
    #expect(try site.files(below: "cache/files").count == 1)

    let again = try site.run(site.entry(), site.entry("b"), options: Self.readCache + ["--offline"])
    #expect(again.exitStatus == 0, "\(again)")
    #expect(try again.report.files.map(\.action) == ["keep", "keep"])
    #expect(try Self.shared(site) == before)
  }

  @Test func theFirstThatHasTheFileServesIt() throws {
    let site = try Self.site { $0.entry() }
    let options = ["--read-cache", "empty", "--read-cache", "shared"]
    try FileSystem.makeDirectories(site.directory.path("empty"))
    let run = try site.run(site.entry(), options: options)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.statuses == ["cached"])
    #expect(run.errorText.contains("warning") == false, "\(run)")
    #expect(try site.files(below: "empty").isEmpty)
  }

  @Test func contentOfAnotherIDCountsToo() throws {
    let site = try Self.site { $0.entry() }
    let entry = site.entry("b", path: "/moved.bin", Self.body.sha256)
    let run = try site.run(entry, options: Self.readCache)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file("b").reason == "same-content")
    #expect(try run.statuses == ["cached"])
    #expect(try site.holds(Self.body, at: "out/b.bin"))
    #expect(site.server.requests(to: "/moved.bin").isEmpty)
  }

  @Test(arguments: ["auto", "copy", "hardlink", "symlink"]) func placesByEveryMode(_ mode: String)
    throws
  {
    let site = try Self.site { $0.entry() }
    let before = try Self.shared(site).filter { $0.value.kind != .file }
    for action in ["place", "keep"] {
      let run = try site.run(site.entry(), options: Self.readCache + ["--link", mode])
      #expect(run.exitStatus == 0, "\(run)")
      #expect(try run.file.action == action)
      #expect(try site.holds(Self.body))
    }
    #expect(try Self.shared(site).filter { $0.value.kind != .file } == before)
  }

  @Test func aTouchedFileIsHashedEachTime() throws {
    let site = try Self.site { $0.entry() }
    let name = try #require(try site.files(below: "shared/files").first)
    try FileDescriptor.reading(site.directory.path(name)).setModificationTime(1_000_000_000)
    for _ in 1...2 {
      let run = try site.run(site.entry(), options: Self.readCache)
      #expect(run.exitStatus == 0, "\(run)")
      #expect(try run.file.reason == "time-changed")
      #expect(try run.statuses == ["cached"])
    }
    #expect(site.server.requests(to: "/a.bin").count == 1)
  }

  @Test func aDamagedFileIsFetchedAnew() throws {
    let site = try Self.site { $0.entry() }
    let name = try #require(try site.files(below: "shared/files").first)
    try site.overwrite(name, [0xFF], at: 17)
    let before = try Self.shared(site)
    let run = try site.run(site.entry(), options: Self.readCache)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.statuses == ["downloaded"])
    #expect(try run.file.warningCodes == ["damaged"])
    #expect(try run.file.path?.hasPrefix(site.directory.path("cache/files/")) == true)
    #expect(try site.holds(Self.body))
    #expect(try Self.shared(site) == before)
    #expect(try site.run(site.entry(), options: Self.readCache).statuses == ["cached"])
  }

  @Test func asksTheServerAboutAStaleFile() throws {
    let key = "freshness: revalidate"
    let site = try Self.site { $0.entry("a", key) }
    let before = try Self.shared(site)
    let run = try site.run(site.entry("a", key), options: Self.readCache)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.statuses == ["revalidated"])
    #expect(site.server.requests(to: "/a.bin").last?["If-None-Match"] != nil)
    #expect(try site.holds(Self.body))
    #expect(try Self.shared(site) == before)
  }

  @Test func whatHasChangedGoesIntoTheOwnCache() throws {
    let new = Body.pseudoRandom(100_000, seed: 22)
    let site = try CaseSite([
      "*": [.file(Resource(Self.body, etag: "\"1\"")), .file(Resource(new, etag: "\"2\""))]
    ])
    let key = "freshness: revalidate"
    #expect(try site.run(site.entry("a", key), cache: "shared").exitStatus == 0)
    let before = try Self.shared(site)
    let run = try site.run(site.entry("a", key), options: Self.readCache)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.statuses == ["downloaded"])
    #expect(try site.holds(new))
    #expect(try Self.shared(site) == before)
    #expect(try site.files(below: "cache/files").count == 1)
  }

  @Test func oneThatIsNotThereIsAWarning() throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let run = try site.run(site.entry(), options: Self.readCache)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.warnings?.map(\.code) == ["read-cache-unusable"])
    #expect(run.errorText.contains(site.directory.path("shared")), "\(run)")
    #expect(try site.exists("shared") == false)
  }

  @Test func nothingIsPlacedInIt() throws {
    let site = try Self.site { $0.entry() }
    let run = try site.run(
      site.entry("b", dest: "files/default/b"), options: Self.readCache, output: "shared")
    #expect(run.exitStatus == 1, "\(run)")
    #expect(try run.file("b").error?.code == "destination-conflict")
    #expect(site.server.requests(to: "/b.bin").isEmpty)
  }

  @Test func verifyHashesWhatItServes() throws {
    let site = try Self.site { $0.entry() }
    #expect(try site.run(site.entry(), options: Self.readCache).exitStatus == 0)
    let verify = { try site.run(site.launch("verify", [site.entry()], Self.readCache)) }
    #expect(try verify().exitStatus == 0)
    let name = try #require(try site.files(below: "shared/files").first)
    try site.overwrite(name, [0xFF], at: 17)
    let before = try Self.shared(site)
    let damaged = try verify()
    #expect(damaged.exitStatus == 1, "\(damaged)")
    #expect(damaged.errorText.contains("--verify"), "\(damaged)")
    #expect(try Self.shared(site) == before)
  }
}
