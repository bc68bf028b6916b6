import BulkgetSystem
import Foundation

extension DiskCache {
  /// Locks a file for downloading, without waiting.
  ///
  /// - Throws: ``CacheError/unwritable(path:)`` in a cache that may not be written, and what the system gave.
  package func lock(_ key: FileKey) throws(CacheError) -> LockAttempt {
    try checkWritable(layout.directory)
    return try locks.lock(KeyHasher().fingerprint(of: key).lockOffset)
  }

  /// Makes an empty file to download into. What was kept of an earlier download of the key is removed.
  ///
  /// Without the key's lock, since the file system has none or its holder hangs, the file gets a name and a lock of its own,
  /// and can't be resumed later.
  package func stage(_ key: FileKey, under lock: FileLock?) throws(CacheError) -> StagedFile {
    let path = layout.partialPath(of: key)
    try checkWritable(path)
    return try cacheCall { () throws(SystemError) in
      guard lock != nil else { return try stagePrivately(path) }
      let descriptor: FileDescriptor
      do throws(SystemError) {
        descriptor = try create(path)
      } catch  where error.isAlreadyThere {
        try removePartial(path)
        descriptor = try create(path)
      }
      return StagedFile(path: path, descriptor: descriptor, isResumable: true)
    }
  }

  /// Opens what is kept of an earlier download, to append to it; nil where nothing is that could be.
  package func resume(_ key: FileKey, under lock: FileLock) throws(CacheError) -> StagedFile? {
    let path = layout.partialPath(of: key)
    try checkWritable(path)
    do {
      return try openPartial(path)
    } catch {
      // Another user's: it can be replaced, but not appended to.
      if error.isNotPermitted { return nil }
      throw CacheError(error)
    }
  }

  private func openPartial(_ path: String) throws(SystemError) -> StagedFile? {
    guard let status = try FileSystem.status(of: path), status.kind == .file else { return nil }
    // It already is as read-only as a complete file. The descriptor stays writable.
    let permissions = status.permissions & 0o444
    try FileSystem.setPermissions(permissions | 0o200, of: path)
    let descriptor = try FileDescriptor.appending(path)
    try descriptor.setPermissions(permissions)
    return StagedFile(path: path, descriptor: descriptor, hasRecord: true, isResumable: true)
  }

  /// Keeps what is needed to resume the file, beside it. Call it before the first byte of the body is written.
  package func keep(_ record: PartialRecord, beside file: inout StagedFile) throws(CacheError) {
    guard file.isResumable else { return }
    let bytes: [UInt8]
    do { bytes = [UInt8](try JSONEncoder().encode(record)) } catch {
      throw .index(path: file.path, reason: "\(error)")
    }
    file.hasRecord = true
    let path = file.path + CacheLayout.recordSuffix
    try cacheCall { () throws(SystemError) in
      let descriptor = try FileDescriptor.updating(path)
      try descriptor.truncate(to: 0)
      try descriptor.write(bytes)
      if isDurable { try descriptor.synchronize() }
    }
  }

  /// Removes a file that came to nothing, and its record.
  package func discard(_ file: StagedFile) throws(CacheError) {
    try cacheCall { () throws(SystemError) in try removePartial(file.path) }
  }

  /// Removes what is kept of a key's download.
  package func discardPartial(of key: FileKey, under lock: FileLock) throws(CacheError) {
    let path = layout.partialPath(of: key)
    try checkWritable(path)
    try cacheCall { () throws(SystemError) in try removePartial(path) }
  }

  /// The record first: one that outlived its bytes could be taken for that of the next download's.
  func removePartial(_ path: String) throws(SystemError) {
    try FileSystem.remove(path + CacheLayout.recordSuffix)
    try FileSystem.remove(path)
  }

  func checkWritable(_ path: String) throws(CacheError) {
    if !isWritable { throw .unwritable(path: path) }
  }

  /// A path beside the partial's that nobody else has.
  static func temporaryPath(beside path: String) -> String {
    path + "." + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  private func stagePrivately(_ path: String) throws(SystemError) -> StagedFile {
    let descriptor = try createLocked(Self.temporaryPath(beside: path))
    return StagedFile(path: descriptor.path, descriptor: descriptor, isResumable: false)
  }

  /// Read-only from the start, so that publishing changes nothing but the name.
  func create(_ path: String) throws(SystemError) -> FileDescriptor {
    do {
      return try FileDescriptor.creating(path, mode: 0o444)
    } catch  where error.isNotFound {
      try FileSystem.makeDirectories(layout.partialDirectory, isDurable: isDurable)
      return try FileDescriptor.creating(path, mode: 0o444)
    }
  }
}
