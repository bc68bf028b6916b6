import BulkgetSystem

/// One open index with its statements compiled. Confined to one thread at a time by ``CacheIndex``.
final class IndexConnection {
  let database: SQLiteDatabase
  private let selectByKey: SQLiteStatement
  private let selectPage: SQLiteStatement
  private let selectByDigest: [DigestAlgorithm: SQLiteStatement]
  /// Set only where the index may be written.
  private var writing: Writing?
  /// The namespace that `selectByKey` is bound to: most look-ups follow one in the same.
  private var boundNamespace: String?
  /// The type of the last record that was read: most files of a cache have one of a few.
  private var lastType: FileType?

  private struct Writing {
    let store: SQLiteStatement
    let touch: SQLiteStatement
    let remove: SQLiteStatement
  }

  /// Compiles the statements, which fails where the database has another shape.
  init(_ database: SQLiteDatabase, isWritable: Bool) throws(SQLiteError) {
    let columns = IndexSchema.columns.joined(separator: ", ")
    self.database = database
    selectByKey = try database.prepare(
      "SELECT \(columns) FROM files WHERE namespace = ? AND id = ?")
    selectPage = try database.prepare(
      "SELECT \(columns) FROM files WHERE (namespace, id) > (?, ?) ORDER BY namespace, id LIMIT ?")
    var statements: [DigestAlgorithm: SQLiteStatement] = [:]
    for algorithm in DigestAlgorithm.allCases where algorithm.isStrong {
      statements[algorithm] = try database.prepare(
        "SELECT \(columns) FROM files WHERE \(algorithm.rawValue) = ? LIMIT 16")
    }
    selectByDigest = statements
    if isWritable { writing = try Self.prepareWriting(database, columns) }
  }

  private static func prepareWriting(
    _ database: SQLiteDatabase, _ columns: String
  ) throws(SQLiteError) -> Writing {
    let parameters = IndexSchema.columns.map { _ in "?" }.joined(separator: ", ")
    return Writing(
      store: try database.prepare(
        "INSERT OR REPLACE INTO files (\(columns)) VALUES (\(parameters))"),
      touch: try database.prepare(
        "UPDATE files SET used_at = max(used_at, ?) WHERE namespace = ? AND id = ?"),
      remove: try database.prepare("DELETE FROM files WHERE namespace = ? AND id = ?"))
  }

  /// Runs `body` in one transaction: the database's locks are then taken once, not for each look-up.
  func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try transaction("BEGIN", body)
  }

  /// Applies all changes, or none.
  func apply(_ changes: [IndexChange]) throws(SQLiteError) {
    // IMMEDIATE: a transaction that began by reading could not wait for another writer.
    try transaction("BEGIN IMMEDIATE") { () throws(SQLiteError) in
      for change in changes { try apply(change) }
    }
  }

  private func transaction<Result>(
    _ begin: String, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try database.execute(begin)
    do {
      let result = try body()
      try database.execute("COMMIT")
      return result
    } catch {
      // The first error is the one worth telling; some of them have ended the transaction already.
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }

  /// The record of one key, or nil.
  func record(of key: FileKey) throws(SQLiteError) -> CacheRecord? {
    try bindNamespace(key.namespace)
    try selectByKey.bind(key.id, at: 2)
    defer { selectByKey.reset() }
    return try selectByKey.step() ? record(in: selectByKey, key: key) : nil
  }

  private func bindNamespace(_ namespace: String) throws(SQLiteError) {
    if let boundNamespace, boundNamespace.utf8.elementsEqual(namespace.utf8) { return }
    boundNamespace = nil
    try selectByKey.bind(namespace, at: 1)
    boundNamespace = namespace
  }

  /// A few of the files with this content, under any key.
  func records(withContent digest: Digest) throws(SQLiteError) -> [CacheRecord] {
    guard let statement = selectByDigest[digest.algorithm] else { return [] }
    try statement.bind(digest.bytes, at: 1)
    return try records(in: statement)
  }

  /// Up to `count` records that follow `key` in the index's order.
  func records(after key: FileKey, count: Int) throws(SQLiteError) -> [CacheRecord] {
    try selectPage.bind(key.namespace, at: 1)
    try selectPage.bind(key.id, at: 2)
    try selectPage.bind(Int64(count), at: 3)
    return try records(in: selectPage)
  }

  private func records(in statement: SQLiteStatement) throws(SQLiteError) -> [CacheRecord] {
    defer { statement.reset() }
    var records: [CacheRecord] = []
    while try statement.step() { records.append(record(in: statement, key: nil)) }
    return records
  }

  private func record(in row: SQLiteStatement, key: FileKey?) -> CacheRecord {
    let key = key ?? FileKey(namespace: row.text(at: 0) ?? "", id: row.text(at: 1) ?? "")
    let url = row.text(at: 3) ?? ""
    var digests: [Digest] = []
    for (index, algorithm) in IndexSchema.algorithms.enumerated() {
      guard let bytes = row.bytes(at: 5 + index), let digest = Digest(algorithm, bytes: bytes)
      else { continue }
      digests.append(digest)
    }
    var record = CacheRecord(
      key: key, type: type(in: row), url: url, finalURL: row.text(at: 4) ?? url, digests: digests,
      size: row.integer(at: 10), modificationTime: row.integer(at: 11), now: row.integer(at: 14))
    record.entityTag = row.text(at: 12)
    record.lastModified = row.text(at: 13)
    record.verifiedAt = row.integer(at: 15)
    record.usedAt = row.integer(at: 16)
    return record
  }

  private func type(in row: SQLiteStatement) -> FileType? {
    guard let text = row.text(at: 2) else { return nil }
    if let lastType, lastType.description == text { return lastType }
    lastType = FileType(text)
    return lastType
  }

  private func apply(_ change: IndexChange) throws(SQLiteError) {
    guard let writing else {
      preconditionFailure("changes are queued only where the index is writable")
    }
    switch change {
    case .store(let record):
      try bind(record, to: writing.store)
      _ = try writing.store.step()
    case .touch(let key, let usedAt):
      try writing.touch.bind(usedAt, at: 1)
      try writing.touch.bind(key.namespace, at: 2)
      try writing.touch.bind(key.id, at: 3)
      _ = try writing.touch.step()
    case .remove(let key):
      try writing.remove.bind(key.namespace, at: 1)
      try writing.remove.bind(key.id, at: 2)
      _ = try writing.remove.step()
    }
  }

  private func bind(_ record: CacheRecord, to statement: SQLiteStatement) throws(SQLiteError) {
    try statement.bind(record.key.namespace, at: 1)
    try statement.bind(record.key.id, at: 2)
    try statement.bind(record.type?.description, at: 3)
    try statement.bind(record.url, at: 4)
    try statement.bind(record.finalURL == record.url ? nil : record.finalURL, at: 5)
    for (index, algorithm) in IndexSchema.algorithms.enumerated() {
      let digest = record.digests.first { $0.algorithm == algorithm }
      try statement.bind(digest?.bytes, at: 6 + index)
    }
    try statement.bind(record.size, at: 11)
    try statement.bind(record.modificationTime, at: 12)
    try statement.bind(record.entityTag, at: 13)
    try statement.bind(record.lastModified, at: 14)
    try statement.bind(record.fetchedAt, at: 15)
    try statement.bind(record.verifiedAt, at: 16)
    try statement.bind(record.usedAt, at: 17)
  }
}
