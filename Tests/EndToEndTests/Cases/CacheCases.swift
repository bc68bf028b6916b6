import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// Group 7, and the bound of group 11: many entries and many jobs, one cache, one bound.
@Suite(.blocking) struct CacheCases {
  private static let body = Body.pseudoRandom(300_000)

  @Test func B074_oneURLOrOneDigestInSeveralEntries() throws {
    let shared = Body.pseudoRandom(200_000, seed: 7)
    let special = Body.pseudoRandom(100_000, seed: 8)
    let site = try CaseSite([
      "/x": [
        .compute { request in
          Resource(request["X-Variant"] == "1" ? special : Self.body).response(to: request)
        }
      ],
      "/c": [.file(Resource(shared))], "/d": [.file(Resource(shared))],
    ])
    let entries = [
      site.entry("a", path: "/x"), site.entry("b", path: "/x"),
      site.entry("c", path: "/c", shared.sha256), site.entry("d", path: "/d", shared.sha256),
      site.entry("e", path: "/x", "headers: { X-Variant: \"1\" }"),
    ]
    let run = try site.run(site.launch("run", entries, ["-j", "8"]))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.map(\.id) == ["a", "b", "c", "d", "e"])
    #expect(
      site.server.requests(to: "/x").map { $0["X-Variant"] }.sorted { $0 ?? "" < $1 ?? "" } == [
        nil, "1",
      ])
    #expect(site.server.requests.filter { $0.path == "/c" || $0.path == "/d" }.count == 1)
    for (id, body) in [
      ("a", Self.body), ("b", Self.body), ("c", shared), ("d", shared), ("e", special),
    ] {
      #expect(try site.holds(body, at: "out/\(id).bin"), "\(id)")
    }
  }

  @Test(
    .enabled(if: OrdinaryUser.obstacle == nil, Comment(rawValue: OrdinaryUser.obstacle ?? "")))
  func B076_aReadOnlyCache() throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let entry = site.entry("a", Self.body.sha256)
    #expect(try site.run(entry).exitStatus == 0)
    for (name, status) in try site.directory.contents() where name.hasPrefix("cache") {
      try FileSystem.setPermissions(status.permissions & 0o555, of: site.directory.path(name))
    }
    try FileSystem.setPermissions(0o777, of: site.directory.path)
    let before = try site.directory.contents().filter { $0.key.hasPrefix("cache") }

    let hits = try site.run(site.launch("run", [entry], output: "out2").asOrdinaryUser())
    #expect(hits.exitStatus == 0, "\(hits)")
    #expect(try hits.statuses == ["cached"])
    #expect(try site.holds(Self.body, at: "out2/a.bin"))

    let both = try site.launch("run", [entry, site.entry("b")], output: "out3")
    let run = try site.run(both.asOrdinaryUser())
    #expect(run.exitStatus == 1, "\(run)")
    #expect(try run.statuses == ["cached", "failed"])
    #expect(try run.file("b").error?.code == "cache-unwritable")
    #expect(try run.file("b").error?.message.contains(site.directory.path("cache")) == true)
    #expect(try site.holds(Self.body, at: "out3/a.bin"))
    #expect(try site.directory.contents().filter { $0.key.hasPrefix("cache") } == before)
  }

  @Test(arguments: [0o022, 0o002, 0o077, 0o000] as [mode_t])
  func B080_permissions(mask: mode_t) throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    try site.directory.write("old", to: "out/a.bin")
    try FileSystem.setPermissions(0o755, of: site.directory.path("out/a.bin"))
    let entries = [
      site.entry("a"),
      site.entry(
        "b", dest: "new/b.bin", "executable: true", "sha256: \(Self.body.hexadecimalDigest())"),
    ]
    let launch = try site.launch("run", entries).with {
      $0.prelude = "umask \(String(mask, radix: 8))"
    }
    let run = try site.run(launch)
    #expect(run.exitStatus == 0, "\(run)")
    var expected: [String: mode_t] = [
      "out/a.bin": 0o666, "out/new/b.bin": 0o777, "out/new": 0o777, "report.json": 0o666,
      "cache": 0o777, "cache/files": 0o777,
    ]
    for name in try site.files(below: "cache/files") { expected[name] = 0o444 }
    #expect(expected.count == 8)
    let contents = try site.directory.contents()
    for (name, mode) in expected {
      #expect(contents[name]?.permissions == mode & ~mask, "\(name)")
    }
  }

  @Test(arguments: [1, 4, 16])
  func B113_theBoundHolds(jobs: Int) throws {
    let site = try CaseSite { request in
      let number = Int(request.path.dropFirst().dropLast(4)) ?? 0
      let answer = Response(body: "x").delayed(by: .milliseconds(10))
      switch (number % 5, request.numberForPath) {
      case (1, 1): return Response(503).delayed(by: .milliseconds(10))
      case (2, 1): return Response.redirect(to: "/moved-\(number)").delayed(by: .milliseconds(10))
      case (3, 1): return Response(429, [Field("Retry-After", "0")]).delayed(by: .milliseconds(10))
      default: return answer
      }
    }
    let entries = (0..<jobs * 10).map { site.entry("\($0)") }
    let run = try site.run(site.launch("run", entries, ["-j", "\(jobs)"]))
    #expect(run.exitStatus == 0, "\(run)")
    // Answers of 429 and 503 calm the host, so that this run need not reach the bound; the next one has to.
    #expect(site.server.log.maximumInFlight <= jobs)
  }

  /// Requests are let go only when as many as the bound are there: fewer at once would never end.
  @Test(arguments: [4, 16])
  func B113_theBoundIsReached(jobs: Int) throws {
    let gate = try Gate()
    let site = try CaseSite(["*": [.respond(Response(body: "x").held(by: gate))]])
    let process = try ChildProcess(
      site.launch("run", (0..<jobs * 3).map { site.entry("\($0)") }, ["-j", "\(jobs)"]))
    try site.server.waitForRequests(jobs)
    gate.open()
    #expect(try site.ended(process.wait()).exitStatus == 0)
    #expect(site.server.log.maximumInFlight == jobs)
  }

  /// Each answer takes 50 ms and waits until the sixteenth of its group has been asked for: with fewer requests in flight
  /// the run would never end, and with more the server would have seen them.
  @Test func B113_sixteenAreInFlightAgainAndAgain() throws {
    let jobs = 16
    let gates = try (0..<19).map { _ in try Gate() }
    let site = try CaseSite { request in
      let gate = gates[min((request.number - 1) / jobs, gates.count - 1)]
      if request.number % jobs == 0 { gate.open() }
      return Response(body: "x").held(by: gate).delayed(by: .milliseconds(50))
    }
    let entries = (0..<jobs * gates.count).map { site.entry("\($0)") }
    let run = try site.run(site.launch("run", entries, ["-j", "\(jobs)", "--retries", "0"]))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(site.server.log.maximumInFlight == jobs)
    #expect(site.server.requests.count == entries.count)
  }
}

extension CaseSite {
  fileprivate convenience init(_ answer: @escaping @Sendable (Request) -> Response) throws {
    try self.init(["*": [.compute(answer)]])
  }
}
