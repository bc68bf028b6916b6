import BulkgetSystem
import TestSupport
import Testing

/// Variables, directories and limits that the program finds itself with.
@Suite(.blocking) struct SurroundingsCases {
  // MARK: Places

  @Test(arguments: ["empty", "missing", "file"])
  func B082_nothingIsWrittenToTheTemporaryDirectory(_ kind: String) throws {
    let body = Body.pseudoRandom(20 << 20)
    let site = try ProgramSite(body: body)
    try site.writeManifest(["a"])
    try site.directory.write("", to: "empty/.keep")
    try site.directory.write("", to: "file")
    let ended = try site.run("run", "manifest.yaml") {
      $0.environment["TMPDIR"] = site.directory.path(kind)
    }
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(try site.files(below: "empty") == ["empty/.keep"])
    #expect(try !site.exists("missing"))
    #expect(try site.directory.read("out/a.bin") == body.bytes)
  }

  @Test func B082_withoutHOMEThereHasToBeACache() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    let lost = try site.run("run", "manifest.yaml") {
      $0.environment["BULKGET_CACHE"] = nil
      $0.unset = ["HOME"]
    }
    #expect(lost.exitStatus == 4, "\(lost)")
    #expect(lost.output.errorText.contains("hint: name a directory with `--cache DIR`"))
    let found = try site.run("run", "manifest.yaml", "--cache", "c") {
      $0.environment["BULKGET_CACHE"] = nil
      $0.unset = ["HOME"]
    }
    #expect(found.exitStatus == 0, "\(found)")
    #expect(try site.exists("c/CACHEDIR.TAG"))
  }

  @Test func theCacheIsFoundByVariables() throws {
    let site = try ProgramSite()
    let print = { (environment: [String: String]) in
      try site.run("cache", "dir") { $0.environment = environment }.output.text
    }
    let here = site.directory.path
    #expect(try print(["HOME": "/h"]) == "/h/.cache/bulkget\n")
    #expect(try print(["HOME": "/h", "XDG_CACHE_HOME": "/x"]) == "/x/bulkget\n")
    #expect(
      try print(["HOME": "/h", "XDG_CACHE_HOME": "/x", "BULKGET_CACHE": "c"]) == "\(here)/c\n")
  }

  // MARK: Variables

  @Test func variablesStandInForOptionsAndTheCommandLineWins() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a", "b"])
    let ended = try site.run("run", "manifest.yaml", "--report", "mine.json") {
      $0.environment["BULKGET_ONLY"] = "a"
      $0.environment["BULKGET_REPORT"] = "theirs.json"
      $0.environment["BULKGET_OFFLINE"] = "0"
    }
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(try site.report("mine.json").statuses == ["downloaded", "skipped"])
    #expect(try !site.exists("theirs.json") && !site.exists("bulkget-report.json"))
  }

  @Test(arguments: [
    ("BULKGET_JOBS", "many"), ("BULKGET_OFFLINE", "perhaps"), ("BULKGET_STALL_TIMEOUT", "0s"),
  ])
  func aVariableThatIsWrongIsNamed(_ name: String, _ value: String) throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    let ended = try site.run("run", "manifest.yaml") { $0.environment[name] = value }
    #expect(ended.exitStatus == 2, "\(ended)")
    #expect(ended.output.errorText.contains(name) && ended.output.errorText.contains("`\(value)`"))
  }

  @Test func offlineFailsWhatIsNotCachedWithoutARequest() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    let ended = try site.run("run", "manifest.yaml") { $0.environment["BULKGET_OFFLINE"] = "1" }
    #expect(ended.exitStatus == 1, "\(ended)")
    #expect(try site.report().files?.first?.error?.code == "offline")
    #expect(site.server.requests.isEmpty)
  }

  @Test(arguments: [
    ["SSL_CERT_FILE": "missing.pem"], ["CURL_CA_BUNDLE": "empty.pem"], ["SSL_CERT_DIR": "/no/such"],
    ["BULKGET_CACERT": "text.pem"],
  ])
  func B118_badCertificatesAreStatusTwoBeforeAnyConnection(_ environment: [String: String]) throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    try site.directory.write("", to: "empty.pem")
    try site.directory.write("nothing of the kind\n", to: "text.pem")
    let ended = try site.run("run", "manifest.yaml") {
      $0.environment.merge(environment) { $1 }
    }
    #expect(ended.exitStatus == 2, "\(ended)")
    let (name, value) = try #require(environment.first)
    #expect(ended.output.errorText.contains(value))
    #expect(ended.output.errorText.contains(name == "BULKGET_CACERT" ? "`--cacert`" : "`\(name)`"))
    #expect(try site.report().problems?.count == 1)
    #expect(site.server.requests.isEmpty)
  }

  // MARK: Limits

  @Test(arguments: [64, 32])
  func B089_fewDescriptorsMeanFewerDownloadsAtOnce(_ limit: Int) throws {
    let body = Body.pseudoRandom(20_000)
    let site = try ProgramSite(body: body)
    try site.writeManifest(count: 500)
    let ended = try site.run("run", "manifest.yaml", "-j", "64") {
      $0.prelude = "ulimit -n \(limit)"
    }
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(ended.output.errorText.contains("warning: "))
    let report = try site.report()
    #expect(report.count("downloaded") == 500 && report.warnings?.isEmpty == false)
    let files = try site.files(below: "out")
    #expect(files.count == 500)
    for name in files { #expect(try site.directory.read(name) == body.bytes) }
    #expect(site.server.log.maximumInFlight < limit)
  }

  @Test func B089_aLimitThatCanBeRaisedIs() throws {
    let site = try ProgramSite()
    try site.writeManifest(count: 100)
    let ended = try site.run("run", "manifest.yaml", "-j", "16") { $0.prelude = "ulimit -S -n 32" }
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(!ended.output.errorText.contains("warning: "))
  }

  @Test(arguments: [8, 16])
  func B089_tooFewDescriptorsForOneDownloadAreStatusFour(_ limit: Int) throws {
    let site = try ProgramSite()
    try site.writeManifest(count: 5)
    let ended = try site.run("run", "manifest.yaml", "-j", "64") {
      $0.prelude = "ulimit -n \(limit)"
    }
    #expect(ended.exitStatus == 4, "\(ended)")
    #expect(
      ended.output.errorText.contains("only \(limit) files may be open at once, one download"))
    #expect(ended.output.errorText.contains("ulimit -n"))
    #expect(site.server.requests.isEmpty)
  }
}
