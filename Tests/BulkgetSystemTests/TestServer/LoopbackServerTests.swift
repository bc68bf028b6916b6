import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The built `loopback-server`.
@Suite
struct LoopbackServerTests {
  private func launch(_ arguments: String...) throws -> Launch {
    Launch(try BuiltProducts.path(of: "loopback-server"), arguments)
  }

  private func port(of process: ChildProcess) throws -> UInt16 {
    try process.wait(for: "address") { $0.text.hasSuffix("\n") }
    let text = process.output.text
    #expect(text.hasPrefix("listening on http://127.0.0.1:"))
    return try #require(UInt16(text.split(separator: ":").last?.dropLast() ?? ""))
  }

  private func get(_ target: String, from port: UInt16) throws -> PlainClient.Reply {
    let client = try PlainClient(to: port)
    try client.send(target, [Field("Connection", "close")])
    return try client.receiveAll()
  }

  @Test func servesTheDemoFilesWithTheDigestsThatItPrints() throws {
    let printed = try ChildProcess.run(launch("--print-digests")).output.text
    let process = try ChildProcess(launch("--demo"))
    let port = try port(of: process)
    let lines = printed.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count == 5)
    for line in lines {
      let body = Body.bytes(try get(String(line[2]), from: port).body)
      #expect(String(body.count) == line[0])
      #expect(body.hexadecimalDigest() == line[1])
    }
    process.send(SIGTERM)
    #expect(try process.wait().termination == .signalled(SIGTERM))
  }

  @Test func servesFilesBelowARootAndNothingElse() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.makeDirectories(directory.path + "/root/a b")
    for (path, text) in [("secret", "secret"), ("root/a b/c", "content")] {
      try FileDescriptor(opening: "\(directory.path)/\(path)", O_WRONLY | O_CREAT, mode: 0o600)
        .write(Array(text.utf8))
    }
    let process = try ChildProcess(launch("--root", directory.path + "/root"))
    let port = try port(of: process)
    #expect(try get("/a%20b/c", from: port).body == Array("content".utf8))
    #expect(try get("/a%20b", from: port).head.hasPrefix("HTTP/1.1 404"))
    #expect(try get("/../secret", from: port).head.hasPrefix("HTTP/1.1 400"))
    #expect(try get("/%2e%2e/secret", from: port).head.hasPrefix("HTTP/1.1 400"))
    #expect(try get("/%00", from: port).head.hasPrefix("HTTP/1.1 400"))
  }

  @Test func endsWhenThePipeAtItsInputCloses() throws {
    let ended = try ChildProcess.run(launch("--demo").with { $0.input = .bytes([]) })
    #expect(ended.exitStatus == 0)
  }

  @Test(arguments: [["--port"], ["--port", "70000"], ["--unknown"], ["file"]])
  func wrongWordsAreExplained(arguments: [String]) throws {
    let ended = try ChildProcess.run(launch().with { $0.arguments = arguments })
    #expect(ended.exitStatus == 2)
    #expect(ended.output.errorText.hasPrefix("usage: loopback-server "))
  }

  @Test func aPortThatIsTakenIsAnError() throws {
    let server = try TestServer()
    let ended = try ChildProcess.run(launch("--port", "\(server.port)"))
    #expect(ended.exitStatus == 1)
    #expect(ended.output.errorText.hasPrefix("error: cannot bind"))
  }
}
