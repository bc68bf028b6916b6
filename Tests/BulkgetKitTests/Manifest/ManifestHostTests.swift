import BulkgetKit
import Testing

@Suite struct ManifestHostTests {
  private func hosts(_ text: String, environment: [String: String] = [:]) throws -> [String:
    HostSettings]
  {
    try manifest("hosts:\n  \(text)\nfiles: []", environment: environment).hosts
  }

  @Test(arguments: [
    ("example.org", "example.org"), ("Example.ORG", "example.org"),
    ("example.org:8080", "example.org:8080"),
    ("example.org:443", "example.org:443"), ("example.org:80", "example.org:80"),
    ("127.0.0.1", "127.0.0.1"),
    ("\"[::1]\"", "[::1]"), ("\"[::1]:8080\"", "[::1]:8080"),
    ("bücher.example", "xn--bcher-kva.example"),
    ("BÜCHER.example:81", "xn--bcher-kva.example:81"), ("localhost", "localhost"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"),
  ])
  func B067_hostsAreKeptInTheirOneForm(text: String, name: String) throws {
    #expect(try hosts("\(text): {connections: 1}").keys.sorted() == [name])
  }

  @Test(arguments: [
    "https://example.org", "example.org/path", "\"*.example.org\"", "user@example.org",
    "example.org:x",
    "example.org:70000", "example.org:", "\"a b\"", "\"\"", "\"::1\"", "\"[::1\"", "a?b", "a%41",
    "\"a\\nb\"",
  ])
  func otherKeysAreNoHosts(text: String) {
    let found = problems("hosts:\n  \(text): {}\nfiles: []")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("2:3 `"))
    #expect(found[0].hasSuffix("` is no host"))
  }

