import BulkgetSystem
import TestSupport
import Testing

/// TLS of the test server, seen by the `openssl` command.
@Suite
struct TestServerTLSTests {
  private let authority: CertificateAuthority
  private let options: TestServer.Options

  init() throws {
    authority = try CertificateAuthority()
    var options = TestServer.Options()
    options.identity = try authority.makeIdentity()
    self.options = options
  }

  private func client(to server: TestServer, _ more: [String] = []) throws -> EndedProcess {
    let arguments = [
      "s_client", "-connect", server.authority, "-quiet", "-verify_quiet", "-ign_eof",
      "-verify_return_error",
    ]
    let request = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    return try ChildProcess.run(
      Launch("openssl", arguments + more).with { $0.input = .bytes(Array(request.utf8)) })
  }

  private var trusting: [String] { ["-CAfile", authority.certificateFile] }

  @Test func servesOverTLSAndSaysFarewell() throws {
    let server = try TestServer(["/a": [.respond(.text("secret"))]], options: options)
    #expect(server.url("/a").hasPrefix("https://127.0.0.1:"))
    let ended = try client(to: server, trusting)
    #expect(ended.output.text.hasSuffix("\r\n\r\nsecret"))
    #expect(ended.exitStatus == 0)
    #expect(server.requests.map(\.target) == ["/a"])
  }

  @Test func sendsLargeBodies() throws {
    let body = Body.pseudoRandom(1_000_000)
    let server = try TestServer(["/a": [.respond(Response(body: body))]], options: options)
    let ended = try client(to: server, trusting)
    #expect(Array(ended.output.standardOutput.suffix(1_000_000)) == body.bytes)
  }

  @Test func canEndWithoutAFarewell() throws {
    let response = Response.text("secret").adding(.closeWithoutNotice, at: .body(6))
    let server = try TestServer(["/a": [.respond(response)]], options: options)
    let ended = try client(to: server, trusting)
    #expect(ended.output.text.hasSuffix("\r\n\r\nsecret"))
    #expect(ended.output.errorText.contains("unexpected eof"))
  }

  @Test func nobodyTrustsItsAuthorityWithoutBeingTold() throws {
    let server = try TestServer(["/a": [.respond(.text("secret"))]], options: options)
    let ended = try client(to: server)
    #expect(ended.exitStatus != 0)
    #expect(server.requests.isEmpty)
    try server.wait(for: "failed handshake") { $0.problems.isEmpty ? nil : () }
  }

  @Test func aHashedDirectoryIsFoundByItsHash() throws {
    let server = try TestServer(["/a": [.respond(.text("secret"))]], options: options)
    let directory = try authority.makeHashedDirectory()
    #expect(try client(to: server, ["-CApath", directory]).output.text.hasSuffix("secret"))
  }

  @Test func aHandshakeCanStandStill() throws {
    let server = try TestServer.raw { try $0.pauseForEver() }
    let process = try ChildProcess(Launch("openssl", ["s_client", "-connect", server.authority]))
    try server.wait(for: "connection") { $0.acceptedConnections == 1 ? () : nil }
    server.stop()
    #expect(try process.wait().exitStatus != 0)
  }
}
