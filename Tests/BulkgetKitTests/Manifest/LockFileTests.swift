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

  @Test(arguments: [
    ("", "0:0: the lock file is empty"),
    ("[]", "1:1: a lock file is an object with the key `files`"),
    ("{\"version\": 2, \"files\": []}", "1:13: this version of the lock file is unknown"),
    ("{\"filse\": []}", "1:2: a lock file has no key `filse`"),
    ("{\"files\": [{\"id\": \"a\"}]}", "1:12: the record has no `namespace`"),
    ("{\"files\": [", "1:12:"),
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
