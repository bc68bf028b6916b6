import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct CacheSnapshotTests {
  private let fixture: CacheFixture

  init() throws {
    fixture = try CacheFixture()
  }

  private func snapshot(_ entries: Entry...) throws -> CacheSnapshot {
    try fixture.open(.reading).snapshot(of: entries)
  }

  @Test func B110_aCacheThatIsNotThereIsEmptyAndIsNotMade() throws {
    let snapshot = try snapshot(Entry("a", content: "hello"))
    #expect(snapshot.files.isEmpty)
    #expect(snapshot.content.isEmpty)
    #expect(snapshot.warnings.isEmpty)
    #expect(try fixture.root.contents().isEmpty)
  }

  @Test func B110_lookingChangesNothing() throws {
    try fixture.filled()
    try fixture.root.write("rest", to: "cache/partial/1f3870be274f6c49b3e31a0c6728957f")
    let before = try fixture.root.contents()
    _ = try snapshot(Entry("a", content: "hello"), Entry("b", content: "other"))
    #expect(try fixture.root.contents() == before)
  }

  @Test func everyFieldOfARecordComesBack() throws {
    var record = try fixture.filled("hello", type: nil)
    record.finalURL = "https://mirror.example.org/\u{1f600}?q=%20'\"\u{0}"
    record.digests = DigestAlgorithm.allCases.reversed().compactMap { Digest(of: "hello", $0) }
    record.entityTag = "W/\"\u{e9}\""
    record.lastModified = ""
    record.fetchedAt = -1
    record.verifiedAt = .max
    record.usedAt = 1 << 40
    let cache = try fixture.open()
    cache.record(record)
    try cache.flush()
    let found = try #require(try snapshot(Entry("a", type: nil)).files[record.key]?.record)
    #expect(Set(found.digests) == Set(record.digests))
    record.digests = found.digests
    #expect(found == record)
  }

  @Test func nothingOfAnEntryIsNoFile() throws {
    try fixture.filled()
    #expect(try snapshot(Entry("b")).files.isEmpty)
  }

  @Test func aFileThatIsGoneLeavesItsRecord() throws {
    let record = try fixture.filled()
    let layout = CacheLayout(directory: fixture.directory)
    try FileSystem.remove(layout.path(of: record.key, type: record.type))
    let file = try #require(try snapshot(Entry("a", content: "hello")).files[record.key])
    #expect(file.record == record)
    #expect(file.observation == nil)
  }

  @Test func aFileWithoutARecordIsSeenUnderTheEntrysType() throws {
    try fixture.filled()
    try FileSystem.remove(fixture.directory + "/index.sqlite")
    #expect(try snapshot(Entry("a")).files[FileKey("a")]?.observation?.size == 5)
    #expect(try snapshot(Entry("a", type: "zip")).files.isEmpty)
  }

  @Test func aRecordedFileIsSeenUnderItsOwnTypeThoughTheEntryHasAnother() throws {
    let record = try fixture.filled(type: "bin")
    let file = try #require(try snapshot(Entry("a", type: "zip")).files[record.key])
    #expect(file.observation?.matches(record) == true)
  }

  @Test(arguments: ["halved", "emptied", "directory", "link", "touched", "unchanged"])
  func B035_damageOfACachedFileIsSeen(damage: String) throws {
    let record = try fixture.filled()
    let path = CacheLayout(directory: fixture.directory).path(of: record.key, type: record.type)
    switch damage {
    case "halved": try cut(path, to: 2, time: record.modificationTime)
    case "emptied": try cut(path, to: 0, time: record.modificationTime)
    case "directory":
      try FileSystem.remove(path)
      try FileSystem.makeDirectories(path)
    case "link":
      try FileSystem.rename(path, to: fixture.root.path("elsewhere"))
      try FileSystem.makeSymbolicLink(path, to: fixture.root.path("elsewhere"))
    case "touched": try FileDescriptor.reading(path).setModificationTime(1_000_000_007)
    default: break
    }
    let snapshot = try snapshot(Entry("a", content: "hello"), Entry("b", content: "hello"))
    let observation = try #require(snapshot.files[record.key]?.observation)
    #expect(observation.matches(record) == (damage == "unchanged"))
    #expect(snapshot.content.isEmpty == (damage != "unchanged"))
  }

  private func cut(_ path: String, to size: Int64, time: Int64) throws {
    try FileSystem.setPermissions(0o644, of: path)
    let file = try FileDescriptor.updating(path)
    try file.truncate(to: size)
    try file.setModificationTime(time)
  }

  // MARK: The same content under another id

  @Test(arguments: DigestAlgorithm.allCases)
  func onlyStrongDigestsMatchAcrossIDs(algorithm: DigestAlgorithm) throws {
    var record = try fixture.filled()
    record.digests = DigestAlgorithm.allCases.compactMap { Digest(of: "hello", $0) }
    let cache = try fixture.open()
    cache.record(record)
    try cache.flush()
    let entry = Entry("b", content: "hello", algorithm: algorithm)
    let found = try snapshot(entry).content.values.map(\.key)
    #expect(found == (algorithm.isStrong ? [record.key] : []))
  }

  @Test func contentOfAnotherNamespaceIsFound() throws {
    let cache = try fixture.open()
    let record = try cache.add("hello", id: "a", namespace: "other")
    try cache.flush()
    let digest = try #require(Digest(of: "hello"))
    #expect(try snapshot(Entry("a", content: "hello")).content == [digest: record])
  }

  @Test func contentIsNotLookedUpForAnEntryThatHasIt() throws {
    try fixture.filled()
    #expect(try snapshot(Entry("a", content: "hello")).content.isEmpty)
  }

  @Test func contentIsFoundForAnEntryWhoseOwnFileIsDamaged() throws {
    let cache = try fixture.open()
    let own = try cache.add("hello", id: "a")
    let other = try cache.add("hello", id: "b")
    try cache.flush()
    try FileSystem.remove(cache.layout.path(of: own.key, type: own.type))
    let content = try snapshot(Entry("a", content: "hello")).content
    #expect(content.values.map(\.key) == [other.key])
  }

  @Test func aDamagedFileIsPassedOverForAWholeOneWithTheSameContent() throws {
    let cache = try fixture.open()
    let records = try ["b", "c", "d"].map { try cache.add("hello", id: $0) }
    try cache.flush()
    for record in records.dropLast() {
      try FileSystem.remove(cache.layout.path(of: record.key, type: record.type))
    }
    let content = try snapshot(Entry("a", content: "hello")).content
    #expect(content.values.map(\.key) == [records[2].key])
  }

  // MARK: Kept parts

  @Test(arguments: [1, 100])
  func keptPartsAreFoundOneByOneAndInAList(entryCount: Int) throws {
    let cache = try fixture.open()
    guard case .acquired(let lock) = try cache.lock(FileKey("0")) else { return }
    var file = try cache.stage(FileKey("0"), under: lock)
    let record = PartialRecord(
      url: "http://h/a", entityTag: "\"1\"", lastModified: "x", date: "y", total: 100)
    try cache.keep(record, beside: &file)
    try file.descriptor.write(Array("half".utf8))
    let entries = (0..<entryCount).map { Entry("\($0)") }
    let snapshot = try fixture.open(.reading).snapshot(of: entries)
    #expect(snapshot.files.count == 1)
    #expect(
      snapshot.files[FileKey("0")]?.partial == CacheSnapshot.Partial(byteCount: 4, record: record))
  }

  @Test(arguments: ["", "\0\0\0\0", "{", "[]", "{\"url\": 1}", "\u{feff}x"])
  func B026_aDamagedResumeRecordIsNone(text: String) throws {
    let layout = CacheLayout(directory: fixture.directory)
    let path = layout.partialPath(of: FileKey("a")).dropFirst(fixture.root.path.utf8.count + 1)
    try fixture.root.write("half", to: String(path))
    try fixture.root.write(text, to: path + ".json")
    let partial = try snapshot(Entry("a")).files[FileKey("a")]?.partial
    #expect(partial == CacheSnapshot.Partial(byteCount: 4, record: nil))
  }

  @Test func aResumeRecordThatIsADirectoryIsNone() throws {
    let layout = CacheLayout(directory: fixture.directory)
    let path = layout.partialPath(of: FileKey("a")).dropFirst(fixture.root.path.utf8.count + 1)
    try fixture.root.write("half", to: String(path))
    try FileSystem.makeDirectories(layout.partialRecordPath(of: FileKey("a")))
    let partial = try snapshot(Entry("a")).files[FileKey("a")]?.partial
    #expect(partial == CacheSnapshot.Partial(byteCount: 4, record: nil))
  }

  @Test func B028_aCacheThatWasMovedIsTheSame() throws {
    let cache = try fixture.open()
    try cache.add("hello", id: "a")
    guard case .acquired(let lock) = try cache.lock(FileKey("b")) else { return }
    var file = try cache.stage(FileKey("b"), under: lock)
    try cache.keep(PartialRecord(url: "http://h/b"), beside: &file)
    try cache.flush()
    let entries = [Entry("a", content: "hello"), Entry("b")]
    let before = try cache.snapshot(of: entries).files
    try FileSystem.rename(fixture.directory, to: fixture.root.path("moved"))
    let moved = try DiskCache.open(at: fixture.root.path("moved"), access: .writing())
    let after = try moved.snapshot(of: entries)
    #expect(after.files == before)
    #expect(after.warnings.isEmpty)
    let path = Array(fixture.root.path.utf8)
    for (name, status) in try fixture.root.contents() where status.kind == .file {
      let bytes = try fixture.root.read(name)
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: path) }, "\(name)")
    }
  }

  @Test func recordsThatWaitForTheIndexAreInTheSnapshot() throws {
    let cache = try fixture.open()
    let record = try cache.add("hello", id: "a")
    #expect(try cache.snapshot(of: [Entry("a")]).files[record.key]?.record == record)
  }
}
