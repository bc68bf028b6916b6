import BulkgetSystem

/// Files in the directory of incomplete ones that have a name of their own: downloads beside another process's, and links
/// and copies that are about to get their names. Whoever writes one has it locked, so that it can be told from what a
/// killed process left. Links take no time to make: one that is removed too early is made again.
extension DiskCache {
  /// Removes what killed processes left. What can't be removed is left to another run.
  func removeLeftovers() {
    guard isWritable else { return }
    do throws(SystemError) {
      try FileSystem.forEachName(in: layout.partialDirectory) { name throws(SystemError) in
        guard name.utf8.contains(UInt8(ascii: ".")), !name.hasSuffix(CacheLayout.recordSuffix)
        else { return }
        let path = layout.partialDirectory + "/" + name
        guard try FileSystem.status(of: path)?.kind == .file else { return }
        do throws(SystemError) { _ = try removeAbandoned(path) } catch {
          // Another user's may be another user's to remove.
          guard error.isNotPermitted else { throw error }
        }
      }
    } catch {
      // Where there are no locks, nobody knows what is abandoned.
      if error.saysLocksAreUnsupported { return }
      notices.add("cache-leftover", error.description)
    }
  }

  /// Removes a file unless its writer has it locked; false where he has.
  func removeAbandoned(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let file = try FileDescriptor.reading(path)
      // Locked until the file is gone: a writer who could lock it now would go on in vain.
      defer { withExtendedLifetime(file) {} }
      guard try file.lockByte(at: 0, isShared: true) else { return false }
      try FileSystem.remove(path)
      return true
    } catch {
      if error.isNotFound { return true }
      throw error
    }
  }

  /// Makes a file and locks it, as far as there are locks. Where somebody took it for an abandoned one before that, it is
  /// made again: each process that begins does so once at most.
  func createLocked(_ path: String) throws(SystemError) -> FileDescriptor {
    while true {
      let file = try create(path)
      do throws(SystemError) {
        if try file.lockByte(at: 0), try file.status().linkCount > 0 { return file }
      } catch {
        guard error.saysLocksAreUnsupported else { throw error }
        return file
      }
      try FileSystem.remove(path)
    }
  }
}
