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

  @Test func B056_slowButHonestServersAreWaitedFor() throws {
    let server = try TestServer()
    let drip = Response(200, body: body.slice(0..<6_000)).dripping(400, every: .milliseconds(150))
    let burst = Response(200, body: body.slice(0..<8_192)).dripping(
      2_048, every: .milliseconds(650))
    let entries = (0..<8).map { number in
      server.route("/\(number)", .respond(number.isMultiple(of: 2) ? drip : burst))
      return "  - {id: \"\(number)\", url: \"\(server.url("/\(number)"))\", dest: \"\(number)\"}"
    }
    let site = try NetworkSite()
    let run = try site.run(
      "files:\n" + entries.joined(separator: "\n"), ["-j", "8", "--stall-timeout", "1"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.allSatisfy { $0.attempts.count == 1 })
    #expect(try site.placed("0") == body.bytes(0..<6_000))
    #expect(try site.placed("1") == body.bytes(0..<8_192))
  }

  @Test func B056_waitingForTheRateIsNoSilence() throws {
    let server = try TestServer(["*": [.respond(Response(200, body: body.slice(0..<4_096)))]])
    let entries = (0..<8).map {
      "  - {id: \"\($0)\", url: \"\(server.url("/\($0)"))\", dest: \"\($0)\"}"
    }
    let site = try NetworkSite()
    let run = try site.run(
      "files:\n" + entries.joined(separator: "\n"),
      ["-j", "8", "--stall-timeout", "1", "--limit-rate", "12K"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.allSatisfy { $0.attempts.count == 1 })
    for number in 0..<8 { #expect(try site.placed("\(number)") == body.bytes(0..<4_096)) }
    // 32 KiB at 12 kB a second take longer than two seconds, whatever the machine does.
    #expect(try run.report.durationSeconds > 2)
  }
}
