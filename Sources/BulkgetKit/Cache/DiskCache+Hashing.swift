import BulkgetSystem

extension DiskCache {
  /// What hashing one file gave.
  package struct HashedFile: Sendable {
    /// In the order of the algorithms' strength, weakest first.
    package var digests: [Digest]
    /// What the file was while it was read.
    package var observation: FileObservation
  }

  /// Hashes a file, reading it once in pieces of 1 MiB; asks before each piece whether to stop.
  ///
  /// - Throws: ``CacheError/changed(path:)`` where the file changed meanwhile, ``CacheError/notAFile(path:)``,
  ///   ``CacheError/cancelled``, ``CacheError/digestUnavailable(_:)``, and what the system gave.
  package static func hash(
    _ path: String, _ algorithms: Set<DigestAlgorithm>, isCancelled: () -> Bool = { false }
  ) throws(CacheError) -> HashedFile {
    let algorithms = algorithms.sorted()
    let hashed: FileDigests
    do {
      hashed = try FileDigests(of: path, algorithms.map(\.system), isCancelled: isCancelled)
    } catch {
      throw CacheError(error, path: path)
    }
    return HashedFile(
      digests: zip(algorithms, hashed.digests).compactMap { Digest($0, bytes: $1) },
      observation: FileObservation(hashed.status, isReadable: true))
  }
}

extension CacheError {
  fileprivate init(_ refusal: FileDigests.Refusal, path: String) {
    self =
      switch refusal {
      case .system(let error): CacheError(error)
      case .notAFile: .notAFile(path: path)
      case .unavailable(let algorithm): .digestUnavailable(algorithm.rawValue)
      case .changed: .changed(path: path)
      case .cancelled: .cancelled
      }
  }
}
