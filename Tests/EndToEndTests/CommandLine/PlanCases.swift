import BulkgetSystem
import TestSupport
import Testing

/// A plan only looks, and a run then does what it said.
@Suite(.blocking) struct PlanCases {
  @Test(arguments: [
    ["plan", "manifest.yaml"], ["run", "-n", "manifest.yaml"], ["plan", "--json", "manifest.yaml"],
    ["plan", "--probe", "manifest.yaml"], ["run", "-n", "--probe", "--offline", "manifest.yaml"],
  ])
  func B110_aPlanWithoutACacheMakesNone(_ words: [String]) throws {
    let site = try ProgramSite()
    try site.writeManifest(count: 10)
    try expectUntouched(site, words)
    #expect(try !site.exists("cache") && !site.exists("out"))
  }

  @Test(arguments: [
    [], ["--verify"], ["--force"], ["--refresh"], ["--offline"], ["--only", "f1"],
    ["-v", "--json"],
  ])
  func B110_aPlanTouchesNothingThatIsThere(_ options: [String]) throws {
    let site = try usedSite()
    let count = site.server.requests.count
    try expectUntouched(site, ["plan", "manifest.yaml"] + options)
    try expectUntouched(site, ["run", "--dry-run", "manifest.yaml"] + options)
    #expect(site.server.requests.count == count)
  }

  @Test(arguments: [["plan"], ["run", "-n"]])
  func B110_aProbeAsksForSizesOnly(_ command: [String]) throws {
    let site = try usedSite()
    let count = site.server.requests.count
    let words = command + ["manifest.yaml", "--probe"]
    try expectUntouched(site, words + ["--offline"])
    #expect(site.server.requests.count == count)
    try expectUntouched(site, words)
    let asked = site.server.requests.dropFirst(count)
    #expect(!asked.isEmpty)
    #expect(asked.allSatisfy { $0.method == "HEAD" || $0["Range"] == "bytes=0-0" })
  }

  @Test(arguments: [[], ["--verify"], ["--force"], ["--refresh"], ["--probe"]])
  func B110_aRunDoesWhatThePlanSaid(_ options: [String]) throws {
    let site = try usedSite()
    let words = ["manifest.yaml"] + options
    let planned = try ChildProcess.run(site.launch(["plan", "--json"] + words))
    let plan = try ProgramReport(planned.output.standardOutput)
    let ended = try ChildProcess.run(site.launch(["run"] + words.filter { $0 != "--probe" }))
    #expect(ended.exitStatus == 0, "\(ended)")
    let report = try site.report()
    // What turns out to be damaged when it is hashed has become a download by then.
    let pairs = zip(plan.files ?? [], report.files ?? []).filter { $0.0.action != "rehash" }
    #expect(pairs.count >= 2)
    for (step, file) in pairs {
      #expect(step.action == file.action && step.reason == file.reason, "\(step)\n\(file)")
    }
  }

  /// A cache in which files are damaged, missing and not placed, with a partial from an interrupted run.
  private func usedSite() throws -> ProgramSite {
    let body = Body.pseudoRandom(3 << 20)
    let site = try ProgramSite(body: body)
    let part = Step.file(Resource(body, etag: "\"1\"")) { $0.cut(after: 2 << 20) }
    site.server.route("/f5.bin", part)
    try site.writeManifest(count: 6)
    let ended = try site.run("run", "manifest.yaml", "--retries", "0")
    #expect(ended.exitStatus == 1)
    site.server.route("/f5.bin", .file(Resource(body, etag: "\"1\"")))
    let report = try site.report()
    let paths = (report.files ?? []).map { $0.path ?? "" }
    try FileSystem.setPermissions(0o644, of: paths[0])
    try FileDescriptor.updating(paths[0]).write(Array("damage".utf8), at: 7)
    try FileSystem.remove(paths[1])
    try FileSystem.remove(site.directory.path("out/f2.bin"))
    return site
  }

  private func expectUntouched(_ site: ProgramSite, _ words: [String]) throws {
    let before = try site.directory.contents()
    let ended = try ChildProcess.run(site.launch(words))
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(try site.directory.contents() == before)
  }
}
