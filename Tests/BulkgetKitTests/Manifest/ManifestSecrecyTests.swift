import BulkgetKit
import Testing

/// No text about a manifest repeats what is secret in it, however the manifest is broken.
@Suite struct ManifestSecrecyTests {
  @Test(arguments: [
    "hosts: {h: {auth: {bearer: HIDDEN, x: 1}}}\nfiles: []",
    "hosts: {h: {auth: {baerer: HIDDEN}}}\nfiles: []",
    "hosts: {h: {auth: HIDDEN}}\nfiles: []",
    "hosts: {h: {auth: {bearer: \"HIDDEN\\n\"}}}\nfiles: []",
    "hosts: {h: {auth: {user: \"HIDDEN:x\", password: \"HIDDEN\\r\"}}}\nfiles: []",
    "hosts: {h: {auth: {header: {A: \"HIDDEN\\n\", B: 'HIDDEN'}}}}\nfiles: []",
    "hosts: {h: {auth: {bearer: \"${HIDDEN\", user: HIDDEN}}}\nfiles: []".replacing(
      "${HIDDEN", with: "HIDDEN"),
    "hosts:\n  h:\n    auth: {bearer: HIDDEN\n      and HIDDEN, user: u}\nfiles: []",
    "hosts: {\"a b\": {auth: {bearer: HIDDEN}}}\nfiles: []",
    "files: [{id: a, url: x, headers: {Range: HIDDEN, A: \"HIDDEN\\n\", A: HIDDEN}}]",
    "files: [{id: a, url: x, headers: [HIDDEN]}]", "files: [{id: a, url: x, headers: HIDDEN}]",
    "defaults: {headers: {Host: HIDDEN}}\nfiles: []",
    "files: [{id: a, url: 'ftp://u:HIDDEN@h/'}]", "files: [{id: a, url: 'https://u:HIDDEN@h:x/'}]",
    "files: [{id: a, url: 'https://u:SEC/HIDDEN@h/'}]",
    "files: [{id: a, url: 'https://u:HIDDEN@a b/'}]",
    "files: [{id: a, url: 'https://h:x/?token=HIDDEN&a=b'}]",
    "files: [{id: a, urk: 'https://h/?X-Amz-Signature=HIDDEN'}]",
    "files:\n- id: a\n  url: https://u:HIDDEN@exa mple/x?sig=HIDDEN\n",
    "variables: {token: HIDDEN, token: HIDDEN}\nfiles: []",
    "variables: {my-password: [HIDDEN]}\nfiles: []",
    "x-h: &h {A: \"HIDDEN\\n\"}\nfiles: [{id: a, url: x, headers: *h}]",
  ])
  func secretsOfAWellFormedManifestAreHidden(text: String) {
    let printed = errorText(text)
    #expect(!printed.isEmpty)
    #expect(!printed.contains("HIDDEN"), "\(printed)")
  }

  @Test(arguments: [
    "hosts:\n  h:\n    auth: {bearer: HIDDEN",
    "hosts:\n  h:\n    auth: {bearer: HIDDEN]}\nfiles: []",
    "hosts:\n  h:\n    auth:\n      bearer: \"HIDDEN\n",
    "hosts:\n  h:\n    auth:\n      bearer: HIDDEN: x\n",
    "hosts:\n  h:\n    auth:\n      user: u\n     password: HIDDEN\n",
    "hosts:\n  h:\n    auth:\n      header: {X-Mine: 'HIDDEN}\n",
    "hosts:\n  h:\n    auth:\n      header:\n        X-Mine: >\n          HIDDEN\n       HIDDEN: y: z\n",
    "files:\n- id: a\n  headers:\n    Authorization: Bearer HIDDEN: x\n",
    "files:\n- id: a\n  headers:\n    X-Mine: @HIDDEN\n",
    "files:\n- id: a\n  headers: {X-Mine: HIDDEN\n",
    "files:\n- id: a\n  headers: {\"X-Mine\": \"HIDDEN\\q\"}\n",
    "files:\n- {id: a, headers: {\"Cookie\": \"HIDDEN\" \"x\"}}\n",
    "files:\n- id: a\n  url: https://u:HIDDEN@h/?token=HIDDEN: x\n",
    "variables:\n  api_key: HIDDEN: x\n",
  ])
  func secretsOfABrokenManifestAreHidden(text: String) {
    let printed = errorText(text)
    #expect(!printed.isEmpty)
    #expect(!printed.contains("HIDDEN"), "\(printed)")
  }

