import TestSupport
import Testing

@testable import bulkget_bench

struct DelayingRelayTests {
  @Test func passesEverythingOnLater() async throws {
    let body = PseudoRandomBody(count: 6 << 20)
    let (reply, duration) = try await onThread {
      let server = try TestServer(["/a": [.file(Resource(.pseudoRandom(body.count, seed: 1)))]])
      let relay = try DelayingRelay(to: server.port, roundTrip: .milliseconds(20))
      let start = MonotonicTime.now
      let client = try PlainClient(to: relay.port)
      try client.send("/a", [Field("Connection", "close")])
      return (try client.receiveAll(), MonotonicTime.now.since(start))
    }
    #expect(reply.body == body.bytes)
    #expect(reply.ending == .normal)
    // A handshake and a request, both there and back.
    #expect(duration >= .milliseconds(40))
  }

  @Test func aServerThatIsGoneEndsTheConnection() async throws {
    let reply = try await onThread {
      let port = try Socket.bound(.ipv4, port: 0).localPort
      let relay = try DelayingRelay(to: port, roundTrip: .milliseconds(1))
      let client = try PlainClient(to: relay.port)
      try client.send("/")
      return try client.receiveAll()
    }
    #expect(reply.bytes.isEmpty)
  }
}
