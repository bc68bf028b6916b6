import TestSupport
import Testing

/// A redirect is followed as the standard says, and every credential stays with its origin.
@Suite(.blocking) struct RedirectCases {
  private let body = Body.pseudoRandom(2_000)

  /// P1 redirects to P2 under the name localhost, that to P2 under its address, that back to P1.
  private func detour() throws -> (home: TestServer, away: TestServer) {
    let home = try TestServer()
    let away = try TestServer()
    home.route("/a.bin", .respond(.redirect(to: "/inside")))
    home.route("/inside", .respond(.redirect(to: away.url("/x", host: "localhost"))))
    home.route("/back", .file(Resource(body)))
    away.route("/x", .respond(.redirect(to: away.url("/y"))))
    away.route("/y", .respond(.redirect(to: home.url("/back"))))
    return (home, away)
  }

  @Test func B041_aHeaderGoesOnlyToTheOriginOfItsEntry() throws {
    let (home, away) = try detour()
    let site = try NetworkSite()
    let run = try site.run(
      """
      files:
        - id: a
          url: \(home.url("/a.bin"))
          dest: a.bin
          headers: {Authorization: Bearer SECRET}
      """)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.placed("a.bin") == body.bytes)
    #expect(
      home.requests.map { $0["Authorization"] } == [
        "Bearer SECRET", "Bearer SECRET", "Bearer SECRET",
      ])
    #expect(away.requests.map(\.path) == ["/x", "/y"])
    #expect(away.requests.allSatisfy { $0["Authorization"] == nil })
  }

  @Test func B041_userInfoGoesOnlyToTheOriginOfItsURL() throws {
    let (home, away) = try detour()
    let site = try NetworkSite()
    let url = home.url("/a.bin", host: "user:SECRET@127.0.0.1")
    let run = try site.run("files: [{id: a, url: '\(url)', dest: a.bin}]")
    #expect(run.exitStatus == 0, "\(run)")
    let given = "Basic dXNlcjpTRUNSRVQ="
    #expect(home.requests.map { $0["Authorization"] } == [given, given, given])
    #expect(away.requests.count == 2)
    #expect(away.requests.allSatisfy { $0["Authorization"] == nil })
    let heads = away.requests.map { String(decoding: $0.rawHead, as: UTF8.self) }
    #expect(!heads.joined().contains("SECRET"))
  }

  @Test func B041_eachHostGetsWhatWasGivenForIt() throws {
    let (home, away) = try detour()
    let site = try NetworkSite()
    let run = try site.run(
      """
      hosts:
        127.0.0.1:\(home.port): {auth: {bearer: HOME}}
        localhost:\(away.port): {auth: {header: {X-Key: AWAY}}}
      files: [{id: a, url: '\(home.url("/a.bin"))', dest: a.bin}]
      """)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(home.requests.allSatisfy { $0["Authorization"] == "Bearer HOME" && $0["X-Key"] == nil })
    #expect(away.requests.map { $0["X-Key"] } == ["AWAY", nil])
    #expect(away.requests.allSatisfy { $0["Authorization"] == nil })
  }

  @Test func B043_aSignedURLGetsNoCredentialAndItsQueryUnchanged() throws {
    let store = try TestServer()
    let body = body
    store.route(
      "/o",
      .compute { request in
        request["Authorization"] == nil ? Response(200, body: body) : Response(400)
      })
    let target = store.url("/o?X-Amz-Signature=abc&x=%2f", host: "localhost")
    let home = try TestServer(["/a.bin": [.respond(.redirect(307, to: target))]])
    let site = try NetworkSite()
    let run = try site.run(
      """
      hosts: {"127.0.0.1:\(home.port)": {auth: {bearer: TOKEN}}}
      files: [{id: a, url: '\(home.url("/a.bin"))', dest: a.bin}]
      """)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(home.requests.map { $0["Authorization"] } == ["Bearer TOKEN"])
    #expect(store.requests.map(\.target) == ["/o?X-Amz-Signature=abc&x=%2f"])
    #expect(
      try run.file("a").finalURL
        == store.url("/o?X-Amz-Signature=REDACTED&x=%2f", host: "localhost"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:PORT/a.bin", "insecure-redirect"),
    ("ftp://127.0.0.1:PORT/a.bin", "unsupported-scheme"),
    ("file:///etc/passwd", "unsupported-scheme"), ("data:,x", "unsupported-scheme"),
  ])
  func B044_httpsLeadsNowhereElse(target: String, code: String) throws {
    let authority = try CertificateAuthority()
    var options = TestServer.Options()
    options.identity = try authority.makeIdentity()
    let secure = try TestServer(options: options)
    try expectRefusal(from: secure, to: target, code, ["--cacert", authority.certificateFile])
  }

  @Test(arguments: ["ftp://127.0.0.1:PORT/a.bin", "file:///etc/passwd", "data:,x"])
  func B044_httpLeadsOnlyToHTTP(target: String) throws {
    try expectRefusal(from: try TestServer(), to: target, "unsupported-scheme", [])
  }

  private func expectRefusal(
    from server: TestServer, to target: String, _ code: String, _ options: [String]
  ) throws {
    let plain = try TestServer(["*": [.file(Resource(body))]])
    server.route("*", .respond(.redirect(to: target.replacing("PORT", with: "\(plain.port)"))))
    let site = try NetworkSite()
    let run = try site.run("files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin}]", options)
    #expect(run.exitStatus == 1)
    #expect(try run.failures == ["a": code], "\(run)")
    #expect(server.requests.count == 1)
    #expect(plain.log.acceptedConnections == 0)
    #expect(try site.placed("a.bin") == nil)
  }

  @Test func B046_oddLocationsAreRepairedOnceAndResolvedAgainstTheirSender() throws {
    let server = try TestServer()
    let body = body
    let locations: [(id: String, location: String, target: String)] = [
      ("spaces", "/dl/My Kit/x y.zip", "/dl/My%20Kit/x%20y.zip"),
      ("raw", "/dl/données.bin", "/dl/donn%C3%A9es.bin"),
      ("encoded", "/dl/My%20Kit/%C3%a9.bin", "/dl/My%20Kit/%C3%a9.bin"),
      ("dots", "../c/d.bin", "/c/d.bin"), ("host", "//127.0.0.1:\(server.port)/e.bin", "/e.bin"),
      ("query", "?v=2", "/a/query?v=2"), ("fragment", "/f.bin#part", "/f.bin"),
    ]
    for (id, location, _) in locations {
      server.route("/a/\(id)", .respond(Response(302, [Field("location", location)])))
    }
    server.route("/a/query?v=2", .respond(Response(200, body: body)))
    server.route("*", .respond(Response(200, body: body)))
    let entries = locations.map {
      "  - {id: \($0.id), url: '\(server.url("/a/\($0.id)"))', dest: \($0.id)}"
    }
    let site = try NetworkSite()
    let run = try site.run("files:\n" + entries.joined(separator: "\n"))
    #expect(run.exitStatus == 0, "\(run)")
    let asked = Set(server.requests.map(\.target))
    for (id, _, target) in locations {
      #expect(asked.contains(target), "\(id)")
      #expect(try site.placed(id) == body.bytes)
    }
    #expect(server.requests.count == 2 * locations.count)
  }

  @Test func twentyRedirectsAreFollowedAndNoMore() throws {
    let body = body
    let server = try TestServer { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return number == 0 ? Response(200, body: body) : .redirect(to: "/\(number - 1)")
    }
    let site = try NetworkSite()
    let run = try site.run(
      """
      files:
        - {id: "20", url: '\(server.url("/20"))'}
        - {id: "21", url: '\(server.url("/21"))'}
      """)
    #expect(try run.failures == ["21": "too-many-redirects"], "\(run)")
  }

  // MARK: A target that expires

  private let large = Body.pseudoRandom(10_000_000)

  private func expiring() throws -> TestServer {
    let resource = Resource(large, etag: "\"v1\"")
    return try TestServer([
      "/a.bin": [.respond(.redirect(to: "/signed?t=1")), .respond(.redirect(to: "/signed?t=2"))],
      "/signed?t=1": [.file(resource) { $0.cut(after: 4_000_000) }, .respond(Response(403))],
      "/signed?t=2": [.file(resource)],
    ])
  }

  private func expectResumption(_ server: TestServer, _ site: NetworkSite, _ run: NetworkRun) throws
  {
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.requests.map(\.target) == ["/a.bin", "/signed?t=1", "/a.bin", "/signed?t=2"])
    let resumed = try #require(server.requests.last)
    #expect(resumed["If-Range"] == "\"v1\"")
    let start = try #require(resumed["Range"].flatMap { Int64($0.dropFirst(6).dropLast()) })
    #expect((1...4_000_000).contains(start))
    #expect(try run.file("a").resumedBytes == start)
    #expect(try site.placed("a.bin") == large.bytes)
  }

  @Test func B047_aRetryAsksTheManifestURLAgainAndResumes() throws {
    let (server, site) = (try expiring(), try NetworkSite())
    let run = try site.run("files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin}]")
    try expectResumption(server, site, run)
    #expect(try run.file("a").attempts.count == 2)
  }

  @Test func B047_aLaterRunAsksTheManifestURLAgainAndResumes() throws {
    let (server, site) = (try expiring(), try NetworkSite())
    let manifest = "files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin}]"
    let first = try site.run(manifest, ["--retries", "0"])
    #expect(try first.failures == ["a": "truncated"], "\(first)")
    let second = try site.run(manifest, ["--retries", "0"])
    try expectResumption(server, site, second)
    #expect(try second.file("a").attempts.count == 1)
  }

  @Test func B047_forbiddenIsNotRetried() throws {
    let server = try TestServer([
      "/a.bin": [.respond(.redirect(to: "/b"))], "/b": [.respond(Response(403))],
    ])
    let run = try NetworkSite().run("files: [{id: a, url: '\(server.url("/a.bin"))'}]")
    #expect(try run.failures == ["a": "http-status"])
    #expect(server.requests.count == 2)
  }
}
