/// Where everything of one cache lies. Nothing in a cache holds an absolute path, so that it can be moved.
///
/// ```
/// CACHE/
/// ├── CACHEDIR.TAG                     tells backup programs to leave it out
/// ├── index.sqlite                     what is known about each file
/// ├── locks                            one byte of it is locked for each download under way
/// ├── claims/<random>                  locked by a run: the files that it uses and nobody may prune
/// ├── files/NAMESPACE/<md5 of the id>.<type>
/// └── partial/
///     ├── <md5 of namespace, NUL, id>               kept bytes of a download
///     ├── <md5 of namespace, NUL, id>.json          what is needed to resume it
///     └── <md5 of namespace, NUL, id>.<random>      a download beside another one's, or a link about to be renamed
/// ```
public struct CacheLayout: Hashable, Sendable {
  /// The cache's directory.
  public let directory: String

  /// Lays a cache out in `directory`.
  public init(directory: String) {
    self.directory = directory
  }

  /// The mark that backup programs look for (the Cache Directory Tagging Specification).
  public var tagPath: String { directory + "/CACHEDIR.TAG" }
  /// The index.
  public var indexPath: String { directory + "/index.sqlite" }
  /// The file whose bytes are locked.
  public var locksPath: String { directory + "/locks" }
  /// The directory of what running processes use.
  public var claimsDirectory: String { directory + "/claims" }
  /// The parent of the namespaces' directories.
  public var filesDirectory: String { directory + "/files" }
  /// The directory of downloads that are not complete.
  public var partialDirectory: String { directory + "/partial" }

  /// The directory of a namespace's files.
  public func filesDirectory(of namespace: String) -> String {
    filesDirectory + "/" + Self.directoryName(of: namespace)
  }

  /// The path of a complete file.
  public func path(of key: FileKey, type: FileType?) -> String {
    filesDirectory(of: key.namespace) + "/" + Self.name(of: key, type: type, KeyHasher())
  }

  /// The path of a record's file, which may be in a read cache.
  public func path(of record: CacheRecord) -> String {
    let layout = record.readCache.map(CacheLayout.init(directory:)) ?? self
    return layout.path(of: record.key, type: record.type)
  }

  /// The path of an incomplete file's bytes.
  public func partialPath(of key: FileKey) -> String {
    partialPath(of: KeyHasher().fingerprint(of: key))
  }

  /// The path of what is needed to resume an incomplete file.
  public func partialRecordPath(of key: FileKey) -> String {
    partialPath(of: key) + Self.recordSuffix
  }

  func partialPath(of fingerprint: KeyFingerprint) -> String {
    partialDirectory + "/" + fingerprint.name
  }

  static let recordSuffix = ".json"

  /// The name of a complete file in its namespace's directory. The id is only ever hashed, so no id is a path.
  static func name(of key: FileKey, type: FileType?, _ hasher: KeyHasher) -> String {
    let name = hasher.name(of: key.id)
    guard let type else { return name }
    return name + "." + type.description
  }

  /// A manifest's namespace is a safe name; one that was made in code may be anything, and is hashed where it isn't.
  static func directoryName(of namespace: String) -> String {
    let isSafe =
      (1...64).contains(namespace.utf8.count)
      && namespace.utf8.allSatisfy { character in
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
    if isSafe, namespace.utf8.first != UInt8(ascii: ".") { return namespace }
    return KeyHasher().name(of: namespace)
  }
}
