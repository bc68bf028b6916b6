import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// Group 3: wrong bytes are recognised, called by their right name, replaced, and never delivered.
@Suite(.blocking) struct IntegrityCases {
  private static let body = Body.pseudoRandom(300_000)
  private static let page = Response(
    200, [Field("Content-Type", "text/html")], body: "<!DOCTYPE html><title>Sign in</title>")

  @Test func B031_mirrorsWithWrongBytes() throws {
    let site = try CaseSite([
      "/1": [.respond(Self.page)], "/2": [.file(Resource(Self.body.slice(0..<200_000)))],
      "/3": [.file(Resource(Self.body))],
    ])
    let run = try site.run(site.mirrored(["/1", "/2", "/3"], Self.body.sha256))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.tries == ["checksum-mismatch", "checksum-mismatch", "-"])
    #expect(site.server.requests.map(\.path) == ["/1", "/2", "/3"])
    #expect(try site.holds(Self.body))
  }

  @Test func B031_allMirrorsWrong() throws {
    let wrong = Body.pseudoRandom(1_000, seed: 5)
    let site = try CaseSite([
      "/1": [.respond(.redirect(to: "/elsewhere"))], "*": [.file(Resource(wrong))],
    ])
    let first = try site.run(site.mirrored(["/1", "/2", "/3"], Self.body.sha256))
    #expect(first.exitStatus == 1)
    let failure = try #require(try first.file.error)
    #expect(failure.code == "checksum-mismatch")
    #expect(failure.message.contains(Self.body.hexadecimalDigest()))
    #expect(failure.message.contains(wrong.hexadecimalDigest()))
    #expect(failure.message.contains(site.server.url("/3")))
    let messages = try first.file.attempts?.map { $0.error?.message ?? "" } ?? []
    #expect(messages.first?.contains(site.server.url("/elsewhere")) == true, "\(first)")
    #expect(
      try site.files(below: "cache/files").isEmpty && site.files(below: "cache/partial").isEmpty)
  }

  @Test(arguments: ["upper", "mixed", "prefixed"])
  func B032_digestInCapitals(form: String) throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let digest = Self.body.hexadecimalDigest()
    let written = [
      "upper": digest.uppercased(), "mixed": digest.prefix(32) + digest.suffix(32).uppercased(),
      "prefixed": "sha256:" + digest,
    ]
    let run = try site.run(site.entry("a", "sha256: \"\(written[form] ?? "")\""))
    if form == "prefixed" {
      #expect(run.exitStatus == 2)
      #expect(run.errorText.contains("prefix") || run.errorText.contains("leave"), "\(run)")
      #expect(site.server.requests.isEmpty)
    } else {
      #expect(run.exitStatus == 0, "\(run)")
      #expect(try run.file.sha256 == digest)
    }
  }

  @Test func B034_aBrokenConnectionIsNoWrongDigest() throws {
    let body = Body.pseudoRandom(1_000_000)
    let resource = Resource(body).with { $0.honoursRanges = false }
    let cut = TestSupport.Step.file(resource) { $0.cut(after: 700_000) }
    let site = try CaseSite(["/a.bin": [cut, cut, .file(resource)]])
    let entry = site.entry("a", body.sha256)
    let run = try site.run(entry, options: ["--retries", "3"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.tries == ["truncated", "truncated", "-"])
    #expect(try site.holds(body))
    site.server.route("/a.bin", cut)
    let failed = try site.run(entry, options: ["--retries", "0"], cache: "cache2", output: "out2")
    #expect(try failed.file.error?.code == "truncated", "\(failed)")
  }

  /// What becomes of a cached file.
  enum Damage: CaseIterable, Sendable {
    case halved, oneByteChanged, emptied, directory, unreadable

    func apply(to site: CaseSite, _ name: String) throws {
      let path = site.directory.path(name)
      switch self {
      case .halved: try site.truncate(name, to: 150_000)
      case .emptied: try site.truncate(name, to: 0)
      case .oneByteChanged:
        let status = try #require(try FileSystem.status(of: path))
        try site.overwrite(name, [site.directory.read(name)[7] ^ 1], at: 7)
        let file = try FileDescriptor.reading(path)
        try file.setModificationTime(status.modificationTime)
      case .directory:
        try FileSystem.remove(path)
        try FileSystem.makeDirectories(path)
      case .unreadable: try FileSystem.setPermissions(0, of: path)
      }
    }
  }

  @Test(arguments: Damage.allCases.filter { $0 != .unreadable || OrdinaryUser.obstacle == nil })
  func B035_damageInTheCache(damage: Damage) throws {
    let site = try CaseSite(["/a.bin": [.file(Resource(Self.body))]])
    let entry = site.entry("a", Self.body.sha256)
    var launch = try site.launch(
      "run", [entry], damage == .oneByteChanged ? ["--verify"] : [])
    if damage == .unreadable { launch = try site.openedToAll(launch) }
    #expect(try site.run(launch).exitStatus == 0)
    try damage.apply(to: site, try #require(try site.files(below: "cache/files").first))
    try FileSystem.remove(site.directory.path("out/a.bin"))
    let run = try site.run(launch)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.warningCodes.contains("damaged"), "\(run)")
    #expect(try run.file.reason == "damaged")
    #expect(site.server.requests.count == 2)
    #expect(try site.holds(Self.body))
  }

  @Test func B037_editingAPlacedFile() throws {
    let site = try CaseSite(["/a.bin": [.file(Resource(Self.body))]])
    #expect(try site.run(site.entry(), output: "out1").exitStatus == 0)
    #expect(try site.run(site.entry(), output: "out2").exitStatus == 0)
    let cached = try #require(try site.files(below: "cache/files").first)
    let inodes = [cached, "out1/a.bin", "out2/a.bin"].map { name in
      var status = stat()
      #expect(stat(site.directory.path(name), &status) == 0)
      return status.st_ino
    }
    #expect(Set(inodes).count == 3)
    try site.overwrite("out1/a.bin", [0], at: 100)
    try FileSystem.remove(site.directory.path("out2/a.bin"))
    let run = try site.run(site.entry(), output: "out2")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.holds(Self.body, at: "out2/a.bin"))
    #expect(site.server.requests.count == 1)
  }

  @Test func B038_newURLOldDigest() throws {
    let site = try CaseSite(["/v1/a.bin": [.file(Resource(Self.body))]])
    #expect(try site.run(site.entry("a", path: "/v1/a.bin", Self.body.sha256)).exitStatus == 0)
    try FileSystem.remove(site.directory.path("out/a.bin"))
    let entry = site.entry("a", path: "/v2/a.bin", Self.body.sha256)
    let plan = try site.plan(entry).file
    #expect(plan.action == "place" && plan.reason == "same-content")
    let run = try site.run(entry)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(site.server.requests.count == 1)
    let file = try run.file
    #expect(file.status == "cached" && file.action == "place" && file.reason == "same-content")
    #expect(file.finalURL == site.server.url("/v1/a.bin"))
    #expect(try site.holds(Self.body))
  }

  /// An ETag that a 304 leaves out is the one that was sent.
  private static let revalidated = TestSupport.Step.compute { request in
    request["If-None-Match"] == "\"v1\""
      ? Response(304) : Resource(body, etag: "\"v1\"").response(to: request)
  }

  @Test func B040_notModifiedAgainAndAgain() throws {
    let site = try CaseSite(["/a.bin": [Self.revalidated]])
    let entry = site.entry("a", "freshness: revalidate")
    #expect(try site.run(entry).statuses == ["downloaded"])
    let before = try FileSystem.status(of: site.directory.path("out/a.bin"))
    for _ in 2...4 { #expect(try site.run(entry).statuses == ["revalidated"]) }
    #expect(site.server.requests.dropFirst().allSatisfy { $0["If-None-Match"] == "\"v1\"" })
    let after = try FileSystem.status(of: site.directory.path("out/a.bin"))
    #expect(after?.modificationTime == before?.modificationTime && before != nil)
    #expect(try site.holds(Self.body))
  }

  @Test(arguments: ["missing", "halved"])
  func B040_noConditionWithoutTheFile(copy: String) throws {
    let site = try CaseSite(["/a.bin": [Self.revalidated]])
    let entry = site.entry("a", "freshness: revalidate")
    #expect(try site.run(entry).exitStatus == 0)
    let cached = try #require(try site.files(below: "cache/files").first)
    try FileSystem.remove(site.directory.path("out/a.bin"))
    if copy == "missing" {
      try FileSystem.remove(site.directory.path(cached))
    } else {
      try site.truncate(cached, to: 150_000)
    }
    let run = try site.run(entry)
    #expect(try run.statuses == ["downloaded"], "\(run)")
    #expect(site.server.requests.last?["If-None-Match"] == nil)
    #expect(try site.holds(Self.body))
  }

  @Test func B040_notModifiedUnasked() throws {
    let site = try CaseSite(["/a.bin": [.respond(Response(304))]])
    let run = try site.run(site.entry(), options: ["--retries", "0"])
    #expect(try run.file.error?.code == "http-status", "\(run)")
    #expect(try site.files(below: "out").isEmpty && site.files(below: "cache/files").isEmpty)
  }
}
