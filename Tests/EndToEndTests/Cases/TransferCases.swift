import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// Group 1: a body counts when it is provably whole, and it is stored as sent.
@Suite(.blocking) struct TransferCases {
  @Test func B001_shortBodyWithACleanClose() throws {
    let body = Body.pseudoRandom(1_000_000)
    let site = try CaseSite(["/a.bin": [.file(Resource(body)) { $0.cut(after: 700_000) }]])
    let first = try site.run(site.entry(), options: ["--retries", "0"])
    #expect(first.exitStatus == 1)
    let failure = try #require(try first.file.error)
    #expect(failure.code == "truncated")
    #expect(failure.message.contains("700000") && failure.message.contains("1000000"))
    #expect(try site.files(below: "cache/files").isEmpty)
    #expect(try site.files(below: "out").isEmpty)

    site.server.route("/a.bin", .file(Resource(body)))
    let second = try site.run(site.entry())
    #expect(second.exitStatus == 0, "\(second)")
    #expect(try site.holds(body))
  }

  @Test(arguments: ["a chunk and no end", "a part of a chunk"])
  func B002_chunkedBodyWithoutItsEnd(variant: String) throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let isWhole = variant == "a chunk and no end"
    let response =
      isWhole
      ? Response(body: .pseudoRandom(65_536)).chunked(65_536).cut(after: 65_536)
      : Response.raw(head + "7000\r\nabc")
    let site = try CaseSite(["/a.bin": [.respond(response)]])
    let run = try site.run(site.entry(), options: ["--retries", "0"])
    #expect(run.exitStatus == 1)
    #expect(try run.file.error?.code == "truncated", "\(run)")
    #expect(try site.files(below: "cache/files").isEmpty)
    #expect(try site.plan(site.entry()).file.action == "download")
  }

  @Test func B004_moreThanTheManifestsSizeWithoutALength() throws {
    let endless = Response(body: .repeating(0x61, count: .max)).chunked(65_536)
    let site = try CaseSite(["/a.bin": [.respond(endless)]])
    let run = try site.run(site.entry("a", "size: 1000"), options: ["--retries", "3"])
    #expect(try run.file.error?.code == "size-mismatch", "\(run)")
    try site.server.waitUntilIdle()
    #expect(site.server.requests.count == 1)
    // What lies in the buffers of both ends at the moment of hanging up.
    #expect(site.server.log.exchanges[0].sentByteCount < 16_000_000)
    #expect(try site.files(below: "cache/partial").isEmpty)
  }

  @Test func B004_moreThanTheManifestsSizeByTheHeader() throws {
    let large = Response(body: .repeating(0x61, count: 5_000_000_000))
    let site = try CaseSite(["/a.bin": [.respond(large)]])
    let run = try site.run(site.entry("a", "size: 1000"), options: ["--retries", "3"])
    #expect(try run.file.error?.code == "size-mismatch", "\(run)")
    #expect(try run.file.attempts?.map(\.bytes) == [0])
    #expect(site.server.requests.count == 1)
    #expect(try site.files(below: "cache/partial").isEmpty)
  }

  @Test func B005_compressionNobodyAskedFor() throws {
    let sent = Body.bytes([0x1f, 0x8b, 0x08] + Body.pseudoRandom(500_000).bytes)
    let fields = [Field("Content-Encoding", "gzip")]
    let site = try CaseSite(["*": [.file(Resource(sent, fields: fields))]])
    let run = try site.run(
      site.entry("a", sent.sha256), site.entry("b", Body.text("decoded").sha256), site.entry("c"))
    #expect(site.server.requests.allSatisfy { $0["Accept-Encoding"] == "identity" })
    #expect(try run.statuses == ["downloaded", "failed", "downloaded"], "\(run)")
    #expect(try run.file("b").error?.code == "checksum-mismatch")
    #expect(try run.file("b").error?.message.contains("gzip") == true)
    let warnings = try run.file("c").warnings ?? []
    #expect(warnings.contains { $0.message.contains("gzip") })
    #expect(try site.holds(sent, at: "out/c.bin"))
  }

  @Test func B007_nothingInPlaceOfTheFileIsRetried() throws {
    let body = Body.pseudoRandom(500_000)
    let site = try CaseSite([
      "/a.bin": [.respond(Response(200)), .respond(Response(204)), .file(Resource(body))]
    ])
    let run = try site.run(
      site.entry("a", "size: 500000", body.sha256), options: ["--retries", "3"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file.tries == ["truncated", "http-status", "-"])
    #expect(try site.holds(body))
  }

  @Test(arguments: [(200, "truncated"), (204, "http-status")])
  func B007_nothingInPlaceOfTheFileFails(status: Int, code: String) throws {
    let site = try CaseSite(["/a.bin": [.respond(Response(status))]])
    let entry = site.entry("a", "size: 500000", Body.pseudoRandom(500_000).sha256)
    let run = try site.run(entry, options: ["--retries", "0"])
    #expect(run.exitStatus == 1)
    #expect(try run.file.error?.code == code, "\(run)")
    #expect(try site.files(below: "cache/files").isEmpty && site.files(below: "out").isEmpty)
  }

  @Test func B008_aSizePast4GiBIsPlannedExactly() throws {
    let site = try CaseSite()
    #expect(try site.plan(site.entry("a", "size: 6000000000")).file.bytes == 6_000_000_000)
  }

  /// The partial is as long as if 4 GiB + 1 bytes had come, and takes no room: the body is all zeros.
  @Test(.enabled(if: CaseSite.takesItsTime, "hashes 4 GiB; BULKGET_LONG_TESTS=1 asks for it"))
  func B008_resumesPast4GiB() throws {
    let total: Int64 = 4_294_967_303
    let resource = Resource(.repeating(0, count: total), etag: "\"v1\"")
    let site = try CaseSite([
      "/a.bin": [.file(resource) { $0.cut(after: 2_000_000) }, .file(resource)]
    ])
    let entry = CaseSite.entry("a", ["url: \(site.server.url("/a.bin"))"])
    _ = try site.run(entry, options: ["--retries", "0"])
    try site.truncate(site.partial(), to: 4_294_967_297)
    let run = try site.run(entry, options: ["--retries", "0"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(site.server.requests.last?["Range"] == "bytes=4294967297-")
    #expect(try run.file.bytes == total)
    #expect(try run.file.resumedBytes == 4_294_967_297)
  }

  @Test(arguments: [false, true])
  func B010_aPooledConnectionHasDied(resets: Bool) throws {
    let dying = try TestServer { request in
      if resets, request.numberOnConnection > 1 { return .resetBeforeHead }
      let response = Response(body: "from A")
      return resets ? response : response.closing(.unannounced(after: .milliseconds(20)))
    }
    let site = try CaseSite([
      "*": [.respond(Response(body: "from B").delayed(by: .milliseconds(60)))]
    ])
    let entries = (0..<16).map { number in
      number.isMultiple(of: 2)
        ? CaseSite.entry("\(number)", ["url: \(dying.url("/\(number)"))"])
        : site.entry("\(number)")
    }
    let run = try site.run(site.launch("run", entries, ["-j", "1", "--retries", "0"]))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.allSatisfy { $0.status == "downloaded" && $0.tries == ["-"] })
    #expect(try run.report.totals?["retries"] == 0)
  }

  @Test(arguments: [
    "return 303 /files/$1;", "keepalive_requests 20; rewrite ^/r/(.*)$ /files/$1 break;",
  ])
  func B011_redirectsAndGoingAwayOverHTTP2(directives: String) throws {
    let site = try CaseSite()
    for number in 0..<120 {
      try site.directory.write("content of \(number)", to: "root/files/\(number)")
    }
    var options = NginxServer.Options(root: site.directory.path("root"))
    options.serverDirectives = "absolute_redirect off; location ~ ^/r/(.*)$ { \(directives) }"
    let nginx = try NginxServer(options)
    let entries = (0..<120).map { number in
      CaseSite.entry(
        "\(number)", ["url: \(nginx.secureURL("/r/\(number)"))", "dest: \"\(number)\""])
    }
    let run = try site.run(
      site.launch("run", entries, ["-j", "16", "--cacert", nginx.authority.certificateFile]))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.allSatisfy { $0.status == "downloaded" && $0.tries.count <= 2 })
    for number in 0..<120 {
      #expect(try site.holds(.text("content of \(number)"), at: "out/\(number)"))
    }
    #expect(try nginx.accessLog().contains { $0.hasPrefix("HTTP/2.0 ") })
  }

  @Test(arguments: [(11, 3, 8), (250, 32, 2)])
  func B013_manySmallFiles(count: Int, jobs: Int, repetitions: Int) throws {
    let site = try CaseSite { number in .pseudoRandom(Int64(1 + number * 8), seed: UInt64(number)) }
    let entries = (0..<count).map { site.entry("\($0)") }
    for repetition in 0..<repetitions {
      let (cache, output, scratch) = ("cache\(repetition)", "out\(repetition)", "tmp\(repetition)")
      try FileSystem.makeDirectories(site.directory.path(scratch))
      let launch = try site.launch("run", entries, ["-j", "\(jobs)"], cache: cache, output: output)
        .with { $0.environment["TMPDIR"] = site.directory.path(scratch) }
      let run = try site.run(launch)
      #expect(run.exitStatus == 0, "\(run)")
      for number in 0..<count {
        let body = Body.pseudoRandom(Int64(1 + number * 8), seed: UInt64(number))
        #expect(try site.holds(body, at: "\(output)/\(number).bin"))
      }
      #expect(
        try site.files(below: "\(cache)/partial").isEmpty && site.files(below: scratch).isEmpty)
    }
  }
}

extension CaseSite {
  /// Serves `/N.bin` with the body of the number N, and 5 ms of silence before its first and its last byte.
  fileprivate convenience init(_ body: @escaping @Sendable (Int) -> Body) throws {
    try self.init([
      "*": [
        .compute { request in
          let body = body(Int(request.path.dropFirst().dropLast(4)) ?? 0)
          return Response(body: body).adding(.pause(.milliseconds(5)), at: .body(0))
            .adding(.pause(.milliseconds(5)), at: .body(body.count - 1))
        }
      ]
    ])
  }
}
