/// What the cache's index knows about one file.
public struct CacheRecord: Hashable, Sendable {
  /// The namespace and the id.
  public var key: FileKey
  /// The type, which is part of the cached file's name.
  public var type: FileType?
  /// The ``ResourceURL/identity`` of the manifest URL the bytes came from, or a local source's path.
  public var url: String
  /// The ``ResourceURL/identity`` of the URL after redirects.
  public var finalURL: String
  /// The digests that were computed; SHA-256 is always among them.
  public var digests: [Digest]
  /// Size in bytes.
  public var size: Int64
  /// Modification time in nanoseconds since 1970.
  public var modificationTime: Int64
  /// The entity tag of the response, weak ones included.
  public var entityTag: String?
  /// The `Last-Modified` of the response, as sent.
  public var lastModified: String?
  /// When the bytes were fetched, in seconds since 1970.
  public var fetchedAt: Int64
  /// When the server last said that they are right, or they were fetched, in seconds since 1970.
  public var verifiedAt: Int64
  /// When a run last used them, in seconds since 1970; kept to the minute.
  public var usedAt: Int64
  /// The directory of the read cache that has the file; nil for the cache whose index the record is kept in.
  public var readCache: String?

  /// Makes a record of a file that was just fetched.
  public init(
    key: FileKey, type: FileType?, url: String, finalURL: String, digests: [Digest], size: Int64,
    modificationTime: Int64, now: Int64
  ) {
    self.key = key
    self.type = type
    self.url = url
    self.finalURL = finalURL
    self.digests = digests
    self.size = size
    self.modificationTime = modificationTime
    fetchedAt = now
    verifiedAt = now
    usedAt = now
  }
}

/// What was seen at one path.
public struct FileObservation: Hashable, Sendable {
  /// The kinds that planning tells apart.
  public enum Kind: Hashable, Sendable {
    case file, directory, symbolicLink, other
  }

  /// What it is; a symbolic link is not followed.
  public var kind: Kind
  /// Size in bytes.
  public var size: Int64
  /// Modification time in nanoseconds since 1970.
  public var modificationTime: Int64
  /// Whether the owner may execute it.
  public var isExecutable: Bool
  /// Whether this process may read it.
  public var isReadable: Bool
  /// The file's number in its file system where it has several names; else 0.
  public var sharedInode: UInt64 = 0
  /// Where a symbolic link says that it leads, as far as somebody wanted to know.
  public var linkTarget: String?

  /// Makes an observation.
  public init(
    kind: Kind = .file, size: Int64, modificationTime: Int64, isExecutable: Bool = false,
    isReadable: Bool = true
  ) {
    self.kind = kind
    self.size = size
    self.modificationTime = modificationTime
    self.isExecutable = isExecutable
    self.isReadable = isReadable
  }
}

/// What the cache held, for the entries of a plan, when it was looked at. A value: planning from it touches nothing.
public struct CacheSnapshot: Sendable {
  /// What is known about one entry.
  public struct File: Hashable, Sendable {
    /// What is at the file's path: the record's, or without one the path that the entry would get.
    public var observation: FileObservation?
    private var boxedRecord: Box<CacheRecord>?
    private var boxedPartial: Box<Partial>?

    /// Knows nothing.
    public init() {}

    /// The index's record, or nil.
    public var record: CacheRecord? {
      get { boxedRecord?.content }
      set { boxedRecord = newValue.map(Box.init) }
    }

    /// The kept bytes of an interrupted download, or nil.
    public var partial: Partial? {
      get { boxedPartial?.content }
      set { boxedPartial = newValue.map(Box.init) }
    }

    /// Whether the cache has nothing of the entry.
    var isEmpty: Bool { observation == nil && boxedRecord == nil && boxedPartial == nil }
  }

  /// An interrupted download.
  public struct Partial: Hashable, Sendable {
    /// The bytes that are there.
    public var byteCount: Int64
    /// What is kept beside them; nil where it is missing or damaged.
    public var record: PartialRecord?

    /// Makes a partial.
    public init(byteCount: Int64, record: PartialRecord?) {
      self.byteCount = byteCount
      self.record = record
    }
  }

  /// What is known about each entry that has anything in the cache.
  public var files: [FileKey: File] = [:]
  /// Files under any id whose strong digest an entry wants and whose size and time are as recorded.
  public var content: [Digest: CacheRecord] = [:]
  /// What is worth a word, such as a damaged index.
  public var warnings: [Notice] = []

  /// An empty cache.
  public init() {}
}
