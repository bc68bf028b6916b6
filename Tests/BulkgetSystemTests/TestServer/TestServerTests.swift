import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite
struct TestServerTests {
  @Test func stepsFollowOneAnotherAndTheLastRepeats() throws {
    let server = try TestServer(["/a": [.respond(.text("one")), .respond(.text("two"))]])
    let bodies = try (1...3).map { _ in try PlainClient.get("/a", from: server).body }
    #expect(bodies == ["one", "two", "two"].map { Array($0.utf8) })
    #expect(server.requests(to: "/a").map(\.numberForPath) == [1, 2, 3])
  }

  @Test func routesByTargetThenPathThenStar() throws {
    let server = try TestServer([
      "/a?x=1": [.respond(.text("query"))], "/a": [.respond(.text("path"))],
      "*": [.respond(.text("any"))],
    ])
    let bodies = try ["/a?x=1", "/a?x=2", "/b"].map { try PlainClient.get($0, from: server).body }
    #expect(bodies == ["query", "path", "any"].map { Array($0.utf8) })
  }

  @Test func anUnknownPathIsNotFound() throws {
    let server = try TestServer()
    #expect(try PlainClient.get("/", from: server).head.hasPrefix("HTTP/1.1 404 "))
  }

  @Test func aScriptCanBeReplaced() throws {
    let server = try TestServer(["/a": [.respond(.text("old"))]])
    _ = try PlainClient.get("/a", from: server)
    server.route("/a", .respond(.text("new")), .respond(.text("newer")))
    #expect(try PlainClient.get("/a", from: server).body == Array("new".utf8))
    #expect(try PlainClient.get("/a", from: server).body == Array("newer".utf8))
  }

  @Test func logsTargetsAndFieldsAsTheyCame() throws {
    let server = try TestServer { _ in .text("") }
    let target = "/a%2Fb/../\u{e9}?q=%5b[x"
    _ = try PlainClient.get(target, from: server, [Field("X-B", "2"), Field("x-a", "1, \u{e9}")])
    let request = try #require(server.requests.first)
    #expect(request.rawTarget == Array(target.utf8))
    #expect(request.fields.map(\.name) == ["Host", "X-B", "x-a", "Connection"])
    #expect(request["X-A"] == "1, \u{e9}")
    #expect(request.path == "/a%2Fb/../\u{e9}")
    #expect(request.query == "q=%5b[x")
  }

