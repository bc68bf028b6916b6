import BulkgetSystem
import Foundation

extension Bulkget {
  /// Hashes the whole cache again.
  ///
  /// Nothing is repaired, but what is damaged is marked, as far as that may be written: its recorded time becomes one that no
  /// file has, so that the next run hashes it too and fetches it again.
  ///
  /// - Parameter progress: called on many threads.
  /// - Throws: where the cache can't be read.
  public func verifyCache(
    progress: @escaping @Sendable (VerificationProgress) -> Void = { _ in }
  ) throws(CacheError) -> VerificationResult {
    let cache = try openForMarking()
    var items: [Verifier.Item] = []
    try cache.forEachRecord { items.append(Verifier.Item(cached: $0, in: cache.layout)) }
    return try verify(items, cache, warnings: [], progress)
  }

  /// Hashes what is cached and placed of the manifests' selected entries.
  ///
  /// A damaged file at a destination gets the present time, so that the next run places it again.
  ///
  /// - Parameter progress: called on many threads.
  /// - Throws: where the cache can't be read.
  public func verify(
    _ manifests: [Manifest], progress: @escaping @Sendable (VerificationProgress) -> Void = { _ in }
  ) throws(CacheError) -> VerificationResult {
    let cache = try openForMarking()
    let selection = SelectionMatcher(configuration.selection)
    let entries = manifests.flatMap(\.entries).filter(selection.selects)
    let caches = try CacheView(
      cache, readCaches: configuration.readCaches, entryCount: entries.count)
    let snapshot = try caches.snapshot(of: entries)
    let placement = Placement(outputDirectory: configuration.outputDirectory)
    var items: [Verifier.Item] = []
    for entry in entries {
      let record = snapshot.files[entry.key]?.record
      var item = Verifier.Item(
        place: .cached, path: cache.layout.path(of: entry.key, type: entry.type), key: entry.key)
      if let record { item = Verifier.Item(cached: record, in: cache.layout) }
      items.append(item)
      guard let destination = entry.destination else { continue }
      item.place = .placed
      item.path = placement.path(of: destination)
      // What a symbolic link to the cached file leads to is what matters.
      if configuration.linkMode.mode(for: entry) == .symlink {
        item.path = FileSystem.canonicalPath(of: item.path) ?? item.path
      }
      items.append(item)
    }
    return try verify(items, cache, warnings: caches.takeWarnings(), progress)
  }

  /// A cache that may not be written is verified as well; then nothing can be marked.
  private func openForMarking() throws(CacheError) -> DiskCache {
    let directory = configuration.cacheDirectory
    let isThere = FileSystem.isDirectory(directory)
    return try DiskCache.open(at: directory, access: isThere ? .writing() : .reading)
  }

  private func verify(
    _ items: [Verifier.Item], _ cache: DiskCache, warnings: [Notice],
    _ progress: @escaping @Sendable (VerificationProgress) -> Void
  ) throws(CacheError) -> VerificationResult {
    let files = Verifier(items, in: cache, tell: progress).run()
    var warnings = warnings
    for (item, file) in zip(items, files) where file.status == .damaged {
      switch file.place {
      case .cached where item.record?.readCache != nil:
        warnings.append(.unmarked("nothing is written to a read cache"))
      case .cached: try cache.markDamaged(file.key)
      case .placed: Self.markPlaced(file, &warnings)
      }
    }
    try cache.flush()
    return VerificationResult(files: files, warnings: cache.takeWarnings() + warnings)
  }

  private static func markPlaced(_ file: Verification, _ warnings: inout [Notice]) {
    do throws(SystemError) {
      let now = Int64(Date().timeIntervalSince1970 * 1e9)
      try FileDescriptor.reading(file.path).setModificationTime(now)
    } catch {
      warnings.append(.unmarked(error.description))
    }
  }
}

extension DiskCache {
  /// Makes sure that the next run doesn't trust the key's file.
  fileprivate func markDamaged(_ key: FileKey) throws(CacheError) {
    guard isWritable, var record = try record(of: key) else { return }
    record.modificationTime = -1
    self.record(record)
  }
}

extension Verifier.Item {
  fileprivate init(cached record: CacheRecord, in layout: CacheLayout) {
    self.init(
      place: .cached, path: layout.path(of: record), key: record.key,
      record: record)
  }
}

extension Notice {
  /// Damage that could not be marked.
  fileprivate static func unmarked(_ reason: String) -> Notice {
    Notice(
      code: "damage-unmarked",
      message: "\(reason); the next run may not notice the damage: give it `--verify`")
  }
}