  @Test(arguments: [
    "dest: ../${env:T}", "dest: /${env:T}", "size: ${env:T}", "type: ${env:T} x",
    "freshness: ${env:T}",
    "priority: ${env:T}", "sha256: ${env:T}", "integrity: ${env:T}", "executable: ${env:T}",
    "tags: [\"${env:T}\\n\"]",
    "platforms: [\"${env:T}\"]", "url: https://${env:T} x/", "url: https://h:${env:T}/",
    "url: ftp://${env:T}/",
    "headers: {A: \"${env:T}\\n\"}", "url: ${env:T}:x", "url: https://h/${env:T}/\ndest: d/",
  ])
  func textFromTheEnvironmentIsNotPrinted(line: String) {
    let printed = errorText(entryText(line), environment: ["T": "HIDDEN"])
    #expect(!printed.isEmpty)
    #expect(!printed.uppercased().contains("HIDDEN"), "\(printed)")
  }

  @Test func theShownLineKeepsItsKeysAndTheCaret() {
    #expect(
      errorText("hosts:\n  h: {auth: {bearer: abc, user: def}, conections: 2}\nfiles: []")
        == """
        error: m.yaml:2:13: `auth` is exactly one of `bearer`, `user` with `password`, and `header`
          2 |   h: {auth: {bearer: REDACTED, user: REDACTED}, conections: 2}
            |             ^
        hint: write `{bearer: T}`, `{user: U, password: P}` or `{header: {NAME: VALUE}}`
        error: m.yaml:2:39: a host has no key `conections`
          2 |   h: {auth: {bearer: REDACTED, user: REDACTED}, conections: 2}
            |                                                 ^
        hint: did you mean `connections`?
        """)
  }

  @Test(arguments: [
    Array("files:\n  - id: a\u{1B}[2J\n".utf8),
    Array("files:\n  - id: \"\\e]0;X\\a\"\n    url: x\n".utf8),
    Array("fi\u{9B}les: []".utf8), Array("files: [\"\u{9B}".utf8), Array("files: ".utf8) + [0x9B],
    Array("\u{202E}fi: x\nfiles: []".utf8), Array("\"a\\rb\\x9b\\e[1m\": x\nfiles: []".utf8),
    Array("files: [{id: a, url: x, \"\\u200f\\u2028k\": 1}]".utf8),
    Array("files: []\r\r\rx: \"\u{7F}\"".utf8),
    Array("\"".utf8) + [0xC3, 0x28, 0xFF], Array("files: [{id: a, url: \"\\e[31m:x\"}]".utf8),
  ])
  func B071_whatIsPrintedMovesNoCursor(bytes: [UInt8]) {
    let printed = errorText(bytes)
    #expect(!printed.isEmpty)
    for scalar in printed.unicodeScalars where scalar != "\n" {
      #expect(!PrintableText.isUnprintable(scalar), "\(printed)")
    }
  }

  @Test func B071_messagesHaveTheirControlCharactersEscaped() {
    #expect(
      problems("files: [{id: \"\\e[2J\", url: x}]") == [
        "1:14 the id `\\u001b[2J` has a control character"
      ])
  }

  @Test func theFilesNameIsEscapedToo() {
    let problem = ManifestError.Problem(file: "a\u{1B}[2J.yaml", ("x\ty", "z\r"))
    #expect(problem.description == "error: a\\u001b[2J.yaml: x\\u0009y\nhint: z\\u000d")
  }
}
