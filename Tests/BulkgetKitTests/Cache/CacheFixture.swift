import BulkgetKit
import BulkgetSystem
import TestSupport

/// A cache of its own, with the steps that most tests begin with.
struct CacheFixture {
  let root: TemporaryDirectory
  var directory: String { root.path("cache") }

  init() throws {
    root = try TemporaryDirectory()
  }

  func open(_ access: DiskCache.Access = .writing()) throws -> DiskCache {
    try DiskCache.open(at: directory, access: access)
  }

  /// Opens the cache, publishes one file and commits it.
  @discardableResult
  func filled(
    _ text: String = "hello", id: String = "a", type: String? = "bin", url: String = "http://h/a"
  ) throws -> CacheRecord {
    let cache = try open()
    let record = try cache.add(text, id: id, type: type, url: url)
    try cache.flush()
    return record
  }
}

extension FileKey {
  /// A key of the default namespace.
  init(_ id: String) { self.init(namespace: "default", id: id) }
}

extension Entry {
  /// An entry of the default namespace, with the digest of `content` where it is given.
  init(
    _ id: String, type: String? = "bin", content: String? = nil,
    algorithm: DigestAlgorithm = .sha256
  ) {
    self.init(key: FileKey(id), sources: [], type: type.flatMap(FileType.init))
    if let content { digests = [Digest(of: content, algorithm)].compactMap { $0 } }
  }
}

extension Digest {
  init?(of text: String, _ algorithm: DigestAlgorithm = .sha256) {
    guard let digest = MessageDigest(algorithm.system) else { return nil }
    self.init(algorithm, bytes: digest.digest(of: text))
  }
}

extension DiskCache {
  /// Downloads, in effect: stages a file under its lock, writes it and publishes it.
  @discardableResult
  func add(
    _ text: String, id: String, type: String? = "bin", url: String = "http://h/a",
    namespace: String = "default", replacing previous: CacheRecord? = nil
  ) throws -> CacheRecord {
    let key = FileKey(namespace: namespace, id: id)
    var lock: FileLock?
    if case .acquired(let acquired) = try self.lock(key) { lock = acquired }
    let file = try stage(key, under: lock)
    try file.descriptor.write(Array(text.utf8))
    let record = CacheRecord(
      key: key, type: type.flatMap(FileType.init), url: url, finalURL: url,
      digests: [Digest(of: text)].compactMap { $0 }, size: 0, modificationTime: 0, now: 1_000_000)
    return try publish(file, as: record, replacing: previous, under: lock)
  }
}
