import Testing

@testable import BulkgetKit

/// Which proxy a request goes through.
struct ProxySettingsTests {
  // MARK: Addresses

  @Test(arguments: [
    ("proxy.example:3128", "http://proxy.example:3128"), ("http://Proxy", "http://proxy:80"),
    ("http://p:80/", "http://p:80"), ("HTTPS://p", "https://p:443"),
    ("https://p:80", "https://p:80"),
    ("socks5h://p", "socks5h://p:1080"), ("socks5://p:80", "socks5://p:80"),
    ("http://[::1]:8", "http://[::1]:8"), ("[::1]", "http://[::1]:80"),
    ("socks4://127.0.0.1", "socks4://127.0.0.1:1080"),
  ])
  func anAddressIsReadWithItsPort(source: String, text: String) {
    #expect(ProxyAddress(source)?.text == text)
    #expect(ProxyAddress(source)?.description == text)
  }

  @Test func credentialsGoToTheTransportAndNowhereElse() throws {
    let proxy = try #require(ProxyAddress("http://user:p%40ss@proxy:8080"))
    #expect(proxy.text == "http://user:p%40ss@proxy:8080")
    #expect("\(proxy)" == "http://proxy:8080")
  }

  @Test(arguments: [
    "", "ftp://p", "://p", "http://", "http://p/path", "p?q", "p#f", "http://p:99999", "a b", "p:x",
  ])
  func anythingElseIsNoProxy(source: String) {
    #expect(ProxyAddress(source) == nil)
  }

  // MARK: Exclusions

  @Test(arguments: [
    ("*", "http://any.example/", true), ("localhost", "http://localhost/", true),
    ("localhost", "http://localhost:99/", true), ("LOCALHOST", "http://localhost/", true),
    ("localhost", "http://LocalHost./", true), ("localhost.", "http://localhost/", true),
    ("example.org", "http://www.example.org/", true),
    (".example.org", "http://www.example.org/", true),
    (".example.org", "http://example.org/", true), ("example.org", "http://badexample.org/", false),
    ("www.example.org", "http://example.org/", false),
    ("bücher.example", "http://xn--bcher-kva.example/", true),
    ("localhost:80", "http://localhost/", true), ("localhost:80", "https://localhost/", false),
    ("localhost:443", "https://localhost/", true), ("localhost:81", "http://localhost:81/", true),
    ("localhost:81", "http://localhost:82/", false),
    (".example.org:81", "http://a.example.org:81/", true),
    ("127.0.0.1", "http://127.0.0.1/", true), ("127.0.0.1", "http://127.0.0.11/", false),
    ("127.0.0.1", "http://127.1/", true), ("127.0.0.1:8", "http://127.0.0.1:8/", true),
    ("127.0.0.1:8", "http://127.0.0.1:9/", false), ("127.0.0.1", "http://localhost/", false),
    ("127.0.0.0/8", "http://127.9.9.9/", true), ("127.0.0.0/8", "http://128.0.0.1/", false),
    ("10.1.0.0/20", "http://10.1.15.255/", true), ("10.1.0.0/20", "http://10.1.16.0/", false),
    ("0.0.0.0/0", "http://1.2.3.4/", true), ("0.0.0.0/0", "http://[::1]/", false),
    ("1.2.3.4/32", "http://1.2.3.4/", true), ("1.2.3.4/32", "http://1.2.3.5/", false),
    ("::1", "http://[::1]/", true), ("[::1]", "http://[::1]/", true),
    ("[::1]:8", "http://[::1]:8/", true),
    ("[::1]:8", "http://[::1]:9/", false), ("0:0::1", "http://[::1]/", true),
    ("fe80::/10", "http://[febf::1]/", true), ("fe80::/10", "http://[fec0::1]/", false),
    ("127.0.0.1", "http://[::ffff:127.0.0.1]/", true), ("::1", "http://[::2]/", false),
    ("127.0.0.0/8", "http://127.example.org/", false),
  ])
  func aWordCoversItsServersAndNoOthers(word: String, url: String, isCovered: Bool) throws {
    let exclusion = try #require(ProxyExclusion(word))
    #expect(exclusion.covers(try ResourceURL(url).origin) == isCovered)
  }

  @Test(arguments: [
    "", ".", "*.example.org", "a*", "10.0.0.0/33", "::1/129", "10.0.0/8", "example.org/8",
    "10.0.0.0/",
    "http://localhost", "user@localhost", "localhost:", "localhost:x", "localhost:70000", "[::1",
    "[x]",
    "[::1]8", "10.0.0.0/8:80",
  ])
  func otherFormsAreNotGuessedAt(word: String) {
    #expect(ProxyExclusion(word) == nil)
  }

  // MARK: The environment

  private func proxy(_ environment: [String: String], _ url: String, _ option: String? = nil) throws
    -> String?
  {
    let settings = try ProxySettings(
      environment: environment, proxy: option.flatMap { ProxyAddress($0) })
    return settings.proxy(for: try ResourceURL(url).origin)?.description
  }

  @Test(
    arguments: [
      ([:], "http://a/", nil), (["http_proxy": "p:1"], "http://a/", "http://p:1"),
      (["http_proxy": "p:1"], "https://a/", nil),
      (["https_proxy": "p:1"], "https://a/", "http://p:1"),
      (["https_proxy": "p:1"], "http://a/", nil), (["HTTP_PROXY": "p:1"], "http://a/", nil),
      (["HTTPS_PROXY": "p:1"], "https://a/", "http://p:1"),
      (["HTTPS_PROXY": "p:1", "https_proxy": "q:1"], "https://a/", "http://q:1"),
      (["HTTPS_PROXY": "p:1", "https_proxy": ""], "https://a/", "http://p:1"),
      (["http_proxy": ""], "http://a/", nil),
      (["http_proxy": "p:1", "no_proxy": "b, a"], "http://a/", nil),
      (["http_proxy": "p:1", "no_proxy": "b a\tc"], "http://a/", nil),
      (["http_proxy": "p:1", "NO_PROXY": "a"], "http://a/", nil),
      (["http_proxy": "p:1", "no_proxy": "b", "NO_PROXY": "a"], "http://a/", "http://p:1"),
      (["http_proxy": "p:1", "no_proxy": ",, ,"], "http://a/", "http://p:1"),
    ] as [([String: String], String, String?)])
  func theEnvironmentNamesProxies(
    environment: [String: String], url: String, expected: String?
  ) throws {
    #expect(try proxy(environment, url) == expected)
  }

  @Test func theOptionStandsInForBothAndExclusionsStillCount() throws {
    let environment = ["http_proxy": "bad proxy", "https_proxy": "p:1", "no_proxy": "b"]
    #expect(try proxy(environment, "http://a/", "q:2") == "http://q:2")
    #expect(try proxy(environment, "https://a/", "q:2") == "http://q:2")
    #expect(try proxy(environment, "https://b/", "q:2") == nil)
  }

  @Test func aVariableThatNamesNoProxyIsNamedWithoutItsValue() {
    let environment = ["https_proxy": "htp://user:secret@p"]
    #expect(throws: ProxySettings.UnreadableProxy(variable: "https_proxy")) {
      try ProxySettings(environment: environment)
    }
  }

  @Test func wordsThatCannotBeReadAreWarnedAbout() throws {
    let settings = try ProxySettings(environment: ["no_proxy": "a,*.b,c:x"])
    #expect(settings.unreadableExclusions == ["*.b", "c:x"])
    #expect(settings.warnings.map(\.code) == ["no-proxy", "no-proxy"])
    #expect(settings.warnings[0].message.contains("`*.b`"))
  }
}
