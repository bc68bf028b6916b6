import BulkgetSystem
import TestSupport
import Testing

/// `plan --probe`: sizes from servers, nothing on the disk, and no body read.
@Suite(.blocking) struct ProbeCases {
  private static let body = Body.pseudoRandom(3_000_000)

  /// GET is fine; HEAD is answered as given, and ranges are announced but not served.
  private func server(_ head: Response) throws -> CaseSite {
    var resource = Resource(Self.body, etag: "\"1\"")
    resource.honoursRanges = false
    let whole = resource
    return try CaseSite([
      "*": [.compute { $0.method == "HEAD" ? head : whole.response(to: $0) }]
    ])
  }

  @Test(arguments: [
    Response(405), Response(403), Response(501), Response(404), Response(200),
    Response(200).delayed(by: .seconds(3600)),
  ])
  func B059_whatHeadSaysWrongTheGETSays(head: Response) throws {
    let site = try server(head)
    let plan = try site.plan(site.entry(), options: ["--probe", "--stall-timeout", "1"])
    #expect(plan.exitStatus == 0, "\(plan)")
    #expect(try plan.file.bytes == 3_000_000, "\(plan)")
    #expect(site.server.requests.map(\.method) == ["HEAD", "GET"])
    #expect(site.server.requests.last?["Range"] == "bytes=0-0")
    let run = try site.run(site.entry())
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.holds(Self.body))
  }

  @Test func B059_aSizeThatNobodyTellsIsUnknown() throws {
    let site = try CaseSite(["*": [.compute { _ in Response(200, body: Self.body).chunked(4096) }]])
    let plan = try site.plan(site.entry(), options: ["--probe"])
    #expect(plan.exitStatus == 0, "\(plan)")
    #expect(try plan.file.bytes == nil)
  }

  @Test func B059_theOneByteGETReadsNoWholeBody() throws {
    let endless = Body.repeating(7, count: 1 << 60)
    let site = try CaseSite([
      "*": [.compute { $0.method == "HEAD" ? Response(405) : Response(200, body: endless) }]
    ])
    let plan = try site.plan(site.entry(), options: ["--probe"])
    #expect(try plan.file.bytes == 1 << 60, "\(plan)")
    try site.server.waitUntilIdle()
  }

  @Test func B059_aMirrorTellsWhatTheFirstURLDoesNot() throws {
    let site = try CaseSite(["/second.bin": [.file(Resource(Self.body))]])
    let plan = try site.plan(site.mirrored(["/first.bin", "/second.bin"]), options: ["--probe"])
    #expect(try plan.file.bytes == 3_000_000, "\(plan)")
    #expect(site.server.requests.map(\.method) == ["HEAD", "GET", "HEAD"])
  }

  @Test func B008_probeTellsSizesPast4GiB() throws {
    let length = Field("Content-Length", "6000000000")
    var response = Response(200, [length])
    response.framing = .none
    let site = try CaseSite(["*": [.respond(response)]])
    let plan = try site.plan(site.entry(), options: ["--probe"])
    #expect(try plan.file.bytes == 6_000_000_000, "\(plan)")
    #expect(site.server.requests.map(\.method) == ["HEAD"])
  }

  @Test(arguments: [["--probe"], ["--probe", "--offline"]])
  func B110_aProbeTouchesNothing(options: [String]) throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let entries = (0..<40).map { site.entry("f\($0)") }
    let launch = try site.launch("plan", entries, ["--json"] + options)
    let before = try site.directory.contents()
    let plan = try ChildProcess.run(launch)
    #expect(plan.exitStatus == 0, "\(plan)")
    #expect(try site.directory.contents() == before)
    let isOffline = options.contains("--offline")
    #expect(site.server.requests.count == (isOffline ? 0 : 40))
    #expect(site.server.requests.allSatisfy { $0.method == "HEAD" })
  }

  /// Such a body is not to be taken for the next answer on its connection.
  @Test(arguments: [7, 100_000])
  func aBodyAfterHEADConfusesNoQuestion(surplus: Int) throws {
    let file = Resource(Self.body)
    let site = try CaseSite([
      "*": [
        .compute {
          let answer = file.response(to: $0)
          return $0.method == "HEAD"
            ? answer.followed(by: Array(repeating: 7, count: surplus)) : answer
        }
      ]
    ])
    let entries = (0..<40).map { site.entry("f\($0)") }.joined()
    let plan = try site.plan(entries, options: ["--probe", "-j", "2"])
    #expect(try plan.report.files.allSatisfy { $0.bytes == 3_000_000 }, "\(plan)")
  }

  @Test func whatIsKnownOrCachedIsNotAskedAbout() throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    #expect(try site.run(site.entry("cached")).exitStatus == 0)
    let plan = try site.plan(
      site.entry("cached"), site.entry("sized", "size: 7"), site.entry("new"),
      options: ["--probe"])
    #expect(try plan.report.files.map(\.bytes) == [3_000_000, 7, 3_000_000])
    #expect(site.server.requests.filter { $0.method == "HEAD" }.map(\.path) == ["/new.bin"])
  }

  @Test func aCredentialStaysWithItsOriginHere() throws {
    let away = try TestServer(["*": [.file(Resource(Self.body))]])
    let site = try CaseSite()
    site.server.route("/a.bin", .respond(Response(302, [Field("Location", away.url("/x"))])))
    let entry = site.entry("a", "headers: {Authorization: \"Bearer SECRET\"}")
    #expect(try site.plan(entry, options: ["--probe"]).file.bytes == 3_000_000)
    #expect(site.server.requests.first?["Authorization"] == "Bearer SECRET")
    #expect(away.requests.count == 1 && away.requests.first?["Authorization"] == nil)
  }

  @Test func B059_aServerThatNeverAnswersLeavesThePlanWhole() throws {
    let site = try CaseSite(["*": [.respond(Response(200).delayed(by: .seconds(3600)))]])
    let options = ["--probe", "--stall-timeout", "1"]
    let plan = try ChildProcess.run(site.launch("plan", [site.entry()], options))
    #expect(plan.exitStatus == 0, "\(plan)")
    #expect(plan.output.text.contains("1 to download (size unknown)"), "\(plan)")
    #expect(site.server.requests.map(\.method) == ["HEAD", "GET"])
  }

  @Test func everySizeThatStaysUnknownIsCounted() throws {
    let site = try CaseSite([
      "/quiet.bin": [.compute { _ in Response(200, body: Self.body).chunked(4096) }],
      "/gone.bin": [.respond(Response(404))],
    ])
    let plan = try site.plan(site.entry("quiet"), site.entry("gone"), options: ["--probe"])
    #expect(plan.exitStatus == 0, "\(plan)")
    let warnings = try plan.report.warnings ?? []
    #expect(warnings.map(\.code) == ["size-unknown"])
    #expect(warnings.first?.message.hasPrefix("the sizes of 2 files can't be learnt") == true)
  }
}
