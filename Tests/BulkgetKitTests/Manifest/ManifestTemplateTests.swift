import BulkgetKit
import Testing

@Suite struct ManifestTemplateTests {
  /// What a text becomes as the value of a header, where every character is allowed.
  private func expanded(
    _ text: String, variables: String = "{a: A, b: B}", environment: [String: String] = [:]
  ) throws -> String {
    let source = "variables: \(variables)\n" + entryText("headers: {H: '\(text)'}")
    return try #require(try manifest(source, environment: environment).entries[0].headers.first)
      .value
  }

  @Test(arguments: [
    ("${a}", "A"), ("x${a}y${b}z", "xAyBz"), ("$${a}", "${a}"), ("$$${a}", "$${a}"), ("$a", "$a"),
    ("$", "$"), ("$$", "$$"), ("a}b", "a}b"), ("{a}", "{a}"), ("${a}${a}", "AA"), ("$${", "${"),
    ("", ""),
    ("$ {a}", "$ {a}"), ("日${a}本", "日A本"),
  ])
  func variablesAreReplaced(text: String, result: String) throws {
    #expect(try expanded(text) == result)
  }

  @Test func whatWasPutInIsNotLookedAtAgain() throws {
    #expect(try expanded("${v}", variables: "{v: '$${a}', a: A}") == "${a}")
    #expect(try expanded("${env:V}", environment: ["V": "${a}"]) == "${a}")
  }

  @Test func aVariableSeesThoseAboveIt() throws {
    #expect(try expanded("${c}", variables: "{a: A, b: '${a}B', c: '${b}C'}") == "ABC")
    #expect(problems("variables: {a: '${b}', b: x}\nfiles: []") == ["1:16 no variable `b`"])
    #expect(problems("variables: {a: '${a}'}\nfiles: []") == ["1:16 no variable `a`"])
  }

  @Test(arguments: [
    ("${env:V}", "value"), ("<${env:V}>", "<value>"), ("${env:V:-x}", "value"),
    ("${env:NONE:-x y}", "x y"),
    ("${env:NONE:-}", ""), ("${env:EMPTY}", ""), ("${env:EMPTY:-x}", "x"),
    ("${env:NONE:-a:-b}", "a:-b"),
    ("${env:NONE:-$x}", "$x"), ("$${env:V}", "${env:V}"),
  ])
  func theEnvironmentIsTakenOrTheDefault(text: String, result: String) throws {
    #expect(try expanded(text, environment: ["V": "value", "EMPTY": ""]) == result)
  }

  @Test(arguments: [
    ("${env:NONE}", "the environment variable `NONE` is not set"), ("${c}", "no variable `c`"),
    ("${}", "no variable ``"), ("${a", "`${` is never closed"),
    ("${foo:bar}", "`${foo:…}` means nothing"),
    ("${ENV:X}", "`${ENV:…}` means nothing"), ("${:x}", "`${:…}` means nothing"),
    ("${env:}", "`` is no name of an environment variable"),
    ("${env:1A}", "`1A` is no name of an environment variable"),
    ("${env:A B}", "`A B` is no name of an environment variable"),
    ("${env:A:x}", "only `:-` can follow the name in `${env:A…}`"),
    ("${env:A:=x}", "only `:-` can follow the name in `${env:A…}`"),
    ("${ a }", "no variable ` a `"),
  ])
  func otherExpressionsAreRefused(text: String, problem: String) {
    let source = "variables: {a: A}\n" + entryText("dest: '\(text)'")
    #expect(problems(source) == ["5:11 \(problem)"])
  }

  @Test func aVariableThatIsNearIsSuggested() {
    let source = "variables: {base: x}\n" + entryText("dest: '${bse}'")
    #expect(hints(source) == ["did you mean `base`?"])
  }

  @Test func idsAndNamespacesAreNotExpanded() throws {
    let manifest = try manifest("variables: {a: A}\nfiles: [{id: '${a}', url: x}]")
    #expect(manifest.entries[0].key.id == "${a}")
  }

