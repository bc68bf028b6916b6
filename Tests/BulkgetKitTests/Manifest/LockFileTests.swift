import Testing

@testable import BulkgetKit

/// The lock file as a value and as text.
struct LockFileTests {
  private static let sha = String(repeating: "ab", count: 32)
  private static let other = String(repeating: "cd", count: 32)

  private func record(
    _ id: String, _ urls: [String] = ["http://h/a"], namespace: String = "default",
    sha256: String = sha
  ) throws -> LockFile.Record {
    LockFile.Record(
      key: FileKey(namespace: namespace, id: id), urls: urls,
      sha256: try #require(Digest(.sha256, hexadecimal: sha256)), size: 7)
  }

  private func manifest(_ text: String) throws -> Manifest {
    try Manifest(
      parsing: Array(text.utf8), ManifestInput(path: "m.yaml", directory: "/", environment: [:]))
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try LockFile(parsing: Array(text.utf8), path: "m.lock")
      return []
    } catch { return error.problems.map { "\($0.line):\($0.column): \($0.message)" } }
  }

  @Test(arguments: [
    ("manifest.yaml", "manifest.lock"), ("a.b/manifest", "a.b/manifest.lock"),
    ("dir/x.tar.json", "dir/x.tar.lock"), (".hidden", ".hidden.lock"), ("a.lock", "a.lock.lock"),
  ])
  func itStandsBesideItsManifest(manifest: String, lock: String) {
    #expect(LockFile.path(of: manifest) == lock)
    #expect(LockFile.path(of: "-") == nil)
  }

