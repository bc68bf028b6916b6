/// What lies in a cache.
public struct CacheSize: Hashable, Sendable {
  /// Complete files, each name counted.
  public var fileCount = 0
  /// Their bytes; files with several names are counted once.
  public var byteCount: Int64 = 0
  /// Incomplete files.
  public var partialCount = 0
  /// Their bytes.
  public var partialByteCount: Int64 = 0

  /// Nothing.
  public init() {}
}
