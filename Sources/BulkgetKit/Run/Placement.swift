import BulkgetSystem
import Foundation
import Synchronization

/// Puts cached files at their destinations.
///
/// A file appears whole or not at all: it is made under a temporary name in the destination's directory, gets the cached
/// file's modification time, by which a later plan recognises it, and is renamed. The directory is reached by walking down
/// from the output directory, one open directory to the next, so that no symbolic link can lead outside, whenever it is made.
final class Placement: Sendable {
  /// The output directory, absolute.
  let outputDirectory: String
  private let mode: LinkMode
  private let isDurable: Bool
  private let directories: Mutex<OutputDirectories>

  init(outputDirectory: String, mode: LinkMode = .auto, isDurable: Bool = false) {
    self.outputDirectory = outputDirectory
    self.mode = mode
    self.isDurable = isDurable
    directories = Mutex(OutputDirectories(outputDirectory, isDurable: isDurable))
  }

  func path(of destination: DestinationPath) -> String {
    outputDirectory.hasSuffix("/")
      ? outputDirectory + destination.description : "\(outputDirectory)/\(destination)"
  }

  /// Places the cached file at `source`. Directories in between are made.
  func place(_ source: String, at destination: DestinationPath, of entry: Entry) throws(Failure) {
    let (parent, name) = PathText.split(Substring(destination.description))
    let new = NewFile(source: source, isExecutable: entry.isExecutable, isDurable: isDurable)
    do throws(SystemError) {
      for _ in 1..<Self.maximumTryCount {
        do throws(SystemError) {
          return try new.make(mode.mode(for: entry), String(name), in: open(parent))
        } catch  where error.isNotFound {
          directories.withLock { $0.forget() }
        }
      }
      try new.make(mode.mode(for: entry), String(name), in: open(parent))
    } catch {
      throw failure(error, path(of: destination), entry)
    }
  }

  /// Each process that begins may once take a temporary file for a dead one's, before it is locked or where it is a link;
  /// somebody may also remove the directory meanwhile.
  private static let maximumTryCount = 10

  private func open(_ directory: Substring) throws(SystemError) -> FileDescriptor {
    try directories.withLock { directories throws(SystemError) in
      try directories.open(String(directory))
    }
  }

  private func failure(_ error: SystemError, _ target: String, _ entry: Entry) -> Failure {
    switch error.code {
    case EISDIR, ENOTDIR, ENOTEMPTY, EEXIST, ELOOP:
      Failure(
        .destinationConflict, "\(error); something else stands at `\(target)` or above it")
    case EROFS: Failure(.permissionDenied, "\(error); choose another directory with `--out`")
    case EXDEV, EMLINK, EPERM, EOPNOTSUPP, ENOTTY, EINVAL, ENOSYS:
      wayOut(mode.mode(for: entry)).map { Failure(.io, "\(error): \($0)") } ?? Failure(error)
    default: Failure(error)
    }
  }

  /// What to do where a file system doesn't know what is asked of it.
  private func wayOut(_ mode: LinkMode) -> String? {
    switch mode {
    case .hardlink:
      "a hard link needs the cache on the same file system, and one that has them; use `--link copy`"
    case .symlink: "there are no symbolic links there; use `--link copy`"
    case .reflink: "blocks can't be shared there; use `--link auto` or `--link copy`"
    case .auto, .copy: nil
    }
  }
}

/// Makes one file in its place.
private struct NewFile {
  let source: String
  let isExecutable: Bool
  let isDurable: Bool

  func make(
    _ mode: LinkMode, _ name: String, in directory: FileDescriptor
  ) throws(SystemError) {
    let temporary = TemporaryName.make()
    do throws(SystemError) {
      switch mode {
      case .hardlink:
        if isDurable { try flushSource() }
        try directory.makeHardLink(temporary, to: source)
      case .symlink:
        if isDurable {
          try flushSource()
          try FileDescriptor.directory(FileSystem.parentDirectory(of: source)).synchronize()
        }
        try directory.makeSymbolicLink(temporary, to: source)
      case .auto, .copy, .reflink: try copy(mode, to: temporary, in: directory)
      }
      try directory.rename(temporary, to: name)
      // Renaming to another name of the same file leaves both.
      if mode == .hardlink { try directory.remove(temporary) }
    } catch {
      // The first error is the one that tells; what stays is removed by a later run.
      try? directory.remove(temporary)
      throw error
    }
    if isDurable { try directory.synchronize() }
  }

  /// What is linked may be from a run that flushed nothing.
  private func flushSource() throws(SystemError) {
    try FileDescriptor(opening: source, O_RDONLY | O_NOFOLLOW).synchronize()
  }

  private func copy(
    _ mode: LinkMode, to temporary: String, in directory: FileDescriptor
  ) throws(SystemError) {
    let original = try FileDescriptor(opening: source, O_RDONLY | O_NOFOLLOW)
    let copy = try directory.opening(
      temporary, O_RDWR | O_CREAT | O_EXCL, mode: isExecutable ? 0o777 : 0o666, action: "create")
    TemporaryName.claim(copy)
    let status = try original.status()
    switch mode {
    case .reflink: try copy.clone(original)
    case .copy: try copy.copy(original)
    default:
      // Every file system says in its own way that it can't share blocks; copying tells real trouble by itself.
      do throws(SystemError) { try copy.clone(original) } catch { try copy.copy(original) }
    }
    try copy.setModificationTime(status.modificationTime)
    if isDurable { try copy.synchronize() }
  }
}
