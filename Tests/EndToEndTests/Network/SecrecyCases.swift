import BulkgetSystem
import TestSupport
import Testing

/// No secret is printed or stored, whatever becomes of the download.
@Suite(.blocking) struct SecrecyCases {
  enum Fate: CaseIterable {
    case succeeds, fails, cannotConnect, isRedirected
  }

  private static let secrets = ["PASSW0RD", "SIGSECRET1", "SIGSECRET2", "TOKSECRET1", "TOKSECRET2"]

  @Test(arguments: Fate.allCases)
  func B049_noSecretIsPrintedOrStored(fate: Fate) throws {
    var options = TestServer.Options()
    options.listensAtOnce = fate != .cannotConnect
    let server = try TestServer(options: options)
    server.route("*", .respond(fate == .fails ? Response(500) : Response(200, body: "file")))
    if fate == .isRedirected {
      server.route("/x", .respond(.redirect(to: "/y?sig=SIGSECRET2&token=TOKSECRET1")))
    }
    let query = "X-Amz-Signature=SIGSECRET1&sig=SIGSECRET2&token=TOKSECRET1"
    let url = server.url("/x?\(query)", host: "user:PASSW0RD@127.0.0.1")
    let site = try NetworkSite()
    let manifest = """
      files:
        - id: a
          url: \(url)
          dest: a.bin
          headers: {Authorization: Bearer TOKSECRET2}
      """
    let plan = try site.launch(manifest)
    for words in [["plan", "manifest.yaml", "-v"], ["plan", "manifest.yaml", "--json"]] {
      let planned = try ChildProcess.run(plan.with { $0.arguments = words + ["--cache", "cache"] })
      try expectNoSecret(in: planned.output)
    }
    let run = try site.run(manifest, NetworkSite.patience + ["-v", "--retries", "1"])
    let succeeds = fate == .succeeds || fate == .isRedirected
    #expect(run.exitStatus == (succeeds ? 0 : 1), "\(run)")
    try expectNoSecret(in: run.process.output)
    try expectNoSecret(in: site)
    #expect(try run.file("a").url?.contains("127.0.0.1:\(server.port)/x?") == true)
    if succeeds { #expect(server.requests.first?["Authorization"] == "Bearer TOKSECRET2") }
  }

  private func expectNoSecret(in output: ProcessOutput) throws {
    for secret in Self.secrets {
      #expect(!output.text.contains(secret) && !output.errorText.contains(secret), "\(output)")
    }
  }

  /// The report and everything in the cache, names and index included.
  private func expectNoSecret(in site: NetworkSite) throws {
    let names = try site.files(below: "cache").map { "cache/\($0)" } + ["report.json"]
    for name in names {
      // The bytes of an index aren't text, but what is text in it stays so.
      let text = String(decoding: try site.directory.read(name), as: UTF8.self)
      for secret in Self.secrets {
        #expect(!text.contains(secret), "\(name)")
        #expect(!name.contains(secret))
      }
    }
  }
}
