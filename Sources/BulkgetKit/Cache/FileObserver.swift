import BulkgetSystem

/// Looks at cached files. Keeps the last namespace's directory open, since most look-ups follow one in the same. Confined to
/// one thread.
final class FileObserver {
  private let layout: CacheLayout
  private let hasher: KeyHasher
  private var namespace: String?
  /// nil where the namespace has no directory.
  private var directory: FileDescriptor?

  init(_ layout: CacheLayout, _ hasher: KeyHasher) {
    self.layout = layout
    self.hasher = hasher
  }

  /// What is at the key's path, or nil.
  func observe(_ key: FileKey, type: FileType?) throws(CacheError) -> FileObservation? {
    try cacheCall { () throws(SystemError) in
      try enter(key.namespace)
      guard let directory else { return nil }
      let name = CacheLayout.name(of: key, type: type, hasher)
      guard let status = try FileSystem.status(of: name, in: directory) else { return nil }
      return FileObservation(status, isReadable: isReadable(status, name))
    }
  }

  private func enter(_ namespace: String) throws(SystemError) {
    if let known = self.namespace, known.utf8.elementsEqual(namespace.utf8) { return }
    self.namespace = nil
    directory = nil
    do {
      directory = try FileDescriptor.directory(layout.filesDirectory(of: namespace))
    } catch {
      guard error.isNotFound else { throw error }
    }
    self.namespace = namespace
  }

  /// The owner's read bit answers for the files of this user, the system is asked about others.
  private func isReadable(_ status: FileStatus, _ name: String) -> Bool {
    if status.permissions & 0o444 == 0o444 { return true }
    guard let directory else { return false }
    return FileSystem.isReadable(directory.path + "/" + name)
  }
}

extension FileObservation {
  init(_ status: FileStatus, isReadable: Bool) {
    let kind: Kind =
      switch status.kind {
      case .file: .file
      case .directory: .directory
      case .symbolicLink: .symbolicLink
      case .other: .other
      }
    self.init(
      kind: kind, size: status.size, modificationTime: status.modificationTime,
      isExecutable: status.permissions & 0o100 != 0, isReadable: isReadable)
    sharedInode = status.kind == .file && status.linkCount > 1 ? status.inode : 0
  }

  /// Whether it is a readable file with the record's size and time.
  package func matches(_ record: CacheRecord) -> Bool {
    kind == .file && isReadable && size == record.size
      && modificationTime == record.modificationTime
  }
}
