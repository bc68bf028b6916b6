import BulkgetKit
import Testing

@Suite struct ManifestTopLevelTests {
  @Test func theSmallestManifestWantsNothing() throws {
    let manifest = try manifest("files: []")
    #expect(manifest.entries.isEmpty)
    #expect(manifest.hosts.isEmpty)
    #expect(manifest.warnings.isEmpty)
    #expect(manifest.path == "m.yaml")
  }

  @Test func aManifestKnowsTheDigestOfItsBytes() throws {
    // Of `files: []` without a line feed, computed by sha256sum.
    let expected = "sha256:a250059f9cf63a79e3031629326dc484517a6da8b516b949476d43b0ee6dc726"
    #expect(try manifest("files: []").sha256?.description == expected)
  }

  @Test func theExampleOfTheReferenceIsReadCompletely() throws {
    let manifest = try manifest(
      """
      version: 1
      namespace: ci-tools
      variables:
        base: https://artifacts.example.org/releases/1.4
      defaults:
        type: tar.gz
      hosts:
        artifacts.example.org:
          auth: { bearer: "${env:ARTIFACT_TOKEN}" }
          connections: 8
      files:
        - id: 1001
          url: ${base}/toolchain-linux.tar.gz
          platforms: [linux/amd64]
          sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
        - id: model/base
          urls: [https://eu.example.org/base.bin, https://us.example.org/base.bin]
          type: bin
          size: 734003200
          dest: models/base.bin
          tags: [models]
      """, environment: ["ARTIFACT_TOKEN": "T"])
    let first = manifest.entries[0]
    #expect(first.key == FileKey(namespace: "ci-tools", id: "1001"))
    #expect(
      first.sources == [
        .remote(try url("https://artifacts.example.org/releases/1.4/toolchain-linux.tar.gz"))
      ])
    #expect(first.type == FileType("tar.gz"))
    #expect(first.platforms == [try #require(Platform("linux/amd64"))])
    #expect(first.digests.map(\.algorithm) == [.sha256])
    #expect(first.position == SourcePosition(manifest: 0, line: 12, column: 5))
    let second = manifest.entries[1]
    #expect(second.sources.count == 2)
    #expect(second.type == FileType("bin"))
    #expect(second.size == 734_003_200)
    #expect(second.destination?.description == "models/base.bin")
    #expect(second.tags == ["models"])
    let host = try #require(manifest.hosts["artifacts.example.org"])
    #expect(host.credential == .bearer("T"))
    #expect(host.connections == 8)
  }

  private func url(_ text: String) throws -> ResourceURL { try ResourceURL(text) }

  @Test(arguments: ["", "# only a comment\n", "---\n", "null", "~", "--- # nothing", "\u{FEFF}"])
  func B103_anEmptyManifestIsAnError(text: String) {
    let found = problems(text)
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("the manifest is empty"))
  }

  @Test(arguments: [
    ("files:", "1:7 `files` has no value"), ("files: ~", "1:8 `files` has no value"),
    ("files: {a: b}", "1:8 `files` wants a list"), ("files: a", "1:8 `files` wants a list"),
    ("- id: a", "1:1 a manifest is a mapping with the key `files`"),
    ("a text", "1:1 a manifest is a mapping with the key `files`"),
    ("version: 1", "1:1 `files` is missing"), ("{}", "1:1 `files` is missing"),
  ])
  func B103_whatIsNoListOfFilesIsRefused(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func B091_filesAsAMappingWithTheKeyNO() {
    #expect(problems("files:\n  NO: {url: x}") == ["2:3 `files` wants a list"])
  }

  @Test(arguments: ["a", "[a]", "{a: b}"])
  func anEntryIsAMapping(text: String) {
    let found = problems("files:\n  - \(text)\n  - id: x\n    url: y")
    #expect(found.first.map { !$0.isEmpty } == true)
    #expect(found[0].hasPrefix("2:5 "))
  }

  @Test(arguments: ["2", "1.0", "01", "one", "'2'"])
  func onlyVersionOneIsKnown(version: String) {
    #expect(
      problems("version: \(version)\nfiles: []") == [
        "1:10 this version of the manifest language is unknown"
      ])
  }

  @Test(arguments: ["1", "'1'", "\"1\""])
  func versionOneIsKnownHoweverItIsWritten(version: String) {
    #expect(problems("version: \(version)\nfiles: []") == [])
  }

  @Test(arguments: ["a", "0", "a-b.c_d", String(repeating: "a", count: 64), "no", "1e3"])
  func namespacesAreLegal(namespace: String) throws {
    let text = "namespace: \(namespace)\nfiles: [{id: a, url: b}]"
    #expect(try manifest(text).entries[0].key.namespace == namespace)
  }

  @Test(arguments: [
    "A", "-a", ".a", "a/b", "ä", "\"\"", "a b", "${x}", String(repeating: "a", count: 65),
  ])
  func namespacesAreRefused(namespace: String) {
    let found = problems("namespace: \(namespace)\nfiles: []")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("1:12 a namespace begins with a letter or digit"))
  }

  @Test(arguments: ["namespace:", "version: ~"])
  func topLevelTextsNeedAValue(line: String) {
    #expect(problems(line + "\nfiles: []").count == 1)
  }

  @Test(arguments: ["variables", "defaults", "hosts"])
  func emptyMappingsMayHaveNoValue(key: String) {
    #expect(problems("\(key):\nfiles: []") == [])
    #expect(problems("\(key): {}\nfiles: []") == [])
    #expect(
      problems("\(key): [a]\nfiles: []") == ["1:\(key.count + 3) `\(key)` wants `key: value` pairs"]
    )
  }

  @Test(arguments: ["include", "unpack", "store", "rewrite", "shard"])
  func reservedKeysSayThatTheyAre(key: String) {
    let message = "`\(key)` is reserved for a later version"
    #expect(problems("\(key): a\nfiles: []") == ["1:1 \(message)"])
    #expect(problems(entryText("\(key): a")) == ["4:5 \(message)"])
    #expect(problems("defaults: {\(key): a}\nfiles: []") == ["1:12 \(message)"])
  }

  @Test func keysOfTheUserAreLeftAlone() {
    #expect(
      problems(
        """
        $schema: anything
        x-top: [1, {a: ${nothing}x}, ~]
        defaults: {x-d: 1}
        hosts: {h: {x-h: 1, auth: {bearer: t, x-a: 1}}}
        files: [{id: a, url: b, x-e: {unpack: 1}}]
        """.replacing("${nothing}x", with: "'${nothing}'")) == [])
  }

  @Test func xKeysOfHeadersHostsAndVariablesAreNotTheUsersOwn() throws {
    let manifest = try manifest(
      """
      variables: {x-v: 1.bin}
      hosts: {x-h: {connections: 2}}
      files: [{id: a, url: "${x-v}", headers: {x-token: t}}]
      """)
    #expect(manifest.hosts["x-h"]?.connections == 2)
    #expect(manifest.entries[0].headers == [HeaderField(name: "x-token", value: "t")])
    #expect(manifest.entries[0].sources == [.local(path: "/base/1.bin")])
  }

  @Test(arguments: [
    ("file: []", "files"), ("namspace: a", "namespace"), ("Hosts: {}", "hosts"),
    ("entries: []", "files"), ("vars: {}", "variables"), ("default: {}", "defaults"),
  ])
  func unknownKeysOfTheTopGetASuggestion(line: String, suggestion: String) {
    #expect(hints(line + "\nfiles: []") == ["did you mean `\(suggestion)`?"])
  }

  @Test(arguments: [
    ("ulr: x", "url"), ("sha-256: x", "sha256"), ("checksum: x", "sha256"),
    ("destination: x", "dest"),
    ("Dest: x", "dest"), ("platform: x", "platforms"), ("executeable: x", "executable"),
    ("header: {}", "headers"),
  ])
  func unknownKeysOfAnEntryGetASuggestion(line: String, suggestion: String) {
    #expect(hints(entryText(line)) == ["did you mean `\(suggestion)`?"])
  }

  @Test func anUnknownKeyFarFromAllOthersGetsNone() {
    #expect(problems(entryText("zzzzzz: x")) == ["4:5 an entry has no key `zzzzzz`"])
    #expect(hints(entryText("zzzzzz: x")) == ["keys of your own begin with `x-`"])
  }

  @Test func allProblemsComeAtOnceInTheOrderOfTheirLines() {
    #expect(
      problems(
        """
        files:
          - id: a
            url: ftp://x/y
            size: big
          - ulr: z
        version: 3
        hosts: {"*": {}}
        """) == [
          "3:10 the scheme `ftp` is not supported",
          "4:11 `size` is a whole number from 0 to 9223372036854775807",
          "5:5 an entry has no key `ulr`",
          "5:5 `id` is missing",
          "5:5 `url` is missing",
          "6:10 this version of the manifest language is unknown",
          "7:9 `*` is no host",
        ])
  }

  @Test func theOrderOfTheTopLevelKeysMakesNoDifference() throws {
    let manifest = try manifest(
      """
      files: [{id: a, url: "${v}"}]
      defaults: {priority: 3}
      variables: {v: x}
      namespace: n
      """)
    #expect(manifest.entries[0].key.namespace == "n")
    #expect(manifest.entries[0].priority == 3)
    #expect(manifest.entries[0].sources == [.local(path: "/base/x")])
  }

  @Test(arguments: [
    "files: []\n", "---\nfiles: []\n", "files: []\n---\n", "files: []\n...\n",
    "%YAML 1.2\n---\nfiles: []\n...\n", "---\nfiles: []\n---\n---\n", "\u{FEFF}files: []",
  ])
  func B101_oneDocumentHoweverItIsFramed(text: String) {
    #expect(problems(text) == [])
  }

  @Test(arguments: [
    ("files: []\n---\nfiles: []\n", "2:1"), ("---\nfiles: []\n---\nfiles: []\n", "3:1"),
    ("files: []\n...\n---\nfiles: []\n", "3:1"), ("files: []\n--- x\n", "2:1"),
  ])
  func B101_aSecondDocumentIsRefusedWhereItBegins(text: String, place: String) {
    #expect(problems(text) == ["\(place) a second document begins here"])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func B100_lineEndsMakeNoDifference(lineEnd: String) throws {
    let lines = [
      "files:", "  - id: a", "    url: b", "    tags:", "      - t", "", "  - id: c", "    url: d",
    ]
    let manifest = try manifest(lines.joined(separator: lineEnd))
    #expect(manifest.entries.map(\.key.id) == ["a", "c"])
    #expect(manifest.entries.map(\.tags) == [["t"], []])
    #expect(manifest.entries[1].position.line == 7)
    #expect(manifest.entries[1].position.column == 5)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func B100_errorsAreOnTheSameLineWithAnyLineEnd(lineEnd: String) {
    let lines = [
      "files:", "  - id: a", "    url: b", "  - id: c", "    url: d", "  - id: e", "    urk: f", "",
    ]
    #expect(
      problems(lines.joined(separator: lineEnd)) == [
        "6:5 `url` is missing", "7:5 an entry has no key `urk`",
      ])
  }

  @Test func B100_anIndentingTabIsRefusedAtItsLine() {
    let text = "files:\n  - id: a\n    url: b\n  - id: c\n    url: d\n  # comment\n\t- id: e\n"
    #expect(problems(text) == ["7:1 a tab cannot indent a line of YAML"])
  }

  @Test func B100_aTabAheadOfACommentIsLegal() throws {
    #expect(try manifest("files:\n  - id: a\n\t# comment\n    url: b\n").entries.count == 1)
  }

  @Test func jsonIsAManifest() throws {
    let manifest = try manifest(
      #"""
      {
      	"version": 1,
      	"files": [
      		{"id": "a\/b \uD83D\uDE00", "url": "https:\/\/example.org\/x", "optional": true, "size": 3}
      	]
      }
      """#)
    #expect(manifest.entries[0].key.id == "a/b 😀")
    #expect(manifest.entries[0].isOptional)
    #expect(manifest.entries[0].size == 3)
  }

  @Test func halfASurrogatePairIsRefused() {
    #expect(
      problems(#"{"files": [{"id": "\uD83D", "url": "x"}]}"#) == [
        "1:20 `\\uD83D` is one half of a surrogate pair without the other"
      ])
  }
}
