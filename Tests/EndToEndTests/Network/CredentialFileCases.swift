import TestSupport
import Testing

/// A `.netrc` line goes to its machine on the entry's own URL and nowhere else.
@Suite(.blocking) struct CredentialFileCases {
  private let server: TestServer
  private let other: TestServer
  private let site: NetworkSite
  private let own = "Basic dXNlcjpQQVNTVzBSRA=="

  init() throws {
    let body = Body.pseudoRandom(500)
    server = try TestServer(["*": [.file(Resource(body))]])
    other = try TestServer(["*": [.file(Resource(body))]])
    site = try NetworkSite()
    try site.directory.write(
      "machine 127.0.0.1 login user password PASSW0RD\n", to: "home/.netrc")
  }

  private func run(
    _ entry: String, hosts: String = "", _ options: [String] = ["--netrc"]
  ) throws -> NetworkRun {
    try site.run(
      "\(hosts)\nfiles: [{id: a, \(entry)}]", options,
      environment: ["HOME": site.directory.path("home")])
  }

  @Test(arguments: [["--netrc"], ["--netrc-file", "home/.netrc"]])
  func itsMachineGetsIt(options: [String]) throws {
    let run = try run("url: '\(server.url("/x"))'", options)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.requests.map { $0["Authorization"] } == [own])
    #expect(!run.errorText.contains("PASSW0RD"))
  }

  @Test func withoutTheOptionNobodyGetsIt() throws {
    _ = try run("url: '\(server.url("/x"))'", [])
    #expect(server.requests.map { $0["Authorization"] } == [nil])
  }

  @Test func anotherMachineDoesNotGetIt() throws {
    _ = try run("url: '\(server.url("/x", host: "localhost"))'")
    #expect(server.requests.map { $0["Authorization"] } == [nil])
  }

  @Test func aRedirectsTargetDoesNotGetIt() throws {
    server.route("/x", .respond(.redirect(to: other.url("/y"))))
    let run = try run("url: '\(server.url("/x"))'")
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.requests.map { $0["Authorization"] } == [own])
    #expect(other.requests.map { $0["Authorization"] } == [nil])
  }

  @Test func theEntrysHeaderComesFirst() throws {
    _ = try run("url: '\(server.url("/x", host: "u:p@127.0.0.1"))', headers: {Authorization: Mine}")
    #expect(server.requests.map { $0["Authorization"] } == ["Mine"])
  }

  @Test func thenTheHostsSettings() throws {
    _ = try run(
      "url: '\(server.url("/x", host: "u:p@127.0.0.1"))'",
      hosts: "hosts: {'127.0.0.1:\(server.port)': {auth: {bearer: T}}}")
    #expect(server.requests.map { $0["Authorization"] } == ["Bearer T"])
  }

  @Test func thenTheUserInformation() throws {
    _ = try run("url: '\(server.url("/x", host: "u:p@127.0.0.1"))'")
    #expect(server.requests.map { $0["Authorization"] } == ["Basic dTpw"])
  }

  @Test func aFileThatIsNotThereEndsTheRunAtOnce() throws {
    let run = try run("url: '\(server.url("/x"))'", ["--netrc-file", "missing"])
    #expect(run.exitStatus == 2)
    #expect(run.errorText.contains("missing"))
    #expect(server.requests.isEmpty)
  }
}
