import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

@Suite struct IndexConnectionTests {
  private let root: TemporaryDirectory
  private let connection: IndexConnection

  init() throws {
    root = try TemporaryDirectory()
    let file = IndexFile(path: root.path("index.sqlite"), isDurable: false)
    try file.create()
    guard case .index(let connection) = try file.open(.writing) else {
      throw CacheError.index(path: file.path, reason: "it was just made")
    }
    self.connection = connection
  }

  private func makeRecord(
    _ id: String, namespace: String = "default", content: String = "hello", type: String? = nil
  ) -> CacheRecord {
    CacheRecord(
      key: FileKey(namespace: namespace, id: id), type: type.flatMap { FileType($0) }, url: "u",
      finalURL: "u", digests: DigestAlgorithm.allCases.compactMap { Digest(of: content, $0) },
      size: 1, modificationTime: 2, now: 3)
  }

  private func store(_ records: [CacheRecord]) throws {
    try connection.apply(records.map(IndexChange.store))
  }

  private func page(after key: FileKey?, _ count: Int) throws -> [String] {
    try connection.records(after: key ?? FileKey(namespace: "", id: ""), count: count)
      .map { $0.key.namespace + "/" + $0.key.id }
  }

  @Test func aRecordIsFoundByItsWholeKey() throws {
    try store([makeRecord("a"), makeRecord("a", namespace: "other"), makeRecord("b")])
    #expect(try connection.record(of: FileKey("a"))?.key == FileKey("a"))
    let other = FileKey(namespace: "other", id: "a")
    #expect(try connection.record(of: other)?.key == other)
    #expect(try connection.record(of: FileKey(namespace: "other", id: "b")) == nil)
    #expect(try connection.record(of: FileKey("b"))?.key == FileKey("b"))
  }

  @Test(arguments: ["a", "A", "a ", " a", "007", "7", "1e3", "\u{e9}", "e\u{301}", "%", "_", "'"])
  func idsAreComparedByteByByte(id: String) throws {
    let ids = ["a", "A", "a ", " a", "007", "7", "1e3", "\u{e9}", "e\u{301}", "%", "_", "'"]
    try store(ids.filter { !$0.utf8.elementsEqual(id.utf8) }.map { makeRecord($0) })
    #expect(try connection.record(of: FileKey(id)) == nil)
    try store([makeRecord(id)])
    #expect(try connection.record(of: FileKey(id))?.key == FileKey(id))
  }

  @Test func storingAgainReplaces() throws {
    var record = makeRecord("a", type: "zip")
    try store([record])
    record.type = FileType("tar.gz")
    record.digests = [Digest(of: "other")].compactMap { $0 }
    try store([record])
    #expect(try connection.record(of: record.key) == record)
    #expect(try page(after: nil, 10) == ["default/a"])
    let old = try #require(Digest(of: "hello", .sha512))
    #expect(try connection.records(withContent: old).isEmpty)
  }

  @Test func aChangeThatFailsTakesItsWholeBatchBack() throws {
    try store([makeRecord("a")])
    try connection.database.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON files WHEN new.id = 'bad'
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    #expect(throws: SQLiteError.self) { try store([makeRecord("b"), makeRecord("bad")]) }
    #expect(try page(after: nil, 10) == ["default/a"])
    try store([makeRecord("c")])
    #expect(try page(after: nil, 10) == ["default/a", "default/c"])
  }

  @Test func pagesFollowEachOther() throws {
    try store(["b", "a", "d", "c"].map { makeRecord($0) } + [makeRecord("0", namespace: "x")])
    #expect(try page(after: nil, 2) == ["default/a", "default/b"])
    #expect(try page(after: FileKey("b"), 2) == ["default/c", "default/d"])
    #expect(try page(after: FileKey("d"), 2) == ["x/0"])
    #expect(try page(after: FileKey(namespace: "x", id: "0"), 2) == [])
    #expect(try page(after: FileKey("bb"), 1) == ["default/c"])
    #expect(try page(after: nil, 0) == [])
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func contentIsFoundByStrongDigestsOnly(algorithm: DigestAlgorithm) throws {
    try store([makeRecord("a"), makeRecord("b", content: "other")])
    let digest = try #require(Digest(of: "hello", algorithm))
    let found = try connection.records(withContent: digest).map(\.key)
    #expect(found == (algorithm.isStrong ? [FileKey("a")] : []))
  }

  @Test func aFewOfManyWithOneContentAreEnough() throws {
    try store((0..<100).map { makeRecord("\($0)") })
    let digest = try #require(Digest(of: "hello"))
    #expect(try connection.records(withContent: digest).count == 16)
  }

  @Test func typesAreReadRightWhateverTheOrder() throws {
    let types = ["zip", nil, "tar.gz", "zip", "zip", nil, "a"]
    try store(types.enumerated().map { makeRecord("\($0)", type: $1) })
    for (number, type) in types.enumerated() {
      let record = try connection.record(of: FileKey("\(number)"))
      #expect(record?.type?.description == type)
    }
  }

  @Test func aDigestOfTheWrongLengthIsNone() throws {
    try store([makeRecord("a")])
    try connection.database.execute("UPDATE files SET sha256 = x'00', sha1 = 'text'")
    let digests = try #require(try connection.record(of: FileKey("a"))).digests
    #expect(Set(digests.map(\.algorithm)) == [.md5, .sha384, .sha512])
  }

  @Test func aTypeThatIsNoneIsNotInvented() throws {
    try store([makeRecord("a", type: "zip")])
    try connection.database.execute("UPDATE files SET type = '../../x'")
    #expect(try #require(try connection.record(of: FileKey("a"))).type == nil)
  }

  @Test func aReadingTransactionEndsAlsoWithAnError() throws {
    let failure = SQLiteError(path: "/", code: 10, message: "made up")
    #expect(throws: failure) {
      try connection.reading { () throws(SQLiteError) -> Int in throw failure }
    }
    #expect(!connection.database.isInTransaction)
    #expect(try connection.reading { 7 } == 7)
  }
}
