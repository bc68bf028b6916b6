import BulkgetKit
import Testing

@Suite struct ManifestDestinationTests {
  @Test(arguments: [
    ("../x", "must not leave the output directory: it has a `..`"),
    ("a/../../x", "must not leave the output directory: it has a `..`"),
    ("/tmp/abs", "must be a relative path"), ("''", "names no file"), (".", "names no file"),
    ("\"a\\nb\"", "has a control character"), ("\"a\\0b\"", "has a control character"),
  ])
  func B062_destinationsThatLeaveAreRefused(text: String, problem: String) {
    #expect(problems(entryText("dest: \(text)")) == ["4:11 `dest` \(problem) (entry `a`)"])
  }

  @Test(arguments: [
    ("./a/./b", "a/b"), ("a//b", "a/b"), ("~/x", "~/x"), ("a/", "a/x.bin"), ("./", "x.bin"),
    ("a/b//", "a/b/x.bin"), ("no", "no"), ("1.0", "1.0"),
  ])
  func B062_destinationsAreNormalized(text: String, path: String) throws {
    #expect(try entry("dest: \(text)").destination?.description == path)
  }

  @Test(arguments: [
    ("https://example.org/a%20b.bin", "d/a b.bin"), ("https://example.org/x?y=/z", "d/x"),
    ("https://example.org/d%C3%A9.bin#f", "d/dé.bin"), ("dir/local file.bin", "d/local file.bin"),
    ("file:///tmp/a%20b", "d/a b"),
  ])
  func aDirectoryTakesTheURLsLastPart(url: String, path: String) throws {
    #expect(try entry("url: \"\(url)\"\ndest: d/").destination?.description == path)
  }