  @Test func oneConnectionCarriesManyRequests() throws {
    let server = try TestServer { _ in .text("abc") }
    let client = try PlainClient(to: server.port)
    for count in 1...3 {
      try client.send("/\(count)")
      #expect(
        try client.receive(until: { $0.suffix(3) == Array("abc".utf8)[...] }).ending == .normal)
    }
    #expect(server.requests.map(\.connection) == [1, 1, 1])
    #expect(server.requests.map(\.numberOnConnection) == [1, 2, 3])
    #expect(server.requests.map(\.number) == [1, 2, 3])
    #expect(server.log.acceptedConnections == 1)
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let server = try TestServer { .text($0.path) }
    let client = try PlainClient(to: server.port)
    try client.send("/one")
    try client.send("/two", [Field("Connection", "close")])
    let text = try client.receiveAll().text
    let one = try #require(text.firstRange(of: "/one"))
    let two = try #require(text.firstRange(of: "/two"))
    #expect(one.lowerBound < two.lowerBound)
  }

  @Test(arguments: [Response.Closing.announced, .unannounced(after: .zero)])
  func closesAKeptConnectionAnnouncedOrNot(closing: Response.Closing) throws {
    let server = try TestServer { _ in .text("abc").closing(closing) }
    let client = try PlainClient(to: server.port)
    try client.send("/")
    let reply = try client.receiveAll()
    #expect(reply.ending == .normal)
    if case .announced = closing {
      #expect(reply.head.contains("Connection: close"))
    } else {
      #expect(!reply.head.contains("Connection"))
    }
  }

  @Test func countsWhatIsInFlight() throws {
    let gate = try Gate()
    let server = try TestServer { _ in .text("abc").held(by: gate) }
    let clients = try (0..<5).map { _ in try PlainClient(to: server.port) }
    for client in clients { try client.send("/") }
    try server.waitForRequests(5)
    #expect(server.log.inFlight == 5)
    gate.open()
    for client in clients { #expect(try client.receive(count: 20).ending == .normal) }
    try server.wait(for: "end") { $0.inFlight == 0 ? () : nil }
    #expect(server.log.maximumInFlight == 5)
    #expect(server.log.openConnections == 5)
  }

  @Test func holdsInsideABodyUntilTheGateOpens() throws {
    let gate = try Gate()
    let server = try TestServer { _ in Response(body: "abcdef").held(after: 3, by: gate) }
    let client = try PlainClient(to: server.port)
    try client.send("/", [Field("Connection", "close")])
    #expect(try client.receive(until: { $0.suffix(3) == Array("abc".utf8)[...] }).ending == .normal)
    gate.open()
    #expect(try client.receiveAll().text == "def")
  }

  @Test func aClientThatLeavesEndsASilence() throws {
    let gate = try Gate()
    let server = try TestServer { _ in Response(body: "abcdef").held(after: 3, by: gate) }
    do {
      let client = try PlainClient(to: server.port)
      try client.send("/")
      _ = try client.receive(count: 10)
    }
    try server.waitUntilIdle()
    #expect(server.log.exchanges.map(\.ending) == [.closedByClient])
    #expect(server.log.exchanges.map(\.sentByteCount) == [3])
  }

  @Test func anEndlessBodyEndsWithItsClient() throws {
    let server = try TestServer { _ in Response(body: .repeating(0x61, count: .max)).chunked(65_536)
    }
    do {
      let client = try PlainClient(to: server.port)
      try client.send("/")
      _ = try client.receive(count: 1_000_000)
    }
    try server.waitUntilIdle()
    #expect(server.log.exchanges.map(\.ending) == [.closedByClient])
  }

  @Test func stoppingEndsEverySilence() throws {
    let gate = try Gate()
    let server = try TestServer([
      "/gate": [.respond(.text("x").held(by: gate))],
      "/pause": [.respond(.text("x").delayed(by: .seconds(3_600)))],
      "/drip": [.respond(.text("xyz").dripping(1, every: .seconds(3_600)))],
      "/raw": [.respond(.takeover { try $0.pauseForEver() })],
    ])
    let clients = try ["/gate", "/pause", "/drip", "/raw"].map { path in
      let client = try PlainClient(to: server.port)
      try client.send(path)
      return client
    }
    try server.waitForRequests(4)
    server.stop()
    for client in clients { _ = try client.receiveAll() }
    #expect(server.log.openConnections == 0)
    #expect(server.log.exchanges.allSatisfy { $0.ending == .stopped })
  }

  @Test func refusesConnectionsUntilItIsOpened() throws {
    var options = TestServer.Options()
    options.listensAtOnce = false
    let server = try TestServer(options: options) { _ in .text("here") }
    #expect(throws: (any Error).self) { try PlainClient(to: server.port) }
    try server.open()
    #expect(try PlainClient.get("/", from: server).body == Array("here".utf8))
  }

  @Test func aFullBacklogLetsNobodyIn() throws {
    let backlog = try FullBacklog()
    let (socket, isConnected) = try Socket.connecting(to: .ipv4, port: backlog.port)
    #expect(!isConnected)
    var descriptor = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
    #expect(poll(&descriptor, 1, 50) == 0)
  }

  @Test func aPauseBeforeTheCloseIsNotInFlight() throws {
    let server = try TestServer { _ in .text("abc").closing(.unannounced(after: .seconds(3_600))) }
    let client = try PlainClient(to: server.port)
    try client.send("/")
    _ = try client.receive(until: { $0.suffix(3) == Array("abc".utf8)[...] })
    try server.wait(for: "end") { $0.inFlight == 0 ? () : nil }
    #expect(server.log.openConnections == 1)
  }

  @Test func listensOnIPv6() throws {
    var options = TestServer.Options()
    options.address = .ipv6
    let server = try TestServer(options: options) { _ in .text("six") }
    #expect(server.url("/x") == "http://[::1]:\(server.port)/x")
    #expect(try PlainClient.get("/", from: server).body == Array("six".utf8))
  }

  @Test func aRawHandlerGetsTheConnection() throws {
    let server = try TestServer.raw { connection in
      guard let line = try connection.receive(through: [0x0a]) else { return }
      try connection.send(line + line)
    }
    let client = try PlainClient(to: server.port)
    try client.send(Array("hello\n".utf8))
    #expect(try client.receiveAll().text == "hello\nhello\n")
  }

  private func openDescriptors() throws -> Int {
    try FileSystem.names(in: "/dev/fd")?.count ?? 0
  }

  @Test func keepsNoDescriptorOpen() throws {
    let before = try openDescriptors()
    for _ in 0..<50 {
      let server = try TestServer { _ in .text("abc") }
      for _ in 0..<5 { _ = try PlainClient.get("/", from: server) }
      server.stop()
    }
    // Other tests run beside this one: they may have opened some, but not a hundred.
    #expect(try openDescriptors() < before + 75)
  }
}