  @Test func everyOtherValueIsExpanded() throws {
    let manifest = try manifest(
      """
      version: "${one}"
      variables: {one: 1, two: 2, h: zip, e: linux, t: true, d: 7d, m: 098f6bcd4621d373cade4e832627b4f6}
      hosts: {"x.example": {connections: "${two}", allow-http: "${t}", auth: {bearer: "b${one}"}}}
      defaults: {type: "${h}"}
      files:
        - id: a
          urls: ["https://x.example/${one}", "${two}.bin"]
          md5: "${m}"
          size: "${two}"
          dest: "d${one}/"
          executable: "${t}"
          optional: "${t}"
          freshness: "${d}"
          headers: {H: "v${one}"}
          tags: ["t${two}"]
          platforms: ["${e}/amd64"]
          priority: "${two}"
        - {id: b, url: x, integrity: "sha1-${e}", x-own: "${nothing}"}
      """.replacing("sha1-${e}", with: "sha1-qUqP5cyxm6YcTAhz05Hph5gvu9M="))
    let entry = manifest.entries[0]
    #expect(
      entry.sources == [
        .remote(try ResourceURL("https://x.example/1")), .local(path: "/base/2.bin"),
      ])
    #expect(entry.digests.map(\.algorithm) == [.md5])
    #expect(entry.size == 2)
    #expect(entry.destination?.description == "d1/1")
    #expect(entry.isExecutable && entry.isOptional)
    #expect(entry.freshness == .maximumAge(.seconds(604_800)))
    #expect(entry.headers == [HeaderField(name: "H", value: "v1")])
    #expect(entry.tags == ["t2"])
    #expect(entry.platforms.map(\.description) == ["linux/amd64"])
    #expect(entry.priority == 2)
    #expect(entry.type?.description == "zip")
    let host = try #require(manifest.hosts["x.example"])
    #expect(host.connections == 2)
    #expect(host.allowsHTTP)
    #expect(host.credential == .bearer("b1"))
  }

  @Test(arguments: ["1a", "-a", ".a", "a b", "a:b", "ä", "''"])
  func otherNamesAreNoVariables(name: String) {
    let found = problems("variables: {\(name): x}\nfiles: []")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("1:13 a variable's name begins with a letter"))
  }

  @Test func variablesAreTexts() {
    #expect(problems("variables: {a: [b]}\nfiles: []") == ["1:16 `a` wants a text, not a list"])
    #expect(problems("variables: {a: ~}\nfiles: []") == ["1:16 `a` has no value"])
  }

  @Test func doublingWithoutEndIsRefused() {
    var lines = ["variables:", "  v0: \(String(repeating: "x", count: 1024))"]
    for index in 1...40 { lines.append("  v\(index): ${v\(index - 1)}${v\(index - 1)}") }
    lines.append("files: []")
    let found = problems(lines.joined(separator: "\n"))
    #expect(found.first == "9:7 the value expands to more than 65536 bytes")
  }

  @Test func whereTheEnvironmentCameInIsKeptForTheURL() throws {
    let source =
      "variables: {t: '${env:T}'}\n" + entryText("url: 'https://example.org/x?a=1&b=${t}&c=2'")
    let entry = try manifest(source, environment: ["T": "HIDDEN"]).entries[0]
    guard case .remote(let url) = entry.sources[0] else {
      Issue.record("the source is no URL")
      return
    }
    #expect(url.text == "https://example.org/x?a=1&b=HIDDEN&c=2")
    #expect(url.redacted == "https://example.org/x?a=1&b=REDACTED&c=2")
    #expect(url.identity == "https://example.org/x?a=1&b=&c=2")
  }

  @Test func aDefaultIsNoSecret() throws {
    let entry = try entry("url: 'https://example.org/x?v=${env:V:-1}'")
    guard case .remote(let url) = entry.sources[0] else {
      Issue.record("the source is no URL")
      return
    }
    #expect(url.redacted == "https://example.org/x?v=1")
  }
}
