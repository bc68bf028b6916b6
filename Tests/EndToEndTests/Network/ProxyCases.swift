import TestSupport
import Testing

/// A proxy is used exactly when it should be, and its credentials stay with it.
@Suite(.blocking) struct ProxyCases {
  private let body = Body.pseudoRandom(2_000)

  private func server(_ address: Socket.Address = .ipv4) throws -> TestServer {
    var options = TestServer.Options()
    options.address = address
    return try TestServer(["*": [.file(Resource(body))]], options: options)
  }

  private func run(
    _ urls: [String], _ environment: [String: String], _ options: [String] = ["--retries", "0"]
  ) throws -> NetworkRun {
    let entries = urls.enumerated().map { "  - {id: \"\($0.offset)\", url: \"\($0.element)\"}" }
    return try NetworkSite().run(
      "files:\n" + entries.joined(separator: "\n"), options, environment: environment)
  }

  // MARK: B119

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("localhost,.local", "localhost"), ("localhost,.local", "a.local"),
    ("127.0.0.0/8", "127.0.0.1"), ("*", "localhost"), (" localhost ", "localhost"),
    ("LOCALHOST", "localhost"), ("localhost:PORT", "localhost"),
  ])
  func B119_anExcludedHostNeverReachesTheProxy(exclusion: String, host: String) throws {
    let (server, proxy) = (try server(), try ProxyServer())
    // A name that doesn't exist shows that it was looked for by its absence from the proxy.
    let exists = host != "a.local"
    for name in ["no_proxy", "NO_PROXY"] {
      let text = exclusion.replacing("PORT", with: "\(server.port)")
      let run = try run(
        [server.url("/x", host: host)], ["http_proxy": proxy.url, name: text])
      #expect(run.exitStatus == (exists ? 0 : 1), "\(run)")
    }
    #expect(proxy.requests.isEmpty)
    #expect(server.requests.count == (exists ? 2 : 0))
  }

  @Test(arguments: ["::1", "[::1]"])
  func B119_addressesOfVersion6AreExcluded(exclusion: String) throws {
    let (server, proxy) = (try server(.ipv6), try ProxyServer())
    let run = try run(
      [server.url("/x", host: "[::1]")], ["http_proxy": proxy.url, "no_proxy": exclusion])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(proxy.requests.isEmpty)
  }

  @Test(arguments: [
    "127.0.0.1", ".local", "10.0.0.0/8", "::1", "localhost:1", "ocalhost", "",
  ])
  func B119_allOthersAlwaysReachIt(exclusion: String) throws {
    let (server, proxy) = (try server(), try ProxyServer())
    let url = server.url("/x", host: "localhost")
    let run = try run([url], ["http_proxy": proxy.url, "no_proxy": exclusion])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(proxy.targets == ["GET \(url)"])
  }

  @Test func B119_theCapitalFormOfHTTPProxyDoesNothing() throws {
    let (server, proxy) = (try server(), try ProxyServer())
    let run = try run([server.url("/x")], ["HTTP_PROXY": proxy.url])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(proxy.requests.isEmpty)
  }

  @Test func B119_eachRedirectIsJudgedAnew() throws {
    let (home, away, proxy) = (try server(), try server(), try ProxyServer())
    home.route("/out", .respond(.redirect(to: away.url("/y"))))
    away.route("/back", .respond(.redirect(to: home.url("/z", host: "proxied.example"))))
    let urls = [
      home.url("/out", host: "proxied.example"), away.url("/back"),
    ]
    let run = try run(urls, ["http_proxy": proxy.url, "no_proxy": "127.0.0.1"], ["-j", "1"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(
      proxy.targets == ["GET \(urls[0])", "GET \(home.url("/z", host: "proxied.example"))"])
    #expect(away.requests.map(\.target).sorted() == ["/back", "/y"])
  }

  @Test func B119_otherFormsAreWarnedAbout() throws {
    let (server, proxy) = (try server(), try ProxyServer())
    let run = try run(
      [server.url("/x")], ["http_proxy": proxy.url, "no_proxy": "127.0.0.1,*.example.org"])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.warnings.map(\.code) == ["no-proxy"])
    #expect(run.errorText.contains("warning: `*.example.org`"))
  }

  @Test func B068_anExcludedAddressOfVersion6IsAskedDirectly() throws {
    let (server, proxy) = (try server(.ipv6), try ProxyServer())
    let run = try run(
      [server.url("/x", host: "[::1]")], ["no_proxy": "::1"], ["--proxy", proxy.url])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(server.requests.map { $0["Host"] } == ["[::1]:\(server.port)"])
    #expect(proxy.requests.isEmpty)
  }

  // MARK: Tunnels and credentials

  @Test func secureServersAreReachedThroughATunnel() throws {
    let (authority, proxy) = (try CertificateAuthority(), try ProxyServer())
    var options = TestServer.Options()
    options.identity = try authority.makeIdentity()
    let server = try TestServer(["*": [.file(Resource(body))]], options: options)
    let run = try NetworkSite().run(
      "files: [{id: a, url: '\(server.url("/x"))', headers: {X-Key: SECRET}}]",
      ["--cacert", authority.certificateFile], environment: ["https_proxy": proxy.url])
    #expect(run.exitStatus == 0, "\(run)")
    #expect(proxy.targets == ["CONNECT \(server.authority)"])
    #expect(proxy.requests.allSatisfy { $0["X-Key"] == nil })
    #expect(server.requests.map { $0["X-Key"] } == ["SECRET"])
  }

  @Test func aProxysCredentialsGoToItAndAreNeverShown() throws {
    var options = ProxyServer.Options()
    options.credentials = "user:PASSW0RD"
    let (server, proxy) = (try server(), try ProxyServer(options))
    let address = "http://user:PASSW0RD@127.0.0.1:\(proxy.port)"
    server.route("/gone", .respond(Response(404)))
    let site = try NetworkSite()
    let run = try site.run(
      "files: [{id: a, url: '\(server.url("/x"))'}, {id: b, url: '\(server.url("/gone"))'}]",
      ["-v"], environment: ["http_proxy": address])
    #expect(try run.failures == ["b": "http-status"], "\(run)")
    #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
    let report = String(decoding: try site.directory.read("report.json"), as: UTF8.self)
    for text in [report, run.errorText] { #expect(!text.contains("PASSW0RD")) }
  }

  @Test func aRefusalOfTheProxyIsNamedAndNotRetried() throws {
    var refusing = ProxyServer.Options()
    refusing.connectStatus = 403
    var guarded = ProxyServer.Options()
    guarded.credentials = "user:right"
    let (tunnel, plain) = (try ProxyServer(refusing), try ProxyServer(guarded))
    let server = try server()
    let run = try run(
      [server.url("/x"), "https://\(server.authority)/y"],
      ["http_proxy": "http://user:PASSW0RD@127.0.0.1:\(plain.port)", "https_proxy": tunnel.url],
      NetworkSite.patience)
    #expect(try run.failures == ["0": "proxy", "1": "proxy"], "\(run)")
    #expect(plain.requests.count == 1)
    #expect(tunnel.requests.count == 1)
    #expect(!run.errorText.contains("PASSW0RD"))
  }

  @Test(arguments: [["--proxy", "htp://user:PASSW0RD@p"], []])
  func whatNamesNoProxyEndsTheRunAtOnceAndIsNotShown(options: [String]) throws {
    let server = try server()
    let run = try run([server.url("/x")], ["http_proxy": "htp://user:PASSW0RD@p"], options)
    #expect(run.exitStatus == 2)
    #expect(run.errorText.contains(options.isEmpty ? "http_proxy" : "--proxy"), "\(run)")
    #expect(!run.errorText.contains("PASSW0RD"))
    #expect(server.requests.isEmpty)
  }
}
