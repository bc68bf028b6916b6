/// The digests and sizes that a manifest doesn't give, recorded beside it: `manifest.lock` for `manifest.yaml`.
///
/// A record holds only while its URLs are those of the manifest's entry. Made to be read in a diff: JSON, sorted, an entry a
/// line, and no secrets.
public struct LockFile: Hashable, Sendable {
  /// What is recorded about one entry.
  public struct Record: Hashable, Sendable {
    /// The entry's namespace and id.
    public var key: FileKey
    /// Its sources in their order, without secrets; see ``Source/lockName(in:)``.
    public var urls: [String]
    /// The SHA-256 of the file.
    public var sha256: Digest
    /// Its size in bytes.
    public var size: Int64
    /// Where the record stands in the file; 0 where it was made in code.
    public var line = 0
    /// The column, from 1.
    public var column = 0

    /// Makes a record.
    public init(key: FileKey, urls: [String], sha256: Digest, size: Int64) {
      self.key = key
      self.urls = urls
      self.sha256 = sha256
      self.size = size
    }

    /// Whether it is still about what the entry wants.
    ///
    /// - Parameter directory: the manifest's.
    public func holds(for entry: Entry, in directory: String) -> Bool {
      guard key == entry.key, urls.count == entry.sources.count else { return false }
      return zip(urls, entry.sources).allSatisfy { isSameText($0, $1.lockName(in: directory)) }
    }
  }

  /// By namespace and id, byte for byte.
  public private(set) var records: [Record]

  /// Makes a lock file; the records may come in any order.
  public init(records: [Record] = []) {
    self.records = records.sorted { $0.key.precedes($1.key) }
  }

  /// The lock file's path of a manifest; nil for standard input.
  public static func path(of manifest: String) -> String? {
    if manifest == "-" { return nil }
    let start = manifest.lastIndex(of: "/").map(manifest.index(after:)) ?? manifest.startIndex
    let name = manifest[start...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...] != ".lock"
    else { return manifest + ".lock" }
    return manifest[..<dot] + ".lock"
  }

  /// The file's bytes.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.member("version", 1)
    writer.key("files")
    writer.beginArray(.lines)
    for record in records { writer.member(of: record) }
    writer.endArray()
    writer.endObject()
    var bytes: [UInt8] = []
    writer.finish { bytes += copy $0 }
    return bytes
  }
}

extension Source {
  /// How a lock file names this source: as the cache's index does, without secrets. But a path below the manifest's directory
  /// is `./…`, since the two files travel together, and the index doesn't.
  func lockName(in directory: String) -> String {
    guard case .local(let path) = self else { return identity }
    let start = directory.hasSuffix("/") ? directory : directory + "/"
    return path.utf8.starts(with: start.utf8)
      ? "./" + String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self) : path
  }
}

extension JSONWriter {
  fileprivate mutating func member(of record: LockFile.Record) {
    beginObject()
    member("namespace", record.key.namespace)
    member("id", record.key.id)
    key("urls")
    beginArray()
    for url in record.urls { value(url) }
    endArray()
    member("sha256", record.sha256.hexadecimal)
    member("size", record.size)
    endObject()
  }
}

extension FileKey {
  fileprivate func precedes(_ other: FileKey) -> Bool {
    if !isSameText(namespace, other.namespace) {
      return namespace.utf8.lexicographicallyPrecedes(other.namespace.utf8)
    }
    return id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }
}
