#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// What the file system says about one file, as far as bulkget asks. The corresponding C type is `struct stat`.
package struct FileStatus: Hashable, Sendable {
  /// The kinds of files that bulkget tells apart.
  package enum Kind: Sendable {
    case file, directory, symbolicLink, other
  }

  package let kind: Kind
  /// Size in bytes.
  package let size: Int64
  /// Modification time in nanoseconds since 1970.
  package let modificationTime: Int64
  /// The permission bits, without the kind.
  package let permissions: mode_t
  /// The user that owns it.
  package let owner: uid_t
  package let device: UInt64
  package let inode: UInt64
  package let linkCount: UInt64

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modificationTime = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    permissions = status.st_mode & 0o7777
    owner = status.st_uid
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = UInt64(status.st_nlink)
  }

  /// Whether size and modification time are the other's: then nobody wrote in between.
  package func hasSameContent(as other: FileStatus) -> Bool {
    size == other.size && modificationTime == other.modificationTime && inode == other.inode
  }
}
