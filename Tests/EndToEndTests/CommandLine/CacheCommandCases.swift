import BulkgetSystem
import TestSupport
import Testing

/// What `bulkget cache` shows of a cache that runs have filled.
@Suite(.blocking) struct CacheCommandCases {
  @Test func theCacheIsShownInEveryForm() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a", "b"])
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    let path = try #require(try site.report().files?.first?.path)
    #expect(try site.run("cache", "dir").output.text == site.directory.path("cache") + "\n")
    #expect(try site.run("cache", "path", "a").output.text == path + "\n")
    let list = try site.run("cache", "list")
    #expect(list.output.text.split(separator: "\n").count == 2)
    #expect(list.output.text.hasPrefix("default  a  bin  5 B  \(path)\n"))
    let size = try site.run("cache", "size")
    #expect(size.output.text == "complete: 2 files, 10 B\npartial: 0 files, 0 B\ntotal: 10 B\n")
  }

  @Test func theCacheIsShownAsJSON() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a", "b"])
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    let list = try ProgramReport(site.run("cache", "list", "--json").output.standardOutput)
    #expect(list.kind == "cache-list" && list.files?.map(\.id) == ["a", "b"])
    #expect(list.totals?["files"] == 2 && list.totals?["bytes"] == 10)
    let one = try ProgramReport(site.run("cache", "path", "b", "--json").output.standardOutput)
    #expect(one.files?.map(\.id) == ["b"])
    let size = try ProgramReport(site.run("cache", "size", "--json").output.standardOutput)
    #expect(size.kind == "cache-size" && size.totals?["bytes"] == 10)
  }

  @Test func aCacheThatIsNotThereIsEmptyAndStaysAway() throws {
    let site = try ProgramSite()
    for command in ["list", "size"] {
      let ended = try site.run("cache", command)
      #expect(ended.exitStatus == 0 && ended.output.standardError.isEmpty, "\(ended)")
    }
    let path = try site.run("cache", "path", "a")
    #expect(path.exitStatus == 1 && path.output.errorText.contains("`a` is not in the namespace"))
    #expect(try !site.exists("cache"))
  }

  @Test func partialsAreCounted() throws {
    let body = Body.pseudoRandom(3 << 20)
    let site = try ProgramSite([
      "/a.bin": [.file(Resource(body, etag: "\"1\"")) { $0.cut(after: 2 << 20) }]
    ])
    try site.writeManifest(["a"])
    #expect(try site.run("run", "manifest.yaml", "--retries", "0").exitStatus == 1)
    let size = try site.run("cache", "size")
    #expect(size.output.text.contains("complete: 0 files, 0 B\npartial: 1 file, "), "\(size)")
  }

  @Test func pruningLeavesWhatARunUses() throws {
    let gate = try Gate()
    let site = try ProgramSite(["/slow.bin": [.respond(Response(200, body: "slow").held(by: gate))]]
    )
    try site.writeManifest(["other", "used"])
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    try site.writeManifest(["used", "slow"])
    let run = try site.start("run", "manifest.yaml")
    _ = try site.server.waitForRequests(1, to: "/slow.bin")
    let rehearsal = try site.run("cache", "prune", "--max-size", "1", "--dry-run", "--json")
    let pruned = try site.run("cache", "prune", "--max-size", "1", "--json")
    for ended in [rehearsal, pruned] {
      let report = try ProgramReport(ended.output.standardOutput)
      #expect(report.kind == "cache-prune" && report.files?.map(\.id) == ["other"], "\(ended)")
      #expect(report.totals?["inUse"] == 1)
    }
    #expect(try site.run("cache", "remove", "used").exitStatus == 1)
    gate.open()
    #expect(try run.wait().exitStatus == 0)
    let rest = try site.run("cache", "prune", "--keep", "manifest.yaml", "--max-size", "1")
    #expect(rest.output.text == "removed: 0 files (0 B), 0 partials (0 B)\n")
    #expect(
      try site.run("cache", "prune", "--max-size", "1").output.text.hasPrefix("removed: 2 files"))
    #expect(
      try site.files(below: "cache/files").isEmpty && site.files(below: "cache/claims").isEmpty)
  }

  @Test func removingAFileFetchesItAgain() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    #expect(try site.run("cache", "remove", "a").exitStatus == 0)
    let missing = try site.run("cache", "remove", "a")
    #expect(
      missing.exitStatus == 1 && missing.output.errorText.contains("`a` is not in the namespace"))
    try FileSystem.remove(site.directory.path("out/a.bin"))
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    #expect(try site.report().files?.first?.status == "downloaded")
  }
}
