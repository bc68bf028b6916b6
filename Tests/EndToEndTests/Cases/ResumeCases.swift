import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// Group 2: bytes of two versions, two URLs or two offsets never meet in one file.
@Suite(.blocking) struct ResumeCases {
  private static let body = Body.pseudoRandom(10_000_000)
  private static let other = Body.pseudoRandom(10_000_000, seed: 2)
  private static let once = ["--retries", "0"]

  /// A site where a first run got 4,000,000 bytes of `/a.bin`; then the path answers by `next`.
  private func interrupted(
    _ resource: Resource = Resource(body, etag: "\"v1\""), keys: String...,
    change: @escaping @Sendable (Response) -> Response = { $0.cut(after: 4_000_000) },
    next: TestSupport.Step...
  ) throws -> CaseSite {
    let site = try CaseSite(["/a.bin": [.file(resource, change)]])
    let run = try site.run(site.entry("a", keys.joined(separator: "\n    ")), options: Self.once)
    #expect(try run.file.error?.code == "truncated", "\(run)")
    site.server.replaceRoutes(["/a.bin": next])
    return site
  }

  /// The requests of the second run.
  private func later(_ site: CaseSite) -> ArraySlice<Request> { site.server.requests.dropFirst() }

  @Test func B014_aRangeRequestAnsweredWithEverything() throws {
    let site = try interrupted(
      next: .file(Resource(Self.body, etag: "\"v1\"").with { $0.honoursRanges = false }))
    #expect(try site.plan(site.entry()).file.action == "resume")
    let run = try site.run(site.entry())
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).first?["Range"] == "bytes=4000000-")
    #expect(try run.file.resumedBytes == 0)
    #expect(try site.holds(Self.body))
  }

  @Test func aGoodServerIsAskedForTheRestOnly() throws {
    let site = try interrupted(next: .file(Resource(Self.body, etag: "\"v1\"")))
    let run = try site.run(site.entry())
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.resumedBytes == 4_000_000)
    #expect(try run.file.attempts?.map(\.bytes) == [6_000_000])
    #expect(later(site).first?["If-Range"] == "\"v1\"")
    #expect(try site.holds(Self.body))
  }

  @Test(arguments: [
    "bytes 0-9/10000000", "bytes 5000000-9999999/10000000", nil,
    "bytes=4000000-9999999/10000000", "bytes 4000000-9999998/9999999", "multipart",
  ])
  func B016_aPartThatDoesNotFit(contentRange: String?) throws {
    let broken = Resource(Self.body, etag: "\"v1\"").with { resource in
      resource.contentRange = contentRange.map { .literal($0) } ?? .absent
      guard contentRange == "multipart" else { return }
      resource.contentRange = .absent
      resource.type = "multipart/byteranges; boundary=x"
    }
    let site = try interrupted(next: .file(broken))
    let run = try site.run(site.entry(), options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.tries == ["range-mismatch", "-"])
    #expect(later(site).map { $0["Range"] != nil } == [true, false])
    #expect(try site.holds(Self.body))
  }

  @Test(arguments: [true, false])
  func B017_thePartialIsComplete(hasDigest: Bool) throws {
    let digest = hasDigest ? Self.body.sha256 : ""
    let site = try interrupted(
      keys: digest, change: { $0.announcing(10_000_001).closing(.unannounced(after: .zero)) },
      next: .file(Resource(Self.body, etag: "\"v1\"")))
    let run = try site.run(site.entry("a", digest), options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).map { $0["Range"] != nil } == (hasDigest ? [true] : [true, false]))
    #expect(try site.holds(Self.body))
  }

  @Test func B017_thePartialIsTooLong() throws {
    let shorter = Body.pseudoRandom(6_000_000, seed: 3)
    let site = try interrupted(
      change: { $0.cut(after: 9_000_000) },
      next: .file(Resource(shorter, etag: "\"v2\"").with { $0.honoursIfRange = false }))
    let run = try site.run(site.entry(), options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).map { $0["Range"] != nil } == [true, false])
    #expect(try site.holds(shorter))
  }

  @Test func B019_theFileChangedAndTheServerObeysIfRange() throws {
    let (old, new) = (
      Body.repeating(0x61, count: 10_000_000), Body.repeating(0x62, count: 10_000_000)
    )
    let site = try interrupted(
      Resource(old, etag: "\"v1\""), next: .file(Resource(new, etag: "\"v2\"")))
    let run = try site.run(site.entry())
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).map { $0["If-Range"] } == ["\"v1\""])
    #expect(try run.file.resumedBytes == 0)
    #expect(try site.holds(new))
  }

  @Test(arguments: ["etag", "total", "date"])
  func B020_theFileChangedAndTheServerIgnoresIfRange(variant: String) throws {
    let yesterday = TestSupport.HTTPDate.text(TestSupport.HTTPDate.now - 86_400)
    let earlier = TestSupport.HTTPDate.text(TestSupport.HTTPDate.now - 80_000)
    var old = Resource(.repeating(0x61, count: 10_000_000), etag: "\"v1\"")
    var new = Resource(
      .repeating(0x62, count: variant == "total" ? 12_000_000 : 10_000_000), etag: "\"v1\"")
    new.honoursIfRange = false
    switch variant {
    case "etag": new.etag = "\"v2\""
    case "total": break
    default:
      (old.etag, new.etag) = (nil, nil)
      (old.lastModified, new.lastModified) = (yesterday, earlier)
    }
    let site = try interrupted(old, next: .file(new))
    let run = try site.run(site.entry(), options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).map { $0["Range"] != nil } == [true, false])
    #expect(try site.holds(new.body))
  }

  @Test(arguments: [nil, "W/\"x\""] as [String?], [false, true])
  func B022_noStrongValidator(etag: String?, hasDigest: Bool) throws {
    let site = try interrupted(
      Resource(Self.body, etag: etag), next: .file(Resource(Self.other, etag: etag)))
    let entry = hasDigest ? site.entry("a", Self.other.sha256) : site.entry()
    let run = try site.run(entry, options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).allSatisfy { $0["If-Range"] == nil })
    #expect(later(site).map { $0["Range"] != nil } == (hasDigest ? [true, false] : [false]))
    #expect(try site.holds(Self.other))
  }

  @Test(arguments: [false, true])
  func B023_aPartialOfAnotherURL(hasDigest: Bool) throws {
    let site = try CaseSite([
      "/2026-01/data.zip": [
        .file(Resource(Self.body, etag: "\"v1\"")) { $0.cut(after: 4_000_000) }
      ],
      "/2026-02/data.zip": [.file(Resource(Self.other, etag: "\"v1\""))],
    ])
    _ = try site.run(site.entry("a", path: "/2026-01/data.zip"), options: Self.once)
    let digest = hasDigest ? Self.other.sha256 : ""
    let run = try site.run(site.entry("a", path: "/2026-02/data.zip", digest), options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    if !hasDigest { #expect(later(site).map { $0["Range"] } == [nil]) }
    #expect(try site.holds(Self.other))
  }

  @Test(arguments: [false, true])
  func B023_aMirrorWithAnotherBuild(hasDigest: Bool) throws {
    let site = try CaseSite([
      "/1": [.file(Resource(Self.body, etag: "\"v1\"")) { $0.cut(after: 4_000_000) }],
      "/2": [.file(Resource(Self.other, etag: "\"v1\""))],
    ])
    let digest = hasDigest ? Self.other.sha256 : ""
    let run = try site.run(site.mirrored(["/1", "/2"], digest), options: Self.once)
    #expect(run.exitStatus == 0, "\(run)")
    if !hasDigest { #expect(later(site).map { $0["Range"] } == [nil]) }
    #expect(try site.holds(Self.other))
  }

  @Test func B025_killedBeforeTheEnd() throws {
    let body = Body.pseudoRandom(50_000_000)
    let gate = try Gate()
    let site = try CaseSite([
      "/a.bin": [
        .file(Resource(body)) { $0.held(after: 30_000_000, by: gate) }, .file(Resource(body)),
      ]
    ])
    let entry = site.entry("a", "size: 50000000")
    let process = try ChildProcess(site.launch("run", [entry]))
    try wait(for: "bytes") { try site.partialSize > 20_000_000 }
    process.send(SIGKILL)
    #expect(try process.wait().termination == .signalled(SIGKILL))
    #expect(try site.files(below: "out").isEmpty && site.files(below: "cache/files").isEmpty)
    let run = try site.run(entry)
    #expect(try run.statuses == ["downloaded"], "\(run)")
    #expect(try site.holds(body))
  }

  /// What is done to what the first run left.
  enum Damage: CaseIterable, Sendable {
    case bytesInside, recordOfZeros, recordEmpty, recordMissing, partialShorter

    func apply(to site: CaseSite) throws {
      let partial = try site.partial()
      switch self {
      case .bytesInside: try site.overwrite(partial, [UInt8](repeating: 0, count: 100), at: 1_000)
      case .recordOfZeros:
        let count = try site.size(of: partial + ".json") ?? 0
        try site.overwrite(partial + ".json", [UInt8](repeating: 0, count: Int(count)), at: 0)
      case .recordEmpty: try site.truncate(partial + ".json", to: 0)
      case .recordMissing: try FileSystem.remove(site.directory.path(partial + ".json"))
      case .partialShorter: try site.truncate(partial, to: 2_000_000)
      }
    }

    var isOfTheRecord: Bool {
      [.recordOfZeros, .recordEmpty, .recordMissing].contains(self)
    }
  }

  @Test(arguments: Damage.allCases)
  func B026_aDamagedPartialOrRecord(damage: Damage) throws {
    let site = try interrupted(
      keys: Self.body.sha256, next: .file(Resource(Self.body, etag: "\"v1\"")))
    try damage.apply(to: site)
    let run = try site.run(site.entry("a", Self.body.sha256), options: ["--retries", "2"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.holds(Self.body))
    #expect(try run.file.warningCodes.contains("damaged-partial") == damage.isOfTheRecord, "\(run)")
    if damage == .bytesInside {
      #expect(try run.file.tries == ["checksum-mismatch", "-"])
      #expect(later(site).map { $0["Range"] != nil } == [true, false])
    }
  }

  @Test func B028_interruptedAgainAndAgainAndTheCacheMoves() throws {
    let body = Body.pseudoRandom(20_000_000)
    let resource = Resource(body, etag: "\"v1\"")
    let gate = try Gate()
    let held = TestSupport.Step.file(resource) { $0.held(after: 4_000_000, by: gate) }
    let site = try CaseSite(["/a.bin": [held, held, held, .file(resource)]])
    var kept: Int64 = 0
    for cache in ["cache", "cache", "cache2"] {
      if cache == "cache2" {
        try FileSystem.rename(site.directory.path("cache"), to: site.directory.path("cache2"))
      }
      let process = try ChildProcess(site.launch("run", [site.entry()], cache: cache))
      try wait(for: "bytes") { try site.partialSize(in: cache) > kept + 2_000_000 }
      process.send(SIGINT)
      #expect(try site.ended(process.wait()).exitStatus == 130)
      kept = try site.partialSize(in: cache)
    }
    let run = try site.run(site.entry(), cache: "cache2")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(later(site).allSatisfy { $0["Range"] != nil })
    #expect(try run.file.resumedBytes == kept)
    #expect(try run.report.warnings == [])
    #expect(try site.holds(body))
  }

  @Test(arguments: ["right", "wrong", "half", "none"], [true, false])
  func B029_aFileIsAlreadyAtTheDestination(content: String, hasDigest: Bool) throws {
    let body = Body.pseudoRandom(300_000)
    let site = try CaseSite(["/a.bin": [.file(Resource(body))]])
    let there: [String: Body] = [
      "right": body, "wrong": .pseudoRandom(300_000, seed: 9), "half": body.slice(0..<150_000),
      "none": .empty,
    ]
    try site.directory.write(there[content]?.bytes ?? [], to: "out/a.bin")
    let entry = site.entry("a", hasDigest ? body.sha256 : "size: 300000")
    let isAdopted = content == "right" && hasDigest
    if isAdopted { #expect(try site.plan(entry).file.action == "rehash") }
    let run = try site.run(entry)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.statuses == [isAdopted ? "cached" : "downloaded"])
    #expect(site.server.requests.count == (isAdopted ? 0 : 1))
    #expect(try site.holds(body))
    #expect(try site.files(below: "out") == ["out/a.bin"])
  }

  @Test(arguments: [false, true])
  func B058_theSecondTryMeetsLeftovers(hasStaleFile: Bool) throws {
    let resource = Resource(Self.body).with { $0.honoursRanges = false }
    let site = try CaseSite([
      "/a.bin": [.file(resource) { $0.cut(after: 8_000_000) }, .file(resource)]
    ])
    if hasStaleFile { try site.directory.write("stale", to: "out/a.bin") }
    let run = try site.run(site.entry("a", hasStaleFile ? Self.body.sha256 : ""))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.tries == ["truncated", "-"])
    #expect(try site.holds(Self.body))
  }
}

extension CaseSite {
  /// How many bytes of an interrupted download there are, 0 where there is none.
  fileprivate func partialSize(in cache: String) throws -> Int64 {
    let names = try FileSystem.names(in: directory.path("\(cache)/partial")) ?? []
    return try names.filter { !$0.hasSuffix(".json") }
      .reduce(0) { try $0 + (size(of: "\(cache)/partial/\($1)") ?? 0) }
  }

  fileprivate var partialSize: Int64 {
    get throws { try partialSize(in: "cache") }
  }
}