  @Test func itIsSortedAndHasALineForEachEntry() throws {
    let lock = LockFile(records: [
      try record("b"), try record("a", ["http://h/a", "/files/a"], namespace: "z"),
      try record("a\u{1B}"),
    ])
    #expect(
      String(decoding: lock.bytes, as: UTF8.self) == """
        {
          "version": 1,
          "files": [
            {"namespace": "default", "id": "a\\u001b", "urls": ["http://h/a"], "sha256": "\(Self.sha)", "size": 7},
            {"namespace": "default", "id": "b", "urls": ["http://h/a"], "sha256": "\(Self.sha)", "size": 7},
            {"namespace": "z", "id": "a", "urls": ["http://h/a", "/files/a"], "sha256": "\(Self.sha)", "size": 7}
          ]
        }

        """)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let lock = LockFile(records: [try record("no"), try record("007", [], namespace: "n")])
    let read = try LockFile(parsing: lock.bytes, path: "m.lock")
    #expect(read.records.map(\.key) == lock.records.map(\.key))
    #expect(read.bytes == lock.bytes)
    #expect(read.records.map(\.line) == [4, 5])
    #expect(try LockFile(parsing: LockFile().bytes, path: "m.lock").records.isEmpty)
  }

  @Test func everyCharacterSurvives() throws {
    let text = String(
      String.UnicodeScalarView((0...0x1_0400).compactMap { Unicode.Scalar(UInt32($0)) }))
    let lock = LockFile(records: [try record(text, ["/" + text])])
    let read = try LockFile(parsing: lock.bytes, path: "m.lock")
    #expect(read.records.map(\.key) == lock.records.map(\.key))
    #expect(read.bytes == lock.bytes)
  }

  @Test(arguments: [
    ("", "0:0: the lock file is empty"),
    ("[]", "1:1: a lock file is an object with the key `files`"),
    ("{\"version\": 2, \"files\": []}", "1:13: this version of the lock file is unknown"),
    ("{}", "1:1: the lock file has no `version`"),
    ("{\"files\": []}", "1:1: the lock file has no `version`"),
    ("{\"version\": 1}", "1:1: the lock file has no `files`"),
    ("{\"version\": 1, \"files\": [], \"filse\": []}", "1:29: a lock file has no key `filse`"),
    ("{\"version\": 1, \"files\": [], \"x-mine\": 1}", "1:29: a lock file has no key `x-mine`"),
    ("{\"version\": 1, \"files\": [{\"id\": \"a\"}]}", "1:26: the record has no `namespace`"),
    ("{\"files\": [", "1:12:"),
    ("<<<<<<< HEAD\n{}\n", "1:1: a lock file is an object"),
    (LockText.record(sha256: "zz"), "1:78: `sha256` wants 64 hexadecimal digits"),
    (LockText.record(size: "+1"), "1:154: `size` is a whole number"),
    (LockText.record(size: "9223372036854775808"), "1:154: `size` is a whole number"),
    (LockText.record(more: ", \"size\": 2"), "1:159: the key `size` is already given"),
    (LockText.record(more: ", \"md5\": 2"), "1:159: a record has no key `md5`"),
  ])
  func whatIsWrongIsSaidWithItsPlace(text: String, problem: String) {
    let problems = problems(text)
    #expect(problems.count >= 1 && problems[0].hasPrefix(problem), "\(problems)")
  }

  @Test func aRecordHoldsOnlyForTheSameURLs() throws {
    let manifest = try manifest(
      """
      files:
        - {id: a, url: "http://user:secret@h/a?token=x&b=1"}
        - {id: b, urls: ["http://h/a", "http://h/b"]}
        - {id: c, url: "http://h/c", size: 7}
      """)
    let locked = try manifest.locked(
      by: LockFile(records: [
        try record("a", ["http://h/a?b=1"]), try record("b"), try record("c", ["http://h/c"]),
        try record("gone"),
      ]))
    let identity = manifest.entries[0].sources[0].identity
    #expect(!identity.contains("secret") && !identity.contains("token=x"))
    #expect(locked.entries.map(\.digests.count) == [identity == "http://h/a?b=1" ? 1 : 0, 0, 1])
    #expect(locked.entries[2].size == 7)
    #expect(locked.entries[2].locked == .sha256)
  }

  @Test func pathsAreRelativeToTheManifest() throws {
    let text =
      "files:\n  - {id: a, url: f.bin}\n  - {id: b, url: /else/b}\n  - {id: c, url: ../c}\n"
    func read(in directory: String) throws -> Manifest {
      try Manifest(parsing: Array(text.utf8), ManifestInput(path: "m.yaml", directory: directory))
    }
    let names = ["./f.bin", "/else/b", "./../c"]
    let lock = LockFile(
      records: try zip(["a", "b", "c"], names).map { try record($0, [$1]) })
    for directory in ["/here", "/there/deep"] {
      let manifest = try read(in: directory)
      #expect(manifest.entries.map { $0.sources[0].lockName(in: directory) } == names)
      #expect(try manifest.locked(by: lock).entries.allSatisfy(\.hasStrongDigest))
    }
    // A path below the manifest that looks like a URL is none.
    #expect(Source.local(path: "/m/http://h/a").lockName(in: "/m") == "./http://h/a")
    #expect(Source.local(path: "/mm/a").lockName(in: "/m") == "/mm/a")
    #expect(Source.local(path: "/a").lockName(in: "/") == "./a")
  }

  @Test func whatContradictsIsLockedAnew() throws {
    let manifest = try manifest("files:\n  - {id: a, url: \"http://h/a\", size: 8}\n")
    let lock = LockFile(records: [try record("a")])
    let update = LockUpdate(of: manifest, lock, selection: Selection(), renewsAll: false)
    #expect(update.manifest.entries.map(\.key.id) == ["a"] && update.isNeeded)
    let none = RunResult(Plan(manifests: [manifest], steps: [], warnings: []), [])
    #expect(update.lockFile(after: none) == lock)
  }

  @Test func aContradictionIsAnErrorAtBothPlaces() throws {
    let manifest = try manifest(
      "files:\n  - {id: a, url: \"http://h/a\", sha256: \(Self.other), size: 8}\n")
    let lock = try LockFile(
      parsing: LockFile(records: [try record("a")]).bytes, path: "m.lock")
    #expect {
      try manifest.locked(by: lock)
    } throws: { error in
      let problems = (error as? ManifestError)?.problems ?? []
      return problems.map { "\($0.file):\($0.line):\($0.column): \($0.message)" } == [
        "m.lock:4:5: the sha256 of `a` is not the manifest's, at m.yaml:2:5",
        "m.lock:4:5: the size of `a` is not the manifest's, at m.yaml:2:5",
      ]
    }
  }

  @Test func onlyWhatLacksAStrongDigestIsLocked() throws {
    let manifest = try manifest(
      """
      files:
        - {id: strong, url: "http://h/1", sha256: \(Self.sha)}
        - {id: weak, url: "http://h/2", md5: \(Self.sha.prefix(32)), dest: x}
        - {id: known, url: "http://h/3"}
        - {id: moved, url: "http://h/4"}
        - {id: other, url: "http://h/5", tags: [t]}
      """)
    let lock = LockFile(records: [
      try record("known", ["http://h/3"]), try record("moved", ["http://old/"]),
      try record("other", ["http://old/"]), try record("gone"),
    ])
    var selection = Selection()
    selection.excludedTags = ["t"]
    let update = LockUpdate(of: manifest, lock, selection: selection, renewsAll: false)
    #expect(update.manifest.entries.map(\.key.id) == ["weak", "moved"])
    #expect(update.manifest.entries.allSatisfy { $0.destination == nil })
    let none = RunResult(Plan(manifests: [manifest], steps: [], warnings: []), [])
    #expect(update.lockFile(after: none).records.map(\.key.id) == ["known", "other"])
    let all = LockUpdate(of: manifest, lock, selection: selection, renewsAll: true)
    #expect(all.manifest.entries.map(\.key.id) == ["weak", "known", "moved"])
  }
}

/// A lock file with one record.
private enum LockText {
  static func record(
    sha256: String = String(repeating: "ab", count: 32), size: String = "1", more: String = ""
  ) -> String {
    "{\"version\": 1, \"files\": [{\"namespace\": \"n\", \"id\": \"a\", \"urls\": [], "
      + "\"sha256\": \"\(sha256)\", \"size\": \"\(size)\"\(more)}]}"
  }
}
