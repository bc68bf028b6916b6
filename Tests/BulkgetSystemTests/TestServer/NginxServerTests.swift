import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite
struct NginxServerTests {
  private func directory(with text: String) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try FileDescriptor(opening: directory.path + "/a.txt", O_WRONLY | O_CREAT, mode: 0o644)
      .write(Array(text.utf8))
    return directory
  }

  private func get(_ target: String, from port: UInt16) throws -> PlainClient.Reply {
    let client = try PlainClient(to: port)
    try client.send(target, [Field("Connection", "close")])
    return try client.receiveAll()
  }

  @Test func servesADirectory() throws {
    let directory = try directory(with: "from nginx")
    let server = try NginxServer(NginxServer.Options(root: directory.path))
    #expect(try get("/a.txt", from: server.port).body == Array("from nginx".utf8))
    #expect(try server.accessLog().contains { $0.hasPrefix("HTTP/1.1 GET /a.txt 200 ") })
  }

  @Test func speaksHTTP2OverTLSWithACertificateOfItsAuthority() throws {
    let directory = try directory(with: "secret")
    let server = try NginxServer(NginxServer.Options(root: directory.path))
    let client = try ChildProcess.run(
      Launch(
        "openssl",
        [
          "s_client", "-connect", "127.0.0.1:\(server.securePort)", "-CAfile",
          server.authority.certificateFile, "-verify_return_error", "-verify_ip", "127.0.0.1",
          "-alpn", "h2",
        ]))
    #expect(client.exitStatus == 0, "\(client)")
    #expect(client.output.text.contains("ALPN protocol: h2"))
  }

  @Test func directivesCanBeAdded() throws {
    let directory = try directory(with: "x")
    var options = NginxServer.Options(root: directory.path)
    options.serverDirectives = "location = /teapot { return 418; }"
    let server = try NginxServer(options)
    #expect(try get("/teapot", from: server.port).head.hasPrefix("HTTP/1.1 418"))
  }

  @Test func aWrongDirectiveIsAnErrorWithNginxsWords() throws {
    var options = NginxServer.Options(root: "/")
    options.httpDirectives = "no_such_directive;"
    #expect {
      try NginxServer(options)
    } throws: { error in
      "\(error)".contains("unknown directive \"no_such_directive\"")
    }
  }

  @Test func stoppingEndsIt() throws {
    let directory = try directory(with: "x")
    let server = try NginxServer(NginxServer.Options(root: directory.path))
    server.stop()
    #expect(throws: (any Error).self) { try PlainClient(to: server.port) }
  }
}
