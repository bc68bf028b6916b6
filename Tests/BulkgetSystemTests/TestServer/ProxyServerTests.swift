import TestSupport
import Testing

@Suite
struct ProxyServerTests {
  private let origin: TestServer

  init() throws {
    origin = try TestServer { request in .text("\(request.method) \(request.target)") }
  }

  private func get(
    through proxy: ProxyServer, _ target: String, _ fields: [Field] = []
  ) throws -> PlainClient.Reply {
    let client = try PlainClient(to: proxy.port)
    try client.send(target, fields)
    return try client.receiveAll()
  }

  @Test func forwardsRequestsInAbsoluteForm() throws {
    let proxy = try ProxyServer()
    let target = "http://name.test:\(origin.port)/a%2Fb?q"
    let reply = try get(through: proxy, target, [Field("X-A", "1")])
    #expect(reply.body == Array("GET /a%2Fb?q".utf8))
    #expect(proxy.targets == ["GET \(target)"])
    #expect(origin.requests.first?["X-A"] == "1")
  }

  @Test func tunnelsWhatItDoesNotUnderstand() throws {
    let proxy = try ProxyServer()
    let client = try PlainClient(to: proxy.port)
    try client.send("name.test:\(origin.port)", method: "CONNECT")
    let head = try client.receive(until: { $0.suffix(4) == Array("\r\n\r\n".utf8)[...] })
    #expect(head.head.hasPrefix("HTTP/1.1 200"))
    try client.send("/inside", [Field("Connection", "close")])
    #expect(try client.receiveAll().body == Array("GET /inside".utf8))
    #expect(proxy.targets == ["CONNECT name.test:\(origin.port)"])
  }

  @Test func asksForCredentials() throws {
    var options = ProxyServer.Options()
    options.credentials = "user:pass word"
    let proxy = try ProxyServer(options)
    let target = "http://127.0.0.1:\(origin.port)/"
    let client = try PlainClient(to: proxy.port)
    try client.send(target)
    let refusal = try client.receive(until: { $0.suffix(4) == Array("\r\n\r\n".utf8)[...] })
    #expect(refusal.head.hasPrefix("HTTP/1.1 407"))
    #expect(refusal.head.contains("Proxy-Authenticate: Basic "))
    // user:pass word
    try client.send(target, [Field("Proxy-Authorization", "Basic dXNlcjpwYXNzIHdvcmQ=")])
    #expect(try client.receiveAll().body == Array("GET /".utf8))
    #expect(origin.requests.count == 1)
    #expect(origin.requests.first?["Proxy-Authorization"] == nil)
  }

  @Test func canRefuseToConnect() throws {
    var options = ProxyServer.Options()
    options.connectStatus = 403
    let proxy = try ProxyServer(options)
    let client = try PlainClient(to: proxy.port)
    try client.send("127.0.0.1:\(origin.port)", method: "CONNECT")
    let reply = try client.receiveAll()
    #expect(reply.head.hasPrefix("HTTP/1.1 403"))
    #expect(origin.log.acceptedConnections == 0)
  }

  @Test func anOriginThatRefusesIsABadGateway() throws {
    let proxy = try ProxyServer()
    var options = TestServer.Options()
    options.listensAtOnce = false
    let refusing = try TestServer(options: options)
    let reply = try get(through: proxy, "http://127.0.0.1:\(refusing.port)/")
    #expect(reply.head.hasPrefix("HTTP/1.1 502"))
  }
}
