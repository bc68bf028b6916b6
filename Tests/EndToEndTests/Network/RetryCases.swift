import TestSupport
import Testing

/// What can pass is tried again at the right time.
@Suite(.blocking) struct RetryCases {
  private let body = Body.pseudoRandom(2_000)

  // MARK: B050

  private func unavailable(_ retryAfter: String) throws -> TestServer {
    try TestServer([
      "/a.bin": [
        .respond(Response(503, [Field("Retry-After", retryAfter)])),
        .respond(Response(200, body: body)),
      ]
    ])
  }

  @Test(arguments: [false, true])
  func B050_aDateIsWaitedFor(obsolete: Bool) throws {
    let due = HTTPDate.now + 3
    let server = try unavailable(obsolete ? HTTPDate.obsoleteText(due) : HTTPDate.text(due))
    let run = try NetworkSite().run(
      "files: [{id: a, url: '\(server.url("/a.bin"))'}]", ["--retry-wait-max", "20"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file("a").attempts.count == 2)
    let requests = server.requests
    // Dates have whole seconds, and the first request took its time to come.
    #expect(requests[1].arrival.since(requests[0].arrival) > .seconds(1))
  }

  @Test(arguments: [false, true])
  func B050_aDateBeyondTheLongestWaitFailsTheURL(obsolete: Bool) throws {
    let due = HTTPDate.now + 1_000
    let server = try unavailable(obsolete ? HTTPDate.obsoleteText(due) : HTTPDate.text(due))
    let run = try NetworkSite().run("files: [{id: a, url: '\(server.url("/a.bin"))'}]")
    #expect(try run.failures == ["a": "http-status"])
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["PAST", "abc", "-5", "1.5", ""])
  func B050_whatIsNoTimeToComeMeansTheOrdinaryWait(value: String) throws {
    let server = try unavailable(value == "PAST" ? HTTPDate.text(HTTPDate.now - 1_000) : value)
    let run = try NetworkSite().run("files: [{id: a, url: '\(server.url("/a.bin"))'}]")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file("a").attempts.count == 2)
  }

  // MARK: B052

  @Test func B052_aThrottledHostIsLeftAloneAndOthersGoOn() throws {
    let opening = Monitor<MonotonicTime?>(nil)
    let body = body
    let throttled = try TestServer { request in
      let opens = opening.withLock { opening in
        let time = opening ?? request.arrival.advanced(by: .seconds(2))
        opening = time
        return time
      }
      return request.arrival < opens
        ? Response(429, [Field("Retry-After", "2")]) : Response(200, body: body)
    }
    let healthy = try TestServer(["*": [.file(Resource(body))]])
    let entries = (0..<20).map { number in
      """
        - {id: a\(number), url: "\(throttled.url("/\(number)"))"}
        - {id: b\(number), url: "\(healthy.url("/\(number)"))"}
      """
    }
    let run = try NetworkSite().run(
      "files:\n" + entries.joined(separator: "\n"), ["-j", "8", "--retry-wait-max", "20"])
    #expect(run.exitStatus == 0, "\(run)")
    let opens = try #require(opening.withLock { $0 })
    #expect(throttled.requests.count { $0.arrival < opens } <= 9)
    #expect(healthy.requests.allSatisfy { $0.arrival < opens })
    #expect(try run.report.files.allSatisfy { $0.attempts.count <= 2 }, "\(run)")
  }