  @Test(arguments: [
    "https://example.org", "https://example.org/a/", "https://example.org/a%2Fb",
    "https://example.org/..", "https://example.org/%2e%2E", "https://example.org/.",
    "https://example.org/%FF",
  ])
  func aLastPartThatIsNoNameIsRefused(url: String) {
    #expect(
      problems(entryText("url: \(url)\ndest: d/")) == [
        "4:11 the URL's last part is no file name that `dest` could take (entry `a`)"
      ])
  }

  @Test func aDestinationIsCheckedAlsoWhereTheURLIsWrong() {
    #expect(
      problems(entryText("url: ftp://example.org/a\ndest: ../x")) == [
        "3:10 the scheme `ftp` is not supported",
        "4:11 `dest` must not leave the output directory: it has a `..` (entry `a`)",
      ])
    #expect(
      problems(entryText("url: ftp://example.org/a\ndest: d/")) == [
        "3:10 the scheme `ftp` is not supported"
      ])
  }

  @Test func aLastPartWithAControlCharacterIsRefused() {
    #expect(
      problems(entryText("url: https://example.org/a%0Ab\ndest: d/")) == [
        "4:11 `dest` has a control character (entry `a`)"
      ])
  }

  @Test func theFirstMirrorNamesTheFile() throws {
    let entry = try entry("urls: [https://a.example/x.zip, https://b.example/y.tar]\ndest: d/")
    #expect(entry.destination?.description == "d/x.zip")
    #expect(entry.type?.description == "zip")
  }

  @Test func B064_lengthsAreSaidWithTheirLimits() {
    let name = String(repeating: "a", count: 256)
    #expect(
      problems(entryText("dest: \(name)")) == [
        "4:11 a name in `dest` has 256 bytes, more than the limit of 255 (entry `a`)"
      ])
    let path = String(repeating: String(repeating: "a", count: 100) + "/", count: 41) + "b"
    #expect(
      problems(entryText("dest: \(path)")) == [
        "4:11 `dest` has 4142 bytes, more than the limit of 4095 (entry `a`)"
      ])
    #expect(
      problems(entryText("url: https://example.org/\(name)\ndest: d/")) == [
        "4:11 a name in `dest` has 256 bytes, more than the limit of 255 (entry `a`)"
      ])
  }

  @Test func B064_longURLsAndIDsAreFine() throws {
    let id = String(repeating: "i", count: 1024)
    let query = String(repeating: "q", count: 600)
    for segment in [255, 256, 400].map({ String(repeating: "s", count: $0) }) + [
      String(repeating: "日", count: 90)
    ] {
      let manifest = try manifest(
        "files: [{id: \(id), url: 'https://example.org/\(segment)?\(query)'}]")
      #expect(manifest.entries[0].key.id == id)
    }
  }

  @Test func B064_longerIDsAreRefused() {
    let id = String(repeating: "i", count: 1025)
    #expect(
      problems("files: [{id: \(id), url: x}]") == [
        "1:14 the id has 1025 bytes, more than the limit of 1024"
      ])
  }

  @Test(arguments: ["../x", "a/b", "/", "~", "a b", "日本", "${x}", "$${"])
  func B062_idsNeverBecomePathsAndAreTakenAsWritten(id: String) throws {
    #expect(try manifest("files:\n- id: '\(id)'\n  url: x").entries[0].key.id == id)
  }

  @Test(arguments: ["\\0", "\\n", "\\e[2J", "\\e]0;X\\a", "\\x7f", "\\x9b", "\\t"])
  func B071_idsWithControlCharactersAreRefused(escape: String) {
    let found = problems("files:\n- id: \"a\(escape)\"\n  url: x")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("2:7 the id `a\\u00"))
    #expect(found[0].hasSuffix("has a control character"))
  }

  @Test func theEmptyIDIsRefused() {
    #expect(problems("files:\n- id: ''\n  url: x") == ["2:7 the id is empty"])
  }

  @Test func B085_twoEntriesWithOneDestinationAreRefused() {
    #expect(
      problems(
        """
        files:
          - {id: a, url: x, dest: d/x}
          - {id: b, url: y, dest: ./d//x}
        """) == ["3:27 the destination `d/x` is already that of `a`, at line 2, column 27"])
  }

  @Test func B085_aDestinationInsideAnotherIsRefusedInEitherOrder() {
    #expect(
      problems(
        """
        files:
          - {id: a, url: x, dest: x}
          - {id: b, url: y, dest: x/y}
          - {id: c, url: z, dest: p/q/r}
          - {id: d, url: z, dest: p/q}
        """) == [
          "3:27 the destination `x/y` needs a directory where `a` puts a file, at line 2, column 27",
          "5:27 the destination `p/q` is a directory of that of `c`, at line 4, column 27",
        ])
  }

  @Test func neighboursInOneDirectoryAreFine() throws {
    let manifest = try manifest(
      """
      files:
        - {id: a, url: x, dest: d/x}
        - {id: b, url: x, dest: d/xy}
        - {id: c, url: x, dest: d/x.y/z}
        - {id: d, url: x, dest: dx}
      """)
    #expect(manifest.entries.count == 4)
    #expect(manifest.warnings.isEmpty)
  }

  @Test(arguments: [("A/x.bin", "a/x.bin"), ("\u{E9}.bin", "e\u{301}.bin"), ("straße", "STRASSE")])
  func B070_destinationsThatSomeFileSystemsFoldAreAWarning(first: String, second: String) throws {
    let manifest = try manifest(
      "files:\n  - {id: one, url: x, dest: \(first)}\n  - {id: two, url: y, dest: \(second)}")
    #expect(manifest.entries.count == 2)
    #expect(manifest.warnings.map(\.code) == ["destination-collision"])
    #expect(manifest.warnings[0].message.contains("`one`"))
    #expect(manifest.warnings[0].message.contains("`two`"))
  }

  @Test func B070_thePairsAreListedWithTheirPositions() throws {
    let manifest = try manifest(
      """
      files:
        - {id: a, url: x, dest: A}
        - {id: b, url: x}
        - {id: c, url: x, dest: a/b}
        - {id: d, url: x, dest: X/y}
        - {id: e, url: x, dest: x}
        - {id: f, url: x, dest: x2}
      """)
    let pairs = DestinationCollision.all(among: manifest.entries)
    #expect(pairs.map { [$0.earlier, $0.later] } == [[0, 2], [3, 4]])
    #expect(manifest.entries[pairs[0].later].position.line == 4)
    #expect(manifest.warnings.count == 2)
  }

  @Test func directoriesThatDifferByCaseAloneShareNoFile() throws {
    let manifest = try manifest("files: [{id: a, url: x, dest: D/x}, {id: b, url: y, dest: d/y}]")
    #expect(manifest.warnings.isEmpty)
  }
}

extension ManifestDestinationTests {
  @Test func everyEntryInsideAFileOfAnotherIsNamed() {
    #expect(
      problems(
        """
        files:
          - {id: a, url: x, dest: p/q}
          - {id: b, url: x, dest: p/q/r/s}
          - {id: c, url: x, dest: p/q/t}
          - {id: d, url: x, dest: p}
          - {id: e, url: x, dest: p}
        """) == [
          "3:27 the destination `p/q/r/s` needs a directory where `a` puts a file, at line 2, column 27",
          "4:27 the destination `p/q/t` needs a directory where `a` puts a file, at line 2, column 27",
          "5:27 the destination `p` is a directory of that of `a`, at line 2, column 27",
          "6:27 the destination `p` is already that of `d`, at line 5, column 27",
        ])
  }
}
