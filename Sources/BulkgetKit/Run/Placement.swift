import BulkgetSystem
import Foundation

/// Puts cached files at their destinations: a copy that shares blocks where the file system can, else a plain one.
///
/// The file appears whole or not at all: it is made under a temporary name in the destination's directory, gets the
/// cached file's modification time, by which a later plan recognises it, and is renamed.
struct Placement: Sendable {
  /// The output directory, absolute.
  let outputDirectory: String

  func path(of destination: DestinationPath) -> String {
    outputDirectory.hasSuffix("/")
      ? outputDirectory + destination.description : "\(outputDirectory)/\(destination)"
  }

  /// Places the cached file at `source`. Directories in between are made.
  func place(_ source: String, at destination: DestinationPath, isExecutable: Bool) throws(Failure)
  {
    let target = path(of: destination)
    do throws(SystemError) {
      let original = try FileDescriptor(opening: source, O_RDONLY | O_NOFOLLOW)
      let directory = FileSystem.parentDirectory(of: target)
      let temporary = "\(directory)/.bulkget-\(UInt32.random(in: 0 ... .max))"
      let copy = try create(temporary, in: directory, mode: isExecutable ? 0o777 : 0o666)
      do throws(SystemError) {
        try fill(copy, from: original)
        try FileSystem.rename(temporary, to: target)
      } catch {
        try FileSystem.remove(temporary)
        throw error
      }
    } catch {
      throw Self.failure(error, target)
    }
  }

  /// Creates the file, and its directory where that is missing: for most files it is there already.
  private func create(
    _ path: String, in directory: String, mode: mode_t
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL
    do throws(SystemError) {
      return try FileDescriptor(opening: path, flags, mode: mode, action: "create")
    } catch  where error.code == ENOENT {
      try FileSystem.makeDirectories(directory)
      return try FileDescriptor(opening: path, flags, mode: mode, action: "create")
    }
  }

  private func fill(_ copy: FileDescriptor, from original: FileDescriptor) throws(SystemError) {
    let status = try original.status()
    do throws(SystemError) {
      try copy.clone(original)
    } catch {
      // Every file system says in its own way that it can't share blocks; copying tells real trouble by itself.
      try copy.copy(original)
    }
    try copy.setModificationTime(status.modificationTime)
  }

  private static func failure(_ error: SystemError, _ target: String) -> Failure {
    switch error.code {
    case EISDIR, ENOTDIR, ENOTEMPTY, EEXIST:
      Failure(.destinationConflict, "\(error); something else stands at `\(target)`")
    case EROFS:
      Failure(.permissionDenied, error.description)
    default:
      Failure(error)
    }
  }
}
