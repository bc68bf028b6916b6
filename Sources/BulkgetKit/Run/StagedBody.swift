import BulkgetSystem

/// A body on its way to a staged file: written and hashed in one pass, so that nothing is read again.
///
/// `@unchecked Sendable`: its owner, ``BodyWriter``, uses it on one serial queue only; `lock` is set before that.
final class StagedBody: @unchecked Sendable {
  /// The file's lock, without which nothing of it can be kept for later.
  var lock: FileLock?
  private let cache: DiskCache
  private let key: FileKey
  private let algorithms: [DigestAlgorithm]
  private var digests: [MessageDigest] = []
  private var record: PartialRecord?
  private var isRecordKept = false
  private(set) var file: StagedFile?
  /// How many bytes are in the file and in the digests.
  private(set) var byteCount: Int64 = 0

  init(_ key: FileKey, in cache: DiskCache, algorithms: [DigestAlgorithm]) {
    self.key = key
    self.cache = cache
    self.algorithms = algorithms
  }

  /// Makes the file ready to go on from `offset`: kept bytes are hashed, whatever follows them is cut off.
  func open(at offset: Int64, record: PartialRecord?) throws(CacheError) {
    try startDigests()
    self.record = record
    isRecordKept = false
    byteCount = 0
    if offset == 0 {
      file = try cache.stage(key, under: lock)
    } else {
      try reopen(keeping: offset)
    }
    if let total = record?.total, total >= ResumeRule.minimumByteCount { try keepRecord() }
  }

  func append(_ chunk: ByteChunk) throws(CacheError) {
    // Bytes that have no place must never be lost without a word: what is missing would count as complete.
    guard let file else { throw .changed(path: cache.layout.partialPath(of: key)) }
    try cacheCall { () throws(SystemError) in try file.descriptor.write(chunk) }
    for digest in digests { digest.update(chunk) }
    byteCount += Int64(chunk.count)
    if !isRecordKept, byteCount >= ResumeRule.minimumByteCount { try keepRecord() }
  }

  /// The digests of everything in the file, which stays open for publishing.
  func finish() -> [Digest] {
    zip(algorithms, digests).compactMap { Digest($0, bytes: $1.finish()) }
  }

  /// Whether the first bytes are those of an HTML page, white space and a byte order mark aside.
  func beginsLikeHTML() throws(CacheError) -> Bool {
    guard let file else { return false }
    let bytes = try cacheCall { () throws(SystemError) in
      try file.descriptor.read(count: 512, at: 0)
    }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return Self.beginnings.contains(where: text.hasPrefix)
  }

  private static let beginnings = [
    "<!doctype html", "<html", "<head", "<body", "<title", "<script", "<!--",
  ]

  /// Lets go of the file. What is too little to be resumed is removed.
  func close() throws(CacheError) {
    guard file != nil else { return }
    if lock == nil || byteCount < ResumeRule.minimumByteCount { return try discard() }
    file = nil
  }

  /// Lets go of a file that has got its name.
  func release() {
    file = nil
    lock = nil
  }

  /// Removes what is staged or was kept.
  func discard() throws(CacheError) {
    byteCount = 0
    if let file {
      self.file = nil
      try cache.discard(file)
    } else if let lock {
      try cache.discardPartial(of: key, under: lock)
    }
  }

  private func startDigests() throws(CacheError) {
    // What an earlier try has left in them goes.
    for digest in digests { _ = digest.finish() }
    guard digests.isEmpty else { return }
    for algorithm in algorithms {
      guard let digest = MessageDigest(algorithm.system) else {
        throw .digestUnavailable(algorithm.rawValue)
      }
      digests.append(digest)
    }
  }

  private func reopen(keeping offset: Int64) throws(CacheError) {
    guard let lock, let file = try cache.resume(key, under: lock) else {
      throw .changed(path: cache.layout.partialPath(of: key))
    }
    self.file = file
    isRecordKept = true
    try cacheCall { () throws(SystemError) in
      try file.descriptor.truncate(to: offset)
      try file.descriptor.seek(to: 0)
      let chunk = ByteChunk(capacity: 1 << 20)
      while try chunk.fill(from: file.descriptor) {
        for digest in digests { digest.update(chunk) }
        byteCount += Int64(chunk.count)
      }
    }
    guard byteCount == offset else { throw .changed(path: file.path) }
  }

  private func keepRecord() throws(CacheError) {
    guard let record, var file else { return }
    try cache.keep(record, beside: &file)
    self.file = file
    isRecordKept = true
  }
}
