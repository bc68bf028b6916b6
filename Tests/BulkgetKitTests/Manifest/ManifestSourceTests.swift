import BulkgetKit
import Testing

@Suite struct ManifestSourceTests {
  @Test(arguments: [
    ("a.bin", "/base/a.bin"), ("./foo:bar", "/base/./foo:bar"), ("../up.bin", "/base/../up.bin"),
    ("/abs/a b", "/abs/a b"), ("a%20b", "/base/a%20b"), ("dir/a?b#c", "/base/dir/a?b#c"),
    ("~/x", "/base/~/x"), ("日本.bin", "/base/日本.bin"), ("1.0", "/base/1.0"), ("'-'", "/base/-"),
  ])
  func plainPathsAreTakenLiterally(text: String, path: String) throws {
    #expect(try entry("url: \(text)").sources == [.local(path: path)])
  }

  @Test(arguments: [
    ("file:///p/a%20b", "/p/a b"), ("file://localhost/p", "/p"), ("FILE:///p", "/p"),
    ("file:/p", "/p"),
    ("file:///a%2Fb", "/a/b"), ("file:///100%25", "/100%"), ("file:///d%C3%A9", "/dé"),
    ("file://LOCALHOST/p", "/p"),
  ])
  func fileURLsArePercentDecoded(text: String, path: String) throws {
    #expect(try entry("url: \(text)").sources == [.local(path: path)])
  }

  @Test(arguments: [
    ("file://host/p", "a `file:` URL can name no other machine"),
    ("file:p", "a `file:` URL needs an absolute path"),
    ("file://localhost", "a `file:` URL needs an absolute path"),
    ("file:///p?q", "a `file:` URL has no query and no fragment"),
    ("file:///p#q", "a `file:` URL has no query and no fragment"),
    ("file:///p%00", "the `file:` URL's path is no UTF-8 text or has a control character"),
    ("file:///p%FF", "the `file:` URL's path is no UTF-8 text or has a control character"),
    ("file:///p/", "the path names a directory, not a file"),
    ("dir/", "the path names a directory, not a file"), ("''", "`url` is empty"),
    ("\"a\\nb\"", "the URL or path has a control character"),
    ("\"a\\x9bb\"", "the URL or path has a control character"),
    ("\"https://example.org/\\n\"", "the URL or path has a control character"),
    ("https://", "the URL's host is no name and no address"),
    ("https:example.org", "the URL's host is no name and no address"),
    ("https://exa mple/x", "the URL's host `exa mple` is no name and no address"),
    ("https://example.org:70000/", "the URL's port is no number from 0 to 65535"),
    ("https://example.org:x/", "the URL's port is no number from 0 to 65535"),
  ])
  func malformedSourcesAreRefused(text: String, problem: String) {
    #expect(problems(entryText("url: \(text)")) == ["3:10 \(problem)"])
  }

  @Test(arguments: ["foo:bar", "ftp://x/y", "s3://bucket/key", "C:\\x", "data:,x", "oci://r/i"])
  func otherSchemesAreRefusedWithAWayOut(text: String) {
    let scheme = text.split(separator: ":")[0].lowercased()
    #expect(problems(entryText("url: \(text)")) == ["3:10 the scheme `\(scheme)` is not supported"])
    #expect(
      hints(entryText("url: \(text)")) == [
        "use `https`, `http` or `file`; write `./` before a path that has a colon"
      ])
  }

  @Test func theSchemesLetterCaseMakesNoDifference() throws {
    #expect(
      try entry("url: HTTPS://Example.org/A").sources == [
        .remote(try ResourceURL("https://example.org/A"))
      ])
  }

  @Test func mirrorsKeepTheirOrder() throws {
    let sources = try entry("urls: [https://a.example/x, b.bin, 'file:///c']").sources
    #expect(
      sources == [
        .remote(try ResourceURL("https://a.example/x")), .local(path: "/base/b.bin"),
        .local(path: "/c"),
      ])
  }

  @Test func everyMirrorIsChecked() {
    #expect(
      problems(entryText("urls: [ftp://a, b, gopher://c, ~]")) == [
        "3:12 the scheme `ftp` is not supported", "3:24 the scheme `gopher` is not supported",
        "3:36 `urls` has no value",
      ])
  }

  @Test func exactlyOneOfURLAndURLsIsNeeded() {
    #expect(problems("files:\n- id: a") == ["2:3 `url` is missing"])
    #expect(
      problems("files:\n- id: a\n  url: x\n  urls: [y]") == [
        "4:3 `url` and `urls` exclude each other, at line 3, column 3"
      ])
    #expect(problems("files:\n- id: a\n  urls: []") == ["3:9 `urls` is empty"])
    #expect(problems("files:\n- id: a\n  urls: x") == ["3:9 `urls` wants a list"])
    #expect(problems("files:\n- id: a\n  url: [x]") == ["3:8 `url` is one text"])
    #expect(problems("files:\n- id: a\n  url: {b: x}") == ["3:8 `url` wants a text, not a mapping"])
  }

  @Test func aURLHasALimit() {
    let text = entryText("url: https://example.org/" + String(repeating: "a", count: 70_000))
    #expect(problems(text) == ["3:10 the URL is longer than the limit of 65536 bytes"])
  }

  @Test(
    arguments: [
      ("https://example.org/a.tar.gz", "tar.gz"), ("https://example.org/a.TAR.Zst", "tar.zst"),
      ("https://example.org/a.tar.bz2?x=y.zip", "tar.bz2"),
      ("https://example.org/a.tar.xz#x.y", "tar.xz"),
      ("https://example.org/a.tar.lz", "tar.lz"), ("https://example.org/a.gz", "gz"),
      ("https://example.org/a.tar.sig", "sig"), ("https://example.org/v1.2/a", nil),
      ("https://example.org/.bashrc", nil), ("https://example.org/.tar.gz", "gz"),
      ("https://example.org/a.", nil), ("https://example.org/", nil), ("https://example.org", nil),
      ("https://example.org/a.b%20c", nil), ("https://example.org/a%2Ezip", "zip"),
      ("https://example.org/a.日本", nil), ("https://example.org/node-v18.2", "2"),
      ("d.d/a.BIN", "bin"),
      ("file:///x/a.json", "json"),
      ("https://example.org/a.\(String(repeating: "x", count: 33))", nil),
    ] as [(String, String?)])
  func theTypeComesFromTheURLsPath(url: String, type: String?) throws {
    #expect(try entry("url: \(url)").type?.description == type)
  }

  @Test func aGivenTypeWins() throws {
    #expect(try entry("type: zip\nurl: https://example.org/a.tar.gz").type?.description == "zip")
    let text = "defaults: {type: zip}\n" + entryText("url: https://example.org/a.tar.gz")
    #expect(try manifest(text).entries[0].type?.description == "zip")
  }

  @Test func pathsInTwoUnicodeFormsAreTwoSources() {
    #expect(Source.local(path: "/\u{E9}") != .local(path: "/e\u{301}"))
    #expect(Source.local(path: "/a") == .local(path: "/a"))
  }
}
