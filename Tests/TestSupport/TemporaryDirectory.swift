package import BulkgetSystem
import Foundation

/// A fresh directory that goes with its last owner, whatever lies in it and whatever its permissions are.
package final class TemporaryDirectory: Sendable {
  /// Absolute, with symbolic links resolved.
  package let path: String

  /// Makes one in `parent`, which must be there; by default where the system has temporary files.
  package init(in parent: String = NSTemporaryDirectory()) throws {
    let parent = FileSystem.canonicalPath(of: parent) ?? parent
    path = "\(parent)/bulkget-test-\(UUID().uuidString)"
    try FileSystem.makeDirectories(path)
  }

  deinit {
    do { try Self.removeTree(path) } catch { print("\(error)") }
  }

  /// The path of something in it.
  package func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file, making its parents.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path(name)
    try FileSystem.makeDirectories(FileSystem.parentDirectory(of: path))
    try FileSystem.remove(path)
    try FileDescriptor.creating(path, mode: 0o666).write(bytes)
    return path
  }

  /// Writes a file, making its parents.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// A file's bytes.
  package func read(_ name: String) throws -> [UInt8] {
    try FileDescriptor.reading(path(name)).readAll(limit: .max) ?? []
  }

  /// Everything below, by relative path: equal before and after means that nothing was touched.
  package func contents() throws -> [String: FileStatus] {
    var found: [String: FileStatus] = [:]
    try Self.collect(path, "", into: &found)
    return found
  }

  private static func collect(
    _ directory: String, _ prefix: String, into found: inout [String: FileStatus]
  ) throws {
    for name in try FileSystem.names(in: directory) ?? [] {
      let path = directory + "/" + name
      guard let status = try FileSystem.status(of: path) else { continue }
      found[prefix + name] = status
      if status.kind == .directory { try collect(path, prefix + name + "/", into: &found) }
    }
  }

  private static func removeTree(_ path: String) throws {
    guard try FileSystem.status(of: path)?.kind == .directory else {
      return try FileSystem.remove(path)
    }
    try FileSystem.setPermissions(0o700, of: path)
    for name in try FileSystem.names(in: path) ?? [] { try removeTree(path + "/" + name) }
    try FileSystem.removeDirectory(path)
  }
}
