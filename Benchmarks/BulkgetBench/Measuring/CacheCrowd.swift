import BulkgetKit

/// Records of other namespaces, as a cache has them that many projects share. They have no files.
struct CacheCrowd: Sendable {
  let recordCount: Int

  /// Adds them to the cache in a directory.
  func add(to directory: String) throws {
    let cache = try DiskCache.open(at: directory, access: .writing())
    for number in 0..<recordCount {
      cache.record(record(number))
      // So that they don't gather in memory.
      if number % 10_000 == 9_999 { try cache.flush() }
    }
    try cache.flush()
  }

  private func record(_ number: Int) -> CacheRecord {
    let key = FileKey(namespace: "other-\(number % 100)", id: "file-\(number)")
    let url = "http://127.0.0.1/other/\(number)"
    return CacheRecord(
      key: key, type: FileType("bin"), url: url, finalURL: url, digests: digests(number),
      size: 4_096, modificationTime: 1, now: 1)
  }

  /// No file's digest, but one to be looked for among.
  private func digests(_ number: Int) -> [Digest] {
    var value = UInt64(number)
    let bytes = (0..<32).map { _ in
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: value >> 56)
    }
    return Digest(.sha256, bytes: bytes).map { [$0] } ?? []
  }
}
