import BulkgetKit
import Testing

/// One entry with everything that planning looks at; a test changes what it is about.
///
/// It begins as an entry whose file is in the cache and at its destination.
struct PlanWorld {
  static let now: Int64 = 1_800_000_000
  static let size: Int64 = 4_000_000
  static let time: Int64 = 1_700_000_000_123_456_789

  var configuration = Configuration(cacheDirectory: "/cache", outputDirectory: "/out")
  var entry: Entry
  var file = CacheSnapshot.File()
  var content: [Digest: CacheRecord] = [:]
  var place = DestinationSnapshot.Place()

  init(digests: [Digest] = [], destination: String? = "a.bin") throws {
    entry = try Entry.sample("a", digests: digests, destination: destination)
    let record = try CacheRecord.sample("a")
    file.record = record
    file.observation = .sample
    if destination != nil { place.observation = .sample }
  }

  /// Forgets what is in the cache and at the destination.
  mutating func empty() {
    file = CacheSnapshot.File()
    place = DestinationSnapshot.Place()
  }

  func step() throws -> Step {
    let plan = try plan()
    return try #require(plan.steps.first)
  }

  func plan() throws -> Plan {
    var cache = CacheSnapshot()
    cache.files[entry.key] = file
    cache.content = content
    var destinations = DestinationSnapshot()
    if let destination = entry.destination { destinations.places[destination] = place }
    return Planner(configuration: configuration, now: Self.now).plan(
      manifests: [Manifest(path: "manifest.yaml", entries: [entry])], cache: cache,
      destinations: destinations)
  }
}

extension Digest {
  /// A digest whose bytes are all `byte`.
  static func sample(_ algorithm: DigestAlgorithm, _ byte: UInt8 = 1) throws -> Digest {
    try #require(
      Digest(algorithm, bytes: [UInt8](repeating: byte, count: algorithm.byteCount)))
  }
}

extension Entry {
  static func sample(
    _ id: String, urls: [String]? = nil, digests: [Digest] = [], destination: String? = nil
  ) throws -> Entry {
    let urls = urls ?? ["https://example.org/\(id).bin"]
    var entry = Entry(
      key: FileKey(namespace: "default", id: id),
      sources: try urls.map { .remote(try ResourceURL($0)) }, type: FileType("bin"))
    entry.digests = digests
    entry.destination = try destination.map { try DestinationPath($0) }
    return entry
  }
}

extension CacheRecord {
  static func sample(_ id: String, byte: UInt8 = 1) throws -> CacheRecord {
    CacheRecord(
      key: FileKey(namespace: "default", id: id), type: FileType("bin"),
      url: "https://example.org/\(id).bin", finalURL: "https://cdn.example.org/\(id).bin",
      digests: [try .sample(.sha256, byte), try .sample(.md5, byte)], size: PlanWorld.size,
      modificationTime: PlanWorld.time, now: PlanWorld.now - 3600)
  }
}

extension FileObservation {
  static let sample = FileObservation(size: PlanWorld.size, modificationTime: PlanWorld.time)
}

extension CacheSnapshot.Partial {
  static func sample(_ id: String = "a", byteCount: Int64 = 2_000_000) -> Self {
    Self(
      byteCount: byteCount,
      record: PartialRecord(
        url: "https://example.org/\(id).bin", entityTag: "\"v1\"", total: PlanWorld.size))
  }
}
