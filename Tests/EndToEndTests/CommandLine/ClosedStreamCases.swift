import TestSupport
import Testing

/// Standard streams that are closed, full, or read by nobody.
@Suite(.blocking) struct ClosedStreamCases {
  @Test func B107_aPlanIntoHeadEndsQuietly() throws {
    let site = try ProgramSite()
    try site.writeManifest(count: 5000)
    let ended = try site.shell(
      #"{ "$0" plan manifest.yaml; echo "status $?" >&2; } | head -n 1"#)
    #expect(ended.output.text.hasPrefix("+ f0 "))
    #expect(ended.output.text.split(separator: "\n").count == 1)
    #expect(ended.output.errorText == "status 0\n")
  }

  @Test(arguments: [("", 0), ("missing", 1)])
  func B107_aRunIntoHeadFinishesItsFilesAndItsReport(_ extra: String, _ status: Int) throws {
    let site = try ProgramSite(["/missing.bin": [.respond(Response(404))]])
    try site.writeManifest((0..<200).map { "f\($0)" } + (extra.isEmpty ? [] : [extra]))
    let ended = try site.shell(
      #"{ "$0" run manifest.yaml -v 2>&1; echo "$?" > status; } | head -n 1"#)
    #expect(ended.output.text.split(separator: "\n").count == 1)
    #expect(try site.directory.read("status") == Array("\(status)\n".utf8))
    let report = try site.report()
    #expect(report.exitStatus == status && report.count("downloaded") == 200)
  }

  /// Which streams are closed.
  struct Closing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout Launch) -> Void
  }

  static let closings = [
    Closing(testDescription: ">&-") { $0.output = .closed },
    Closing(testDescription: "2>&-") { $0.errorOutput = .closed },
    Closing(testDescription: "<&-") { $0.input = .closed },
    Closing(testDescription: "all of them") {
      $0.input = .closed
      $0.output = .closed
      $0.errorOutput = .closed
    },
    Closing(testDescription: "2> /dev/full") { $0.errorOutput = .file("/dev/full") },
    Closing(testDescription: "2> a broken pipe") { $0.errorOutput = .brokenPipe },
  ]

  @Test(arguments: closings)
  func B107_noFileReceivesWhatWasMeantForAClosedStream(_ closing: Closing) throws {
    let body = Body.pseudoRandom(300_000)
    let site = try ProgramSite(["/missing.bin": [.respond(Response(404))]], body: body)
    try site.writeManifest(["a", "b", "c", "missing"])
    let ended = try site.run("run", "manifest.yaml", "-v", change: closing.change)
    #expect(ended.exitStatus == 1, "\(ended)")
    #expect(try site.report().statuses == ["downloaded", "downloaded", "downloaded", "failed"])
    #expect(try site.files(below: "out") == ["out/a.bin", "out/b.bin", "out/c.bin"])
    let cached = try site.files(below: "cache/files")
    #expect(cached.count == 3)
    for name in try cached + site.files(below: "out") {
      #expect(try site.directory.read(name) == body.bytes)
    }
  }

  @Test func B107_aPlanForNobodyIsNoReasonToCrash() throws {
    let site = try ProgramSite()
    try site.writeManifest(count: 3)
    let ended = try site.run("plan", "manifest.yaml") { $0.output = .closed }
    #expect(ended.exitStatus == 4, "\(ended)")
    #expect(ended.output.errorText.contains("cannot write to standard output"))
  }

  @Test(arguments: [
    ["plan", "manifest.yaml"], ["plan", "manifest.yaml", "--json"],
    ["run", "manifest.yaml", "--report", "-"], ["--help"], ["schema", "report"], ["cache", "dir"],
  ])
  func B107_aFullDeviceIsStatusFourAndSaid(_ words: [String]) throws {
    let site = try ProgramSite()
    try site.writeManifest(count: 20)
    let ended = try ChildProcess.run(site.launch(words).with { $0.output = .file("/dev/full") })
    #expect(ended.exitStatus == 4, "\(ended)")
    #expect(
      ended.output.errorText.contains("error: cannot write to standard output: No space left"))
  }

  @Test func B103_aManifestFromClosedStandardInputIsRefused() throws {
    let site = try ProgramSite()
    let ended = try site.run("run", "-") { $0.input = .closed }
    #expect(ended.exitStatus == 2, "\(ended)")
    #expect(try site.report().problems?.count == 1)
  }
}
