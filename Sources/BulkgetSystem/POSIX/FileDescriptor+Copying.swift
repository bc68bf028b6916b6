#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Copies of whole files.
extension FileDescriptor {
  /// Makes this empty file share the blocks of `source`, copied on write. Fails where the file system can't.
  /// The corresponding C call is `ioctl(FICLONE)`.
  package func clone(_ source: FileDescriptor) throws(SystemError) {
    #if canImport(Darwin)
      throw SystemError("clone into", path, code: ENOTSUP)
    #else
      try systemCall("clone into", path) { ioctl(rawValue, cloneRequest, source.rawValue) }
    #endif
  }

  /// Appends what `source` holds from its position on, inside the kernel where it can. Gives the number of bytes.
  @discardableResult
  package func copy(_ source: FileDescriptor) throws(SystemError) -> Int64 {
    var total: Int64 = 0
    #if !canImport(Darwin)
      do throws(SystemError) {
        while true {
          let count = try systemCall("copy into", path) {
            sendfile(rawValue, source.rawValue, nil, 1 << 30)
          }
          if count == 0 { break }
          total += Int64(count)
        }
      } catch  where total == 0 && cannotCopyInKernel.contains(error.code) {
        return try copyThroughMemory(source)
      }
      return total
    #else
      return try copyThroughMemory(source)
    #endif
  }

  private func copyThroughMemory(_ source: FileDescriptor) throws(SystemError) -> Int64 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var total: Int64 = 0
    while true {
      let count = try source.read(into: buffer)
      if count == 0 { return total }
      try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += Int64(count)
    }
  }
}

/// FICLONE, `_IOW(0x94, 9, int)`, a macro that Swift can't import.
private let cloneRequest: UInt = 0x4004_9409

private let cannotCopyInKernel = [EINVAL, ENOSYS, EOPNOTSUPP]
