/// How a file is placed at its destination.
public enum LinkMode: String, CaseIterable, Sendable {
  /// A copy that shares blocks where the file system can, else a plain one.
  case auto
  /// A copy that shares blocks, or nothing.
  case reflink
  /// Another name of the cached file, read-only like it.
  case hardlink
  /// A symbolic link to the cached file.
  case symlink
  /// A plain copy.
  case copy

  /// How an entry is placed: a file with execute bits is never a link, since the cached one has none.
  func mode(for entry: Entry) -> LinkMode {
    entry.isExecutable && (self == .hardlink || self == .symlink) ? .auto : self
  }

  /// Whether what is placed takes room of its own.
  var takesRoom: Bool { self == .auto || self == .copy }
}

/// The cached file that a destination is compared with.
struct PlacedContent {
  var mode: LinkMode
  var record: CacheRecord
  /// Where the cached file is.
  var path: String
  /// Its number in the file system, where it has several names; else 0.
  var sharedInode: UInt64

  /// Whether what was seen at an entry's destination is what placing would make of it.
  func isRight(_ place: FileObservation, for entry: Entry) -> Bool {
    let isShared = place.sharedInode != 0 && place.sharedInode == sharedInode
    // The same number may be another file's on another disk.
    let hasTime = place.size == record.size && place.modificationTime == record.modificationTime
    switch mode.mode(for: entry) {
    case .symlink:
      return place.kind == .symbolicLink && place.linkTarget.map { isSameText($0, path) } == true
    case .hardlink: return place.kind == .file && isShared && hasTime
    case .auto, .copy, .reflink:
      return place.kind == .file && !isShared && hasTime
        && place.isExecutable == entry.isExecutable
    }
  }
}
