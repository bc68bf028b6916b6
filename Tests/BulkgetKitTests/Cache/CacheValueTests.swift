import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// The small types that the cache is made of.
@Suite struct CacheValueTests {
  // MARK: What stands for a key

  @Test(arguments: ["", "a", "007", "../x", "\u{1f600}"])
  func aFingerprintIsFoundAgainFromItsName(id: String) throws {
    let fingerprint = KeyHasher().fingerprint(of: FileKey(id))
    #expect(KeyFingerprint(name: fingerprint.name) == fingerprint)
    #expect((0..<(1 << 62)).contains(fingerprint.lockOffset))
  }

  @Test(
    arguments: [
      ("00000000000000000000000000000000", 0),
      ("ffffffffffffffffffffffffffffffff", (1 << 62) - 1),
      ("0000000000000004ffffffffffffffff", 1),
      ("80000000000000000000000000000000", 1 << 61),
    ] as [(String, Int64)])
  func theLockedByteIsTheFirst62Bits(name: String, offset: Int64) throws {
    #expect(try #require(KeyFingerprint(name: name)).lockOffset == offset)
  }

  @Test(arguments: ["", "0", String(repeating: "0", count: 31), String(repeating: "g", count: 32)])
  func otherNamesAreNoFingerprints(name: String) {
    #expect(KeyFingerprint(name: name) == nil)
  }

  @Test func oneHasherGivesWhatManyGive() {
    let hasher = KeyHasher()
    for number in 0..<100 {
      let key = FileKey("\(number)")
      #expect(hasher.name(of: key.id) == KeyHasher().name(of: key.id))
      #expect(hasher.fingerprint(of: key) == KeyHasher().fingerprint(of: key))
    }
  }

  @Test func aThousandKeysLockAThousandBytes() {
    let hasher = KeyHasher()
    let offsets = Set((0..<1000).map { hasher.fingerprint(of: FileKey("\($0)")).lockOffset })
    #expect(offsets.count == 1000)
  }

  // MARK: What a snapshot holds

  private let record = CacheRecord(
    key: FileKey("a"), type: nil, url: "u", finalURL: "u", digests: [], size: 5,
    modificationTime: 7, now: 3)

  @Test func whatIsKnownAboutAnEntryIsAValue() {
    var file = CacheSnapshot.File()
    #expect(file.isEmpty)
    file.record = record
    let copy = file
    file.record?.size = 6
    file.partial = CacheSnapshot.Partial(byteCount: 1, record: nil)
    #expect(copy.record == record)
    #expect(copy.partial == nil)
    #expect(file.record?.size == 6)
    #expect(file != copy)
    file.record = record
    file.partial = nil
    #expect(file == copy)
    #expect(Set([file, copy]).count == 1)
    file.record = nil
    #expect(file.isEmpty)
  }

  @Test(arguments: [
    (FileObservation(size: 5, modificationTime: 7), true),
    (FileObservation(size: 5, modificationTime: 7, isExecutable: true), true),
    (FileObservation(size: 4, modificationTime: 7), false),
    (FileObservation(size: 5, modificationTime: 8), false),
    (FileObservation(size: 5, modificationTime: 7, isReadable: false), false),
    (FileObservation(kind: .directory, size: 5, modificationTime: 7), false),
    (FileObservation(kind: .symbolicLink, size: 5, modificationTime: 7), false),
    (FileObservation(kind: .other, size: 5, modificationTime: 7), false),
  ])
  func onlyAReadableFileOfTheRecordedSizeAndTimeMatches(
    observation: FileObservation, matches: Bool
  ) {
    #expect(observation.matches(record) == matches)
  }

  @Test(arguments: [
    ("file", FileObservation.Kind.file), ("directory", .directory), ("link", .symbolicLink),
    ("pipe", .other),
  ])
  func whatIsAtAFilesPathIsSeenAsWhatItIs(what: String, kind: FileObservation.Kind) throws {
    let root = try TemporaryDirectory()
    let layout = CacheLayout(directory: root.path)
    let path = layout.path(of: record.key, type: nil)
    try FileSystem.makeDirectories(layout.filesDirectory(of: "default"))
    switch what {
    case "file": try FileDescriptor.creating(path, mode: 0o755).write([1, 2, 3])
    case "directory": try FileSystem.makeDirectories(path)
    case "link": try FileSystem.makeSymbolicLink(path, to: "/nowhere")
    default: try makePipe(path)
    }
    let observer = FileObserver(layout, KeyHasher())
    let observation = try #require(try observer.observe(record.key, type: nil))
    #expect(observation.kind == kind)
    if kind == .file {
      #expect(observation.size == 3)
      #expect(observation.isExecutable)
      #expect(observation.isReadable)
    }
    #expect(try observer.observe(FileKey("b"), type: nil) == nil)
  }

  @Test func anObserverGoesFromNamespaceToNamespace() throws {
    let fixture = try CacheFixture()
    let cache = try fixture.open()
    for namespace in ["one", "two"] { try cache.add(namespace, id: "a", namespace: namespace) }
    let observer = FileObserver(cache.layout, KeyHasher())
    for namespace in ["one", "none", "two", "one", "none"] {
      let key = FileKey(namespace: namespace, id: "a")
      let observation = try observer.observe(key, type: FileType("bin"))
      #expect(observation?.size == (namespace == "none" ? nil : 3))
    }
  }

  // MARK: Names that only differ to a machine

  @Test func theIndexTellsUnicodeFormsOfANamespaceApart() throws {
    let fixture = try CacheFixture()
    let cache = try fixture.open()
    let keys = ["\u{e9}", "e\u{301}"].map { FileKey(namespace: $0, id: "a") }
    for (number, key) in keys.enumerated() {
      try cache.add(String(repeating: "x", count: number + 1), id: "a", namespace: key.namespace)
    }
    let snapshot = try cache.snapshot(
      of: keys.map { Entry(key: $0, sources: [], type: FileType("bin")) })
    #expect(snapshot.files[keys[0]]?.record?.size == 1)
    #expect(snapshot.files[keys[1]]?.record?.size == 2)
    #expect(snapshot.files[keys[1]]?.observation?.size == 2)
  }
}
