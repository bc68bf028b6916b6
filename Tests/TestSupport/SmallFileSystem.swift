import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file system in memory of a given size, mounted for as long as this lives. Needs root, and a kernel that lets root mount.
package final class SmallFileSystem: Sendable {
  /// Where it is mounted.
  package let path: String

  /// Why there can't be one here; nil where there can.
  package static let obstacle: String? = {
    guard geteuid() == 0 else { return "only root may mount a small file system" }
    do {
      let directory = try TemporaryDirectory()
      _ = try SmallFileSystem(at: directory.path("probe"), kibibytes: 64)
      return nil
    } catch {
      return "a small file system can't be mounted here: \(error)"
    }
  }()

  /// Mounts one on a new directory.
  package init(at path: String, kibibytes: Int) throws {
    self.path = path
    try FileSystem.makeDirectories(path)
    try Self.mount("-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=777", "tmpfs", path)
  }

  /// Lets nobody write in it any more, root included.
  package func makeReadOnly() throws {
    try Self.mount("-o", "remount,ro", path)
  }

  deinit {
    do { try Self.run("umount", ["-l", path]) } catch { print("\(error)") }
  }

  /// Gives it another size; what is in it stays.
  package func resize(kibibytes: Int) throws {
    try Self.mount("-o", "remount,size=\(kibibytes)k", path)
  }

  private static func mount(_ words: String...) throws { try run("mount", words) }

  private static func run(_ tool: String, _ words: [String]) throws {
    let ended = try ChildProcess.run(Launch("/bin/\(tool)", words))
    guard ended.exitStatus == 0 else { throw ToolError("`\(tool)` failed: \(ended)") }
  }
}
