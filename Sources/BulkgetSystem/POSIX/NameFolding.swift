#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which names a directory takes for one although they differ.
package struct NameFolding: Hashable, Sendable {
  /// `A` and `a`.
  package var letterCase: Bool
  /// `é` as one code point, and as `e` with U+0301.
  package var unicodeForms: Bool

  package init(letterCase: Bool = false, unicodeForms: Bool = false) {
    self.letterCase = letterCase
    self.unicodeForms = unicodeForms
  }

  /// What can be told of a directory by looking; nothing is made or changed. A directory of an unknown file system in which
  /// nothing has a name with a letter tells nothing, and counts as one that keeps names apart.
  package init(of directory: String) throws(SystemError) {
    #if canImport(Darwin)
      // Both file systems of macOS take all Unicode forms of a name for one, also where letter case counts.
      self.init(letterCase: pathconf(directory, _PC_CASE_SENSITIVE) == 0, unicodeForms: true)
    #else
      let descriptor = try FileDescriptor.directory(directory)
      if descriptor.hasFlag(casefoldFlag) {
        self.init(letterCase: true, unicodeForms: true)
      } else if let isFolded = try Self.foldsNames(in: descriptor) {
        self.init(letterCase: isFolded)
      } else {
        self.init(letterCase: try Self.isOnFoldingFileSystem(descriptor))
      }
    #endif
  }
}

#if !canImport(Darwin)
  extension NameFolding {
    /// Whether names that are there are found in the other letter case too; nil where there are none that could tell.
    private static func foldsNames(in directory: FileDescriptor) throws(SystemError) -> Bool? {
      let names = try FileSystem.names(in: directory.path) ?? []
      for name in names {
        guard let swapped = swappingCase(of: name),
          let status = try FileSystem.status(of: name, in: directory)
        else { continue }
        let other = try FileSystem.status(of: swapped, in: directory)
        // With both names in the list, they are two links to one file.
        return other.map { status.isSameFile(as: $0) } == true && !names.contains(swapped)
      }
      return try foldsOwnName(of: directory)
    }

    /// The same of the directory's own name, where its parent is on the same file system.
    private static func foldsOwnName(of directory: FileDescriptor) throws(SystemError) -> Bool? {
      guard let path = FileSystem.canonicalPath(of: directory.path),
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
        let swapped = swappingCase(of: String(path[path.utf8.index(after: slash)...])),
        let status = try FileSystem.status(of: path),
        case let parent = FileSystem.parentDirectory(of: path),
        try FileSystem.status(of: parent)?.device == status.device
      else { return nil }
      return try FileSystem.status(of: "\(parent)/\(swapped)")?.isSameFile(as: status) ?? false
    }

    /// Whether the file system is of a kind that folds letter case. Swift can't import `statfs`, whose header no module has.
    private static func isOnFoldingFileSystem(
      _ directory: FileDescriptor
    ) throws(SystemError) -> Bool {
      guard try FileSystem.status(of: MountTable.path) != nil,
        let bytes = try FileDescriptor.reading(MountTable.path).readAll(limit: 1 << 24)
      else { return false }
      let table = MountTable(text: String(decoding: bytes, as: UTF8.self))
      return table.types(ofDevice: try directory.status().device).contains {
        foldingTypes.contains($0)
      }
    }

    /// FAT, exFAT, and Windows's shares.
    private static let foldingTypes: Set<Substring> = ["vfat", "msdos", "exfat", "cifs", "smb3"]

    /// The name with each ASCII letter in the other case; nil where there is none.
    private static func swappingCase(of name: String) -> String? {
      let bytes = name.utf8.map { byte in
        (0x41...0x5A).contains(byte & ~0x20) ? byte ^ 0x20 : byte
      }
      return bytes.elementsEqual(name.utf8) ? nil : String(decoding: bytes, as: UTF8.self)
    }
  }

  extension FileStatus {
    fileprivate func isSameFile(as other: FileStatus) -> Bool {
      inode == other.inode && device == other.device
    }
  }

  extension FileDescriptor {
    /// Whether the file has a flag of `chattr`; not where the file system has no flags.
    /// The corresponding C call is `ioctl(FS_IOC_GETFLAGS)`.
    fileprivate func hasFlag(_ flag: CLong) -> Bool {
      var flags: CLong = 0
      return ioctl(rawValue, getFlagsRequest, &flags) == 0 && flags & flag != 0
    }
  }

  /// FS_IOC_GETFLAGS, `_IOR('f', 1, long)`, and FS_CASEFOLD_FL of `linux/fs.h`: macros that Swift can't import.
  private let getFlagsRequest = UInt(0x8000_6601) | UInt(MemoryLayout<CLong>.size) << 16
  private let casefoldFlag: CLong = 0x4000_0000
#endif