  @Test func twoFormsOfOneHostAreADuplicate() {
    #expect(
      problems("hosts:\n  a.example: {}\n  A.example: {}\nfiles: []") == [
        "3:3 the host `a.example` is already given, at line 2, column 3"
      ])
  }

  @Test(
    arguments: [
      ("{bearer: T}", .bearer("T")), ("{user: U, password: P}", .basic(user: "U", password: "P")),
      ("{user: U}", .basic(user: "U", password: "")),
      ("{user: '', password: P}", .basic(user: "", password: "P")),
      ("{header: {X-Key: V}}", .header(HeaderField(name: "X-Key", value: "V"))),
      ("{bearer: '${env:T}'}", .bearer("secret")), ("{bearer: no}", .bearer("no")),
    ] as [(String, HostSettings.Credential)])
  func everyKindOfCredentialIsRead(text: String, credential: HostSettings.Credential) throws {
    let host = try #require(try hosts("h: {auth: \(text)}", environment: ["T": "secret"])["h"])
    #expect(host.credential == credential)
    #expect(!host.allowsHTTP)
    #expect(host.connections == nil)
  }

  @Test(arguments: [
    "{bearer: ''}", "{bearer: '${env:NONE:-}'}", "{user: '', password: ''}", "{header: {X: ''}}",
  ])
  func anEmptyCredentialIsNone(text: String) throws {
    let host = try #require(try hosts("h: {auth: \(text)}")["h"])
    #expect(host.credential == nil)
  }

  @Test(arguments: [
    "{}", "{bearer: T, user: U}", "{bearer: T, header: {A: b}}", "{user: U, header: {A: b}}", "~",
  ])
  func exactlyOneKindIsNeeded(text: String) {
    #expect(
      problems("hosts:\n  h: {auth: \(text)}\nfiles: []") == [
        "2:13 `auth` is exactly one of `bearer`, `user` with `password`, and `header`"
      ])
  }

  @Test func aPasswordNeedsAUser() {
    #expect(
      problems("hosts:\n  h: {auth: {password: P}}\nfiles: []") == [
        "2:13 `password` needs a `user`"
      ])
  }

  @Test(arguments: [
    ("{bearer: \"a\\nb\"}", "2:22 `bearer` has a control character"),
    ("{user: \"a:b\"}", "2:20 a user's name can have no colon (RFC 7617)"),
    ("{user: \"a\\rb\"}", "2:20 `user` has a control character"),
    ("{header: {\"A B\": c}}", "2:23 `A B` is no name of a header field"),
    ("{header: {A: \"b\\nc\"}}", "2:26 the header's value has a control character"),
    ("{header: {A: b, C: d}}", "2:22 `header` of `auth` is one field"),
    ("{bearer: [a]}", "2:22 `bearer` wants a text, not a list"),
    ("{baerer: a, bearer: b}", "2:14 `auth` has no key `baerer`"),
    ("[a]", "2:13 `auth` wants `key: value` pairs"),
  ])
  func malformedCredentialsAreRefused(text: String, problem: String) {
    #expect(problems("hosts:\n  h: {auth: \(text)}\nfiles: []").contains(problem))
  }

  @Test(arguments: [
    "h: {auth: {bearer: T}, allow-http: true}", "h: {auth: {bearer: T, allow-http: true}}",
  ])
  func plainHTTPIsAllowedBesideOrInsideAuth(text: String) throws {
    #expect(try hosts(text)["h"]?.allowsHTTP == true)
  }

  @Test(arguments: ["1", "1024"])
  func connectionsAreANumber(text: String) throws {
    #expect(try hosts("h: {connections: \(text)}")["h"]?.connections == Int(text))
  }

  @Test(arguments: ["0", "1025", "-1", "many", "1.5"])
  func otherConnectionsAreRefused(text: String) {
    #expect(
      problems("hosts:\n  h: {connections: \(text)}\nfiles: []") == [
        "2:20 `connections` is a whole number from 1 to 1024"
      ])
  }

  @Test func headersKeepTheirOrder() throws {
    let fields = try entry(
      "headers: {Z-b: 1, A: '', c!#$%&'*+.^_`|~-9: x, Authorization: Bearer t}"
    ).headers
    #expect(fields.map(\.name) == ["Z-b", "A", "c!#$%&'*+.^_`|~-9", "Authorization"])
    #expect(fields.map(\.value) == ["1", "", "x", "Bearer t"])
  }

  @Test(arguments: ["a b", "a:b", "ä", "", "a\\nb", "a(b", "a/b", "a\\\"b"])
  func otherNamesAreNoHeaders(name: String) {
    let found = problems(entryText("headers: {\"\(name)\": x}"))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("4:15 `"))
    #expect(found[0].hasSuffix("` is no name of a header field"))
  }

  @Test(arguments: [
    "Range", "range", "If-Range", "If-None-Match", "If-Modified-Since", "Accept-Encoding", "Host",
    "Content-Length", "Transfer-Encoding", "Connection", "TE", "Expect", "UPGRADE",
  ])
  func headersThatBulkgetSetsAreRefused(name: String) {
    #expect(
      problems(entryText("headers: {\(name): x}")) == ["4:15 the header `\(name)` can't be set"])
    #expect(
      hints(entryText("headers: {\(name): x}")) == [
        "bulkget sets it itself or depends on its absence"
      ])
  }

  @Test(arguments: ["a\\nb", "a\\rb", "a\\0b", "a\\x7fb", "a\\x85b"])
  func headerValuesHaveNoControlCharacters(value: String) {
    #expect(
      problems(entryText("headers: {A: \"\(value)\"}")) == [
        "4:18 the header's value has a control character"
      ])
  }

  @Test func aTabInAHeaderValueIsFine() throws {
    #expect(try entry("headers: {A: \"b\\tc\"}").headers[0].value == "b\tc")
  }

  @Test func headersNeedValues() {
    #expect(problems(entryText("headers: {A: ~}")) == ["4:18 `A` has no value"])
    #expect(problems(entryText("headers: {A: [b]}")) == ["4:18 `A` wants a text, not a list"])
    #expect(problems(entryText("headers: [A]")) == ["4:14 `headers` wants `key: value` pairs"])
  }
}
