import BulkgetSystem
import TestSupport
import Testing

/// The exit statuses, and the options that decide about them.
@Suite(.blocking) struct ExitStatusCases {
  @Test func aRunThatDoesWhatWasWantedIsStatusZero() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a", "b"])
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    #expect(try site.report().statuses == ["downloaded", "downloaded"])
    let again = try site.run("run", "manifest.yaml")
    #expect(again.exitStatus == 0)
    #expect(try site.report().statuses == ["cached", "cached"])
    #expect(site.server.requests.count == 2)
  }

  @Test func aFailureIsStatusOneUnlessTheFileIsOptional() throws {
    let site = try ProgramSite(["/a.bin": [.respond(Response(404))]])
    try site.writeManifest(["a"])
    let ended = try site.run("run", "manifest.yaml")
    #expect(ended.exitStatus == 1)
    #expect(ended.output.errorText.contains("error: a: "))
    #expect(try site.report().files?.first?.error?.code == "http-status")
    try site.writeManifest(["a"], "optional: true")
    let optional = try site.run("run", "manifest.yaml")
    #expect(optional.exitStatus == 0)
    #expect(optional.output.errorText.contains("warning: a: "))
    #expect(try site.report().totals?["optionalFailed"] == 1)
  }

  @Test(arguments: [
    ["run"], ["run", "manifest.yaml", "--jobs", "0"], ["run", "manifest.yaml", "--jbos", "1"],
    ["fetch"], ["run", "manifest.yaml", "--report", "r", "--no-report"], [],
  ])
  func wrongUsageIsStatusTwoWithoutAReport(_ words: [String]) throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    let ended = try ChildProcess.run(site.launch(words))
    #expect(ended.exitStatus == 2, "\(ended)")
    #expect(ended.output.text.isEmpty && ended.output.errorText.hasPrefix("error: "))
    #expect(try !site.exists("bulkget-report.json") && !site.exists("cache"))
    #expect(site.server.requests.isEmpty)
  }

  @Test func everyProblemOfAManifestIsSaidAtOnce() throws {
    let site = try ProgramSite()
    try site.directory.write(
      "files:\n  - id: a\n    ulr: x\n  - id: a\n    url: y\n    sze: 1\n", to: "manifest.yaml")
    let ended = try site.run("run", "manifest.yaml")
    #expect(ended.exitStatus == 2, "\(ended)")
    #expect(ended.output.errorText.contains("did you mean `url`?"))
    #expect(ended.output.errorText.contains("did you mean `size`?"))
    let report = try site.report()
    #expect((report.problems?.count ?? 0) >= 3 && report.files?.isEmpty == true)
    #expect(site.server.requests.isEmpty)
  }

  @Test(arguments: [
    ["--only", "nothing*"], ["--tag", "none"], ["--platform", "plan9/mips"],
    ["--only", "a", "--exclude-tag", "t"],
  ])
  func optionsThatChooseNothingAreStatusTwo(_ options: [String]) throws {
    let site = try ProgramSite()
    try site.writeManifest(["a", "b"], "tags: [t]", "platforms: [linux/amd64, linux/arm64]")
    for command in ["run", "plan"] {
      let ended = try ChildProcess.run(site.launch([command, "manifest.yaml"] + options))
      #expect(ended.exitStatus == 2, "\(ended)")
      #expect(ended.output.errorText.contains("choose none of the 2 entries"))
    }
    #expect(site.server.requests.isEmpty)
  }

  @Test func optionsThatChooseSomethingSkipTheRest() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a", "b"])
    #expect(try site.run("run", "manifest.yaml", "--only", "a").exitStatus == 0)
    #expect(try site.report().statuses == ["downloaded", "skipped"])
  }

  @Test func checkIsStatusThreeWhileThereIsSomethingToDo() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    #expect(try site.run("plan", "manifest.yaml", "--check").exitStatus == 3)
    #expect(try site.run("run", "manifest.yaml").exitStatus == 0)
    #expect(try site.run("plan", "manifest.yaml", "--check").exitStatus == 0)
    #expect(try site.run("plan", "manifest.yaml", "--check", "--refresh").exitStatus == 0)
    try FileSystem.remove(site.directory.path("out/a.bin"))
    #expect(try site.run("plan", "manifest.yaml", "--check").exitStatus == 3)
    try site.directory.write("x", to: "out/a.bin/in-the-way")
    let conflict = try site.run("plan", "manifest.yaml", "--check")
    #expect(conflict.exitStatus == 3)
    #expect(conflict.output.text.hasPrefix("! a  bin  5 B  fail        destination-conflict  "))
    #expect(try site.run("run", "manifest.yaml").exitStatus == 1)
  }

  // MARK: Status four

  @Test func aCacheThatCannotBeUsedIsStatusFour() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    try site.directory.write("x", to: "file")
    let ended = try site.run("run", "manifest.yaml", "--cache", "file/cache")
    #expect(ended.exitStatus == 4, "\(ended)")
    let report = try site.report()
    #expect(report.exitStatus == 4 && report.error != nil && report.status == "failed")
    #expect(site.server.requests.isEmpty)
  }

  @Test(arguments: ["missing/report.json", "out"])
  func aGivenReportThatCannotBeWrittenIsStatusFourBeforeAnyRequest(_ path: String) throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    try site.directory.write("x", to: "out/other")
    let ended = try site.run("run", "manifest.yaml", "--report", path)
    #expect(ended.exitStatus == 4, "\(ended)")
    #expect(ended.output.errorText.contains("error: cannot write the report to "))
    #expect(site.server.requests.isEmpty)
    #expect(try !site.exists("cache"))
  }

  @Test func aDefaultReportThatCannotBeWrittenIsAWarning() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    try site.directory.write("x", to: "bulkget-report.json/in-the-way")
    let ended = try site.run("run", "manifest.yaml")
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(ended.output.errorText.contains("(report-unwritable)"))
    #expect(try site.exists("out/a.bin"))
  }

  // MARK: Ends before the end

  @Test func maxTimeCancelsWhatIsLeft() throws {
    let gate = try Gate()
    let site = try ProgramSite(["/slow.bin": [.respond(Response.text("x").held(by: gate))]])
    try site.writeManifest(["slow", "late"])
    let ended = try site.run("run", "manifest.yaml", "-j", "1", "--max-time", "0.5s")
    #expect(ended.exitStatus == 1, "\(ended)")
    let report = try site.report()
    #expect(report.statuses == ["cancelled", "cancelled"] && report.status == "cancelled")
  }

  @Test func failFastCancelsWhatIsLeft() throws {
    let site = try ProgramSite(["/bad.bin": [.respond(Response(404))]])
    try site.writeManifest(["bad", "b", "c"])
    let ended = try site.run("run", "manifest.yaml", "-j", "1", "--fail-fast")
    #expect(ended.exitStatus == 1, "\(ended)")
    let report = try site.report()
    #expect(report.statuses.first == "failed" && report.count("cancelled") > 0)
    #expect(report.status == "failed")
  }
}