  @Test(arguments: [("", ["--connections-per-host", "2"]), ("connections: 2", [])])
  func aHostGetsNoMoreConnectionsThanItShall(setting: String, options: [String]) throws {
    let body = body
    let gate = try Gate()
    let server = try TestServer { request in
      // The third request, if it came, would come while two are held.
      if request.number == 2 { gate.open() }
      return Response(200, body: body).held(by: gate)
    }
    let entries = (0..<12).map { "  - {id: \"\($0)\", url: \"\(server.url("/\($0)"))\"}" }
    let run = try NetworkSite().run(
      "hosts: {\"\(server.authority)\": {\(setting)}}\nfiles:\n" + entries.joined(separator: "\n"),
      ["-j", "8"] + options)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.log.maximumInFlight == 2)
  }

  /// Whether a redirect or the failure of an earlier URL leads to a host, it gets no more than it shall.
  @Test(arguments: [302, 404])
  func aHostThatOthersLeadToGetsNoMoreConnectionsThanItShall(status: Int) throws {
    let body = body
    let gate = try Gate()
    let target = try TestServer { request in
      if request.number == 2 { gate.open() }
      return Response(200, body: body).held(by: gate)
    }
    let first = try TestServer { Response(status, [Field("Location", target.url($0.target))]) }
    let entries = (0..<12).map {
      "  - {id: \"\($0)\", urls: [\"\(first.url("/\($0)"))\", \"\(target.url("/\($0)"))\"]}"
    }
    let run = try NetworkSite().run(
      "hosts: {\"\(target.authority)\": {connections: 2}}\nfiles:\n"
        + entries.joined(separator: "\n"), ["-j", "8"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(target.log.maximumInFlight == 2)
    #expect(first.requests.count == 12)
    #expect(target.requests.count == 12)
  }

  // MARK: B053

  private static let faults: [(name: String, step: Step)] = [
    ("reset-before", .respond(.resetBeforeHead)),
    ("reset-inside", .respond(Response(200, body: .pseudoRandom(2_000)).reset(after: 500))),
    ("close-before", .respond(.closeBeforeHead)), ("408", .respond(Response(408))),
    ("500", .respond(Response(500))), ("502", .respond(Response(502))),
    ("503", .respond(Response(503))), ("504", .respond(Response(504))),
    ("425", .respond(Response(425))), ("429", .respond(Response(429))),
  ]

  /// A server for each kind of fault, so that no connection is used twice: one that dies between two requests is no
  /// fault of the second. The stall ends with the gate.
  private func faulty(_ gate: Gate, then good: Step? = nil) throws -> [(
    name: String, server: TestServer
  )] {
    let stall = Step.respond(Response(200, body: body).held(by: gate))
    return try (Self.faults + [("stall", stall)]).map { name, step in
      (name, try TestServer(["*": [step] + (good.map { [$0] } ?? [])]))
    }
  }

  @Test func B053_everyPassingFaultIsTriedAgain() throws {
    let servers = try faulty(Gate(), then: .respond(Response(200, body: body)))
    let entries = servers.map {
      "  - {id: \"\($0.name)\", url: \"\($0.server.url("/x"))\", dest: \"\($0.name)\"}"
    }
    let site = try NetworkSite()
    let run = try site.run(
      "files:\n" + entries.joined(separator: "\n"), NetworkSite.patience + ["--stall-timeout", "1"])
    #expect(run.exitStatus == 0, "\(run)")
    for (name, _) in servers {
      #expect(try run.file(name).attempts.count == 2, "\(name): \(run)")
      #expect(try site.placed(name) == body.bytes, "\(name): \(run)")
    }
  }

  @Test func B053_withoutRetriesTheNextMirrorIsAsked() throws {
    let servers = try faulty(Gate())
    let mirror = try TestServer(["*": [.respond(Response(200, body: body))]])
    let entries = servers.map { name, server in
      "  - {id: \"\(name)\", urls: [\"\(server.url("/x"))\", \"\(mirror.url("/\(name)"))\"], dest: \"\(name)\"}"
    }
    let site = try NetworkSite()
    let run = try site.run(
      "files:\n" + entries.joined(separator: "\n"), ["--stall-timeout", "1", "--retries", "0"])
    #expect(run.exitStatus == 0, "\(run)")
    for (name, _) in servers {
      #expect(try run.file(name).attempts.count == 2, "\(name): \(run)")
      #expect(try run.file(name).url == mirror.url("/\(name)"))
      #expect(try site.placed(name) == body.bytes, "\(name): \(run)")
    }
  }

  @Test func B053_aPortThatOpensLaterIsFound() throws {
    var options = TestServer.Options()
    options.listensAtOnce = false
    let server = try TestServer(["*": [.respond(Response(200, body: body))]], options: options)
    let site = try NetworkSite()
    let manifest = "files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin}]"
    let process = try ChildProcess(
      site.launch(manifest, ["-v", "--retries", "100", "--retry-wait-max", "0.2"]))
    try process.wait(for: "a retry") { $0.errorText.contains("retry: a:") }
    try server.open()
    let run = try site.finished(process.wait())
    #expect(run.exitStatus == 0, "\(run)")
    let attempts = try run.file("a").attempts
    #expect(attempts.count >= 2)
    #expect(attempts.dropLast().allSatisfy { $0.error?.code == "connection-failed" }, "\(run)")
  }

  // MARK: B059

  @Test(arguments: [405, 403, 501, 404])
  func B059_runAsksNothingButTheFile(status: Int) throws {
    let resource = Resource(body).with { $0.honoursRanges = false }
    let server = try TestServer { request in
      request.method == "HEAD" ? Response(status) : resource.response(to: request)
    }
    let site = try NetworkSite()
    let run = try site.run("files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin}]")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.requests.map(\.method) == ["GET"])
    #expect(try site.placed("a.bin") == body.bytes)
  }
}
