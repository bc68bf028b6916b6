import TestSupport
import Testing

/// Trust comes from where the user said, and a missing farewell is judged by what the body proves.
@Suite(.blocking) struct SecureCases {
  private static let authority = Result { try CertificateAuthority() }
  private let body = Body.pseudoRandom(200_000)

  private func server(_ response: Response) throws -> (server: TestServer, file: String) {
    let authority = try Self.authority.get()
    var options = TestServer.Options()
    options.identity = try authority.makeIdentity("server\(UInt64.random(in: 0 ... .max))")
    return (
      try TestServer(["*": [.respond(response)]], options: options), authority.certificateFile
    )
  }

  private func run(
    _ response: Response, _ site: NetworkSite, proof: String = "", retries: Int = 0
  ) throws -> (run: NetworkRun, server: TestServer) {
    let (server, file) = try server(response)
    let run = try site.run(
      "files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin\(proof)}]",
      NetworkSite.patience + ["--cacert", file, "--retries", "\(retries)"])
    return (run, server)
  }

  // MARK: B116

  enum Framing: CaseIterable {
    case length, chunked
  }

  @Test(arguments: Framing.allCases)
  func B116_aBodyThatIsCompleteByItselfNeedsNoFarewell(framing: Framing) throws {
    let whole = Response(200, body: body).adding(.closeWithoutNotice, at: .end)
    let site = try NetworkSite()
    let (run, _) = try run(framing == .length ? whole : whole.chunked(), site)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.placed("a.bin") == body.bytes)
  }

  private var openEnded: Response {
    Response(200, body: body).framed(.untilClose).adding(.closeWithoutNotice, at: .end)
  }

  @Test func B116_withoutLengthAndFarewellABodyIsTruncated() throws {
    let site = try NetworkSite()
    let (run, _) = try run(openEnded, site)
    #expect(try run.failures == ["a": "truncated"], "\(run)")
    #expect(try site.placed("a.bin") == nil)
  }

  @Test func B116_aDigestOrASizeProvesIt() throws {
    for proof in [", size: 200000", ", sha256: \(body.hexadecimalDigest())"] {
      let site = try NetworkSite()
      let (run, _) = try run(openEnded, site, proof: proof)
      #expect(run.exitStatus == 0, "\(run)")
      #expect(try site.placed("a.bin") == body.bytes)
    }
  }

  @Test func B116_aWrongSizeOrDigestRefutesIt() throws {
    let refuted = [
      ", size: 200001", ", sha256: \(Body.pseudoRandom(200_001).hexadecimalDigest())",
    ]
    for proof in refuted {
      let (run, _) = try run(openEnded, try NetworkSite(), proof: proof)
      #expect(try run.failures == ["a": "truncated"], "\(run)")
    }
  }

  @Test func B116_withAFarewellABodyNeedsNoLength() throws {
    let site = try NetworkSite()
    let (run, _) = try run(Response(200, body: body).framed(.untilClose), site)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.placed("a.bin") == body.bytes)
    #expect(try run.file("a").warnings.count == 1)
  }

  @Test func B116_aCutBodyIsTruncatedAndRetried() throws {
    let cut = Response(200, body: body).adding(.closeWithoutNotice, at: .body(140_000))
    let (run, server) = try run(cut, try NetworkSite(), retries: 1)
    #expect(try run.failures == ["a": "truncated"], "\(run)")
    #expect(server.requests.count == 2)
  }

  // MARK: B118

  @Test func B118_withoutItsAuthorityAServerIsNotTrusted() throws {
    let (server, _) = try server(Response(200, body: body))
    let run = try NetworkSite().run("files: [{id: a, url: '\(server.url("/a.bin"))'}]")
    #expect(try run.failures == ["a": "tls"], "\(run)")
    #expect(try run.file("a").error?.message.contains("--cacert") == true)
    #expect(try run.file("a").attempts.count == 1)
  }

  @Test func B118_aCertificateForAnotherNameIsNotTrusted() throws {
    let authority = try Self.authority.get()
    var options = TestServer.Options()
    options.identity = try authority.makeIdentity("other", for: ["DNS:other.example"])
    let server = try TestServer(["*": [.respond(Response(200, body: body))]], options: options)
    let run = try NetworkSite().run(
      "files: [{id: a, url: '\(server.url("/a.bin"))'}]", ["--cacert", authority.certificateFile])
    #expect(try run.failures == ["a": "tls"], "\(run)")
  }

  @Test(arguments: ["missing.pem", "empty.pem", "text.pem"])
  func B118_aBadFileOfAuthoritiesEndsTheRunAtOnce(name: String) throws {
    let (server, _) = try server(Response(200, body: body))
    let site = try NetworkSite()
    try site.directory.write("", to: "empty.pem")
    try site.directory.write("no certificate", to: "text.pem")
    let run = try site.run("files: [{id: a, url: '\(server.url("/a.bin"))'}]", ["--cacert", name])
    #expect(run.exitStatus == 2, "\(run)")
    #expect(run.errorText.contains(name))
    #expect(server.log.acceptedConnections == 0)
  }
}
