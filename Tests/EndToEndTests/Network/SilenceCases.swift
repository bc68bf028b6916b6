import TestSupport
import Testing

/// What stands still is ended, and what is only slow is not.
@Suite(.blocking) struct SilenceCases {
  private let body = Body.pseudoRandom(200_000)

  @Test func B055_silenceIsNoticedAtEveryStage() throws {
    let gate = try Gate()
    let server = try TestServer()
    let good = Response(200, body: body)
    server.route("/header", .respond(good.adding(.hold(gate), at: .head(20))))
    server.route("/nearly", .respond(good.held(after: 198_000, by: gate)))
    server.route("/redirect", .respond(.redirect(to: "/silent")))
    server.route("/silent", .respond(good.held(by: gate)))
    server.route("/last-chunk", .respond(good.chunked().held(after: 200_000, by: gate)))
    server.route("/drip", .respond(good.drippingHead(1, every: .milliseconds(200))))
    server.route("*", .respond(good))
    let deaf = try TestServer.raw { try $0.pauseForEver() }
    let full = try FullBacklog()
    let paths = ["header", "nearly", "redirect", "last-chunk", "drip"]
    let urls =
      paths.map { ($0, server.url("/\($0)")) } + [
        ("backlog", full.url("/")), ("accepted", deaf.url("/")),
        ("handshake", "https://\(deaf.authority)/"),
      ]
    let healthy = (0..<4).map { ("healthy\($0)", server.url("/healthy\($0)")) }
    let run = try NetworkSite().run(
      "files:\n"
        + (urls + healthy).map { "  - {id: \($0.0), url: \"\($0.1)\"}" }.joined(separator: "\n"),
      ["--connect-timeout", "1", "--stall-timeout", "1", "--retries", "0"])
    var expected = Dictionary(uniqueKeysWithValues: urls.map { ($0.0, "stalled") })
    expected["backlog"] = "timeout"
    expected["handshake"] = "timeout"
    #expect(try run.failures == expected, "\(run)")
    #expect(try run.report.files.count { $0.status == "downloaded" } == healthy.count)
  }

  /// How a server is slow, and what is asked for.
  enum Slowness: CaseIterable, Sendable {
    case steady, bursts, limited

    var byteCount: Int64 { self == .steady ? 6_000 : self == .bursts ? 10_240 : 4_096 }

    var options: [String] {
      switch self {
      case .steady: []
      case .bursts: ["--stall-timeout", "3"]
      case .limited: ["--stall-timeout", "3", "--limit-rate", "2K"]
      }
    }

    func slow(_ response: Response) -> Response {
      switch self {
      case .steady: response.dripping(100, every: .seconds(1))
      case .bursts: response.dripping(2_048, every: .seconds(2))
      case .limited: response
      }
    }
  }

  /// Takes a minute, but of waiting alone: it holds none of the threads on which other tests run.
  @Test(arguments: Slowness.allCases)
  func B056_slowButHonestServersAreWaitedFor(slowness: Slowness) async throws {
    let body = body.slice(0..<slowness.byteCount)
    let run = try await onThread {
      let server = try TestServer(["*": [.respond(slowness.slow(Response(200, body: body)))]])
      let entries = (0..<8).map {
        "  - {id: \"\($0)\", url: \"\(server.url("/\($0)"))\", dest: \"\($0)\"}"
      }
      let site = try NetworkSite()
      let process = try ChildProcess(
        site.launch("files:\n" + entries.joined(separator: "\n"), ["-j", "8"] + slowness.options))
      let run = try site.finished(process.wait(atMost: .seconds(180)))
      for number in 0..<8 { #expect(try site.placed("\(number)") == body.bytes) }
      return run
    }
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.allSatisfy { $0.attempts.count == 1 }, "\(run)")
    // 32 KiB at 2 kB a second take longer than this, whatever the machine does.
    if slowness == .limited { #expect(try run.report.durationSeconds > 10) }
  }
}
