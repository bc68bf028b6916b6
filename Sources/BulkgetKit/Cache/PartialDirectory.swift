import BulkgetSystem
import Foundation

/// The kept parts of interrupted downloads. The directory is listed once where many keys are looked up.
struct PartialDirectory {
  private let layout: CacheLayout
  /// The names in the directory; nil where looking at each is cheaper.
  private let names: Set<String>?

  init(_ layout: CacheLayout, entryCount: Int) throws(CacheError) {
    self.layout = layout
    if entryCount < 64 {
      names = nil
    } else {
      names = try cacheCall { () throws(SystemError) in
        Set(try FileSystem.names(in: layout.partialDirectory) ?? [])
      }
    }
  }

  /// The kept bytes of one key, or nil.
  func partial(
    of key: FileKey, _ hasher: KeyHasher
  ) throws(CacheError) -> CacheSnapshot.Partial? {
    if let names, names.isEmpty { return nil }
    let fingerprint = hasher.fingerprint(of: key)
    if let names, !names.contains(fingerprint.name) { return nil }
    let path = layout.partialPath(of: fingerprint)
    let status = try cacheCall { () throws(SystemError) in try FileSystem.status(of: path) }
    guard let status, status.kind == .file else { return nil }
    return CacheSnapshot.Partial(byteCount: status.size, record: try Self.record(beside: path))
  }

  /// What is needed to resume; nil where it is missing or damaged. No record is longer than 64 KiB.
  private static func record(beside path: String) throws(CacheError) -> PartialRecord? {
    let path = path + CacheLayout.recordSuffix
    let bytes: [UInt8]?
    do {
      bytes = try FileDescriptor.reading(path).readAll(limit: 65_536)
    } catch {
      // A directory in its place is damage like any other.
      if error.isNotFound || error.isDirectoryInTheWay || error.isNotPermitted { return nil }
      throw CacheError(error)
    }
    return bytes.flatMap { try? JSONDecoder().decode(PartialRecord.self, from: Data($0)) }
  }
}
