import BulkgetSystem

/// The cache and the read caches of one plan, looked at part by part from several threads.
struct CacheView: Sendable {
  private let cache: DiskCache
  private let partials: PartialDirectory
  private let readCaches: [DiskCache]
  private let notices = NoticeLog()

  /// A read cache that can't be read is as good as none, and worth a warning.
  init(_ cache: DiskCache, readCaches directories: [String], entryCount: Int) throws(CacheError) {
    self.cache = cache
    partials = try PartialDirectory(cache.layout, entryCount: entryCount)
    var readCaches: [DiskCache] = []
    for directory in directories {
      do throws(CacheError) {
        guard FileSystem.isDirectory(directory) else {
          throw .unusable(directory: directory, reason: "there is no such directory")
        }
        readCaches.append(try DiskCache.open(at: directory, access: .reading))
      } catch {
        Self.warn(about: error, notices)
      }
    }
    self.readCaches = readCaches
  }

  /// What the cache has of the entries, and the read caches of those that it doesn't serve. Warnings are kept for
  /// ``takeWarnings()``.
  func snapshot(of entries: [Entry]) throws(CacheError) -> CacheSnapshot {
    var snapshot = try cache.snapshot(of: entries, partials)
    for other in readCaches {
      let wanted = snapshot.unserved(entries)
      do throws(CacheError) {
        let found = try other.snapshot(of: wanted, nil)
        snapshot.add(found, of: wanted, from: other.layout.directory)
      } catch {
        Self.warn(about: error, notices)
      }
    }
    for warning in snapshot.warnings { notices.add(warning.code, warning.message) }
    snapshot.warnings = []
    return snapshot
  }

  /// Each warning once, however many parts it came up in.
  func takeWarnings() -> [Notice] {
    var seen: Set<Notice> = []
    return notices.take().filter { seen.insert($0).inserted }
  }

  private static func warn(about error: CacheError, _ notices: NoticeLog) {
    notices.add("read-cache-unusable", "\(error); going on without it")
  }
}
