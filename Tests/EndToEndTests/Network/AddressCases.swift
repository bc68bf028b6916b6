import BulkgetSystem
import TestSupport
import Testing

/// A URL reaches the wire as it was written, and no name leads out of its place or out of its line.
@Suite(.blocking) struct AddressCases {
  private let body = Body.pseudoRandom(2_000)

  private func server(_ change: (inout TestServer.Options) -> Void = { _ in }) throws -> TestServer
  {
    var options = TestServer.Options()
    change(&options)
    return try TestServer(["*": [.file(Resource(body))]], options: options)
  }

  // MARK: B061

  @Test(arguments: [
    "attachment; filename=\"../../up\"", "attachment; filename=/abs/up", "attachment; filename=..",
    "attachment; filename=\"\"", "attachment; filename=a/b", #"attachment; filename="C:\x""#,
    "attachment; filename=.ssh/authorized_keys", "attachment; filename*=UTF-8''..%2Fup",
    "attachment; filename=\"a\r\n b\"",
    "attachment; filename=" + String(repeating: "n", count: 300),
  ])
  func B061_contentDispositionNamesNothing(value: String) throws {
    let server = try TestServer([
      "*": [.respond(Response(200, [Field("Content-Disposition", value)], body: body))]
    ])
    let site = try NetworkSite()
    let url = server.url("/a.bin")
    let run = try site.run(
      "files: [{id: a, url: '\(url)', dest: x/a.bin}, {id: b, url: '\(url)?b'}]")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.files(below: "out") == ["x/a.bin"])
    let names = ["a", "b"].map { "\(Body.text($0).hexadecimalDigest(.md5)).bin" }
    #expect(try site.files(below: "cache/files") == Set(names.map { "default/\($0)" }))
    let others = try site.files(below: ".").filter {
      !$0.hasPrefix("out/") && !$0.hasPrefix("cache/")
    }
    #expect(others.isEmpty)
    #expect(try site.placed("x/a.bin") == body.bytes)
  }

  @Test func B061_aNulInTheHeaderIsAtWorstAViolationOfTheProtocol() throws {
    let server = try TestServer([
      "*": [
        .respond(
          Response(200, [Field("Content-Disposition", "attachment; filename=\"a\0b\"")], body: body)
        )
      ]
    ])
    let site = try NetworkSite()
    let run = try site.run(
      "files: [{id: a, url: '\(server.url("/a.bin"))', dest: a.bin}]", ["--retries", "0"])
    if run.exitStatus == 0 {
      #expect(try site.placed("a.bin") == body.bytes)
    } else {
      #expect(try run.failures == ["a": "protocol"], "\(run)")
      #expect(try site.placed("a.bin") == nil)
    }
  }

  // MARK: B062

  @Test(arguments: ["../x", "/tmp/abs", "a/../../x", "''", "."])
  func B062_destinationsThatLeaveAreRefused(destination: String) throws {
    let server = try server()
    let site = try NetworkSite()
    let run = try site.run(
      """
      files:
        - id: leaver
          url: \(server.url("/a.bin"))
          dest: \(destination)
      """)
    #expect(run.exitStatus == 2)
    #expect(run.errorText.contains("manifest.yaml:4:"), "\(run)")
    #expect(run.errorText.contains("leaver"), "\(run)")
    #expect(server.log.acceptedConnections == 0)
  }

  @Test(arguments: [
    ("./a/./b", "a/b"), ("a//b", "a/b"), ("~/x", "~/x"), ("a/", "a/a.bin"),
  ])
  func B062_otherDestinationsStayBelowTheOutputDirectory(destination: String, path: String) throws {
    let server = try server()
    let site = try NetworkSite()
    let run = try site.run("files: [{id: a, url: '\(server.url("/a.bin"))', dest: \(destination)}]")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.files(below: "out") == [path])
  }

  @Test func B062_idsNeverBecomePaths() throws {
    let server = try server()
    let site = try NetworkSite()
    let run = try site.run(
      "files: [{id: ../x, url: '\(server.url("/x.bin"))'}, {id: a/b, url: '\(server.url("/b.bin"))'}]"
    )
    #expect(run.exitStatus == 0, "\(run)")
    let names = ["../x", "a/b"].map { "default/\(Body.text($0).hexadecimalDigest(.md5)).bin" }
    #expect(try site.files(below: "cache/files") == Set(names))
  }

  @Test(arguments: [#""a\0b""#, #""a\nb""#])
  func B062_controlCharactersInIdsAreRefused(id: String) throws {
    let run = try NetworkSite().run("files: [{id: \(id), url: 'http://127.0.0.1:1/x'}]")
    #expect(run.exitStatus == 2)
    #expect(run.errorText.contains("manifest.yaml:1:14"), "\(run)")
  }

  // MARK: B064

  private static let longURLs: [(name: String, target: String)] = [
    ("query", "/q?" + String(repeating: "q", count: 600)),
    ("255", "/" + String(repeating: "a", count: 255)),
    ("256", "/" + String(repeating: "a", count: 256)),
    ("400", "/" + String(repeating: "a", count: 400)),
    ("letters", "/" + String(repeating: "你", count: 90)),
  ]

  @Test func B064_longURLsAndIdsAreFetchedAndCached() throws {
    let server = try server()
    let site = try NetworkSite()
    let entries = Self.longURLs.map { "  - {id: \($0.name), url: '\(server.url($0.target))'}" }
    let id = String(repeating: "i", count: 300)
    let manifest =
      "files:\n" + entries.joined(separator: "\n")
      + "\n  - {id: \(id), url: '\(server.url("/i"))'}\n"
    let run = try site.run(manifest)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.files(below: "cache/files").count == 6)
    let again = try site.run(manifest)
    #expect(try again.report.files.allSatisfy { $0.status == "cached" })
    #expect(server.requests.count == 6)
  }

  @Test(arguments: [
    String(repeating: "d", count: 255), "x/" + String(repeating: "d", count: 251) + ".bin",
  ])
  func B064_aNameOf255BytesWorks(destination: String) throws {
    let server = try server()
    let site = try NetworkSite()
    let run = try site.run("files: [{id: a, url: '\(server.url("/a.bin"))', dest: \(destination)}]")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.placed(destination) == body.bytes)
  }

  @Test(arguments: [
    (String(repeating: "d", count: 256), "256", "255"),
    (
      Array(repeating: String(repeating: "d", count: 200), count: 21).joined(separator: "/"),
      "4220", "4"
    ),
  ])
  func B064_longerNamesAreRefusedWithTheLimit(destination: String, length: String, limit: String)
    throws
  {
    let run = try NetworkSite().run(
      "files: [{id: a, url: 'http://127.0.0.1:1/a', dest: \(destination)}]")
    #expect(run.exitStatus == 2)
    let message = try run.report.problems?.first?.message.filter { $0 != "," } ?? ""
    #expect(message.contains(length) && message.contains(limit), "\(run)")
  }

  // MARK: B065

  @Test(arguments: [
    "/a%2Fb", "/a%2Bb+c", "/a%20b", "/100%25", "/%e4%bd%a0", "/a;b=c", "/a/./b/../c", "/../a/.",
  ])
  func B065_pathsArriveByteForByte(path: String) throws {
    #expect(try target(of: path) == path)
  }

  @Test(arguments: [
    ("/x?s=a%2Bb%3D&n=[x", "/x?s=a%2Bb%3D&n=%5Bx"), ("/x?q=%5Bx%5D&r=[y", "/x?q=%5Bx%5D&r=%5By"),
  ])
  func B065_onlyWhatIsNotAllowedInAQueryIsEncoded(written: String, sent: String) throws {
    #expect(try target(of: written) == sent)
  }

  private func target(of written: String) throws -> String? {
    let server = try server()
    let run = try NetworkSite().run("files: [{id: a, url: '\(server.url(written))'}]")
    #expect(run.exitStatus == 0, "\(run)")
    return server.requests.first?.target
  }

  // MARK: B067

  @Test(arguments: [
    ("xn--bcher-kva.localhost", "xn--bcher-kva.localhost"),
    ("bücher.localhost", "xn--bcher-kva.localhost"), ("LOCALHOST", "localhost"),
    ("localhost.", "localhost."),
  ])
  func B067_hostsHaveOneFormInASCIIAndLowerCase(written: String, sent: String) throws {
    let server = try server()
    let run = try NetworkSite().run("files: [{id: a, url: '\(server.url("/x", host: written))'}]")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.requests.map { $0["Host"] } == ["\(sent):\(server.port)"])
    #expect(try run.file("a").url == server.url("/x", host: sent))
  }

  // MARK: B068

  @Test func B068_addressesOfVersion6AreFetchedAndRedirectedTo() throws {
    let (first, second) = (try server { $0.address = .ipv6 }, try server { $0.address = .ipv6 })
    first.route("/r", .respond(.redirect(to: second.url("/y", host: "[::1]"))))
    let run = try NetworkSite().run(
      """
      files:
        - {id: a, url: "\(first.url("/x", host: "[::1]"))"}
        - {id: b, url: "\(first.url("/r", host: "[::1]"))"}
      """)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(first.requests.allSatisfy { $0["Host"] == "[::1]:\(first.port)" })
    #expect(second.requests.map { $0["Host"] } == ["[::1]:\(second.port)"])
  }

  @Test func B068_theAddressOfANameThatListensIsFound() throws {
    let server = try server()
    let run = try NetworkSite().run(
      "files: [{id: a, url: '\(server.url("/x", host: "localhost"))'}]", ["--retries", "0"])
    #expect(run.exitStatus == 0, "\(run)")
  }

  // MARK: B070

  @Test(arguments: [("A/x.bin", "a/x.bin"), ("\u{E9}.bin", "e\u{301}.bin")])
  func B070_namesThatDifferOnlyByCaseOrFormAreWarnedAbout(first: String, second: String) throws {
    let server = try server()
    let other = Body.pseudoRandom(500, seed: 2)
    server.route("/two", .respond(Response(200, body: other)))
    let site = try NetworkSite()
    let run = try site.run(
      """
      files:
        - {id: first, url: "\(server.url("/one"))", dest: "\(first)"}
        - {id: second, url: "\(server.url("/two"))", dest: "\(second)"}
      """)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.placed(first) == body.bytes)
    #expect(try site.placed(second) == other.bytes)
    let warnings =
      try run.report.warnings.map(\.message)
      + run.report.files.flatMap { $0.warnings.map(\.message) }
    #expect(warnings.contains { $0.contains("first") && $0.contains("second") }, "\(run)")
    #expect(run.errorText.contains("warning"))
  }
}
