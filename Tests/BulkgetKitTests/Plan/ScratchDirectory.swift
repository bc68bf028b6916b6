import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A fresh directory, removed with everything in it at the end of a test.
final class ScratchDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/bulkget-plan.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SystemError("create a directory in", "/tmp", code: errno)
    }
    path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  }

  deinit {
    // What can't be removed is in the way of nobody: the next directory has another name.
    try? Self.remove(path)
  }

  /// Makes a file and its parents, and gives its path.
  @discardableResult
  func write(_ name: String, _ text: String = "", mode: mode_t = 0o644) throws -> String {
    let file = "\(path)/\(name)"
    try FileSystem.makeDirectories(FileSystem.parentDirectory(of: file))
    let descriptor = try FileDescriptor(opening: file, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    try descriptor.write(Array(text.utf8))
    try descriptor.setPermissions(mode)
    return file
  }

  func makeDirectory(_ name: String) throws {
    try FileSystem.makeDirectories("\(path)/\(name)")
  }

  func read(_ name: String) throws -> String {
    let descriptor = try FileDescriptor(opening: "\(path)/\(name)", O_RDONLY)
    return String(decoding: try descriptor.readAll(limit: 1 << 24) ?? [], as: UTF8.self)
  }

  private static func remove(_ path: String) throws(SystemError) {
    guard try FileSystem.status(of: path)?.kind == .directory else {
      return try FileSystem.remove(path)
    }
    for name in try FileSystem.names(in: path) ?? [] { try remove("\(path)/\(name)") }
    try FileSystem.removeDirectory(path)
  }
}
