import TestSupport
import Testing

/// HTTP/2 as nghttp2's own server speaks it: what goes well with nginx may lean on nginx's ways.
@Suite(.blocking) struct SecondServerCases {
  private static let count = 300

  private func body(_ number: Int) -> Body {
    .pseudoRandom(Int64(number == 0 ? 2_000_000 : 1 + number * 17), seed: UInt64(number))
  }

  /// Downloads all files from a server with these options, whose every third one is behind a redirect.
  private func download(_ options: [String]) throws -> (NetworkRun, NghttpdServer.Log) {
    let site = try NetworkSite()
    for number in 0..<Self.count {
      let name = number % 3 == 1 ? "\(number)/index.html" : "\(number)"
      try site.directory.write(body(number).bytes, to: "root/\(name)")
    }
    let server = try NghttpdServer(root: site.directory.path("root"), options)
    let entries = (0..<Self.count).map {
      "  - {id: \"\($0)\", url: \"\(server.url("/\($0)"))\", dest: \"\($0)\"}"
    }
    let run = try site.run(
      "files:\n" + entries.joined(separator: "\n"),
      NetworkSite.patience + ["-j", "16", "--cacert", server.authority.certificateFile])
    #expect(run.exitStatus == 0, "\(run)")
    for number in 0..<Self.count {
      #expect(try site.placed("\(number)") == body(number).bytes, "\(number)")
    }
    return (run, try server.stop())
  }

  private static let requestCount = count + count / 3

  @Test(arguments: [
    [], ["--no-content-length"], ["--padding=100", "--window-bits=12", "--trailer=x: y"],
  ])
  func B011_everythingGoesOverOneConnection(options: [String]) throws {
    let (run, log) = try download(options)
    #expect(try run.report.files.allSatisfy { $0.attempts.count == 1 })
    #expect(log.paths.count == Self.requestCount)
    #expect(log.paths.contains("/1") && log.paths.contains("/1/"))
    #expect(log.connectionCount == 1)
  }

  /// Streams are refused where they come before the server's settings, which say how many there may be (RFC 9113 §6.5.2).
  /// Often those are there in time, and then another run is needed.
  @Test func B011_refusedStreamsAreNoFailures() throws {
    var refusedCount = 0
    for _ in 0..<12 where refusedCount == 0 {
      let (run, log) = try download(["--max-concurrent-streams=2"])
      #expect(try run.report.files.allSatisfy { $0.attempts.count <= 2 }, "\(run)")
      refusedCount = log.refusedStreamCount
    }
    #expect(refusedCount > 0)
  }
}
