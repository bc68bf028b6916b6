import BulkgetSystem
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where something was measured.
struct Machine: Codable, Sendable {
  let processor: String
  let coreCount: Int
  /// In bytes.
  let memory: Int64
  /// The system's kernel and its release.
  let kernel: String
  /// The type of the file system that everything was written to.
  let fileSystem: String

  /// This machine, with the file system of a directory.
  init(workingIn directory: String) throws {
    processor = try Self.processorName()
    coreCount = Self.coreCount
    memory = Int64(sysconf(CInt(_SC_PHYS_PAGES))) * Int64(sysconf(CInt(_SC_PAGESIZE)))
    kernel = try Self.lastLine(of: Launch("uname", ["-s", "-r"]))
    fileSystem = try Self.lastLine(of: Launch("df", ["--output=fstype", directory]))
  }

  static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  private static func processorName() throws -> String {
    guard let file = try? FileDescriptor.reading("/proc/cpuinfo"),
      let bytes = try file.readAll(limit: 1 << 22)
    else { return "unknown processor" }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("model name") }
    return line?.split(separator: ": ").dropFirst().joined(separator: ": ") ?? "unknown processor"
  }

  /// The last line of what a tool of the system says.
  private static func lastLine(of launch: Launch) throws -> String {
    let ended = try ChildProcess.run(launch)
    let line = ended.output.text.split(separator: "\n").last
    return ended.exitStatus == 0 ? line.map(String.init) ?? "unknown" : "unknown"
  }

  /// All of it in a line.
  var summary: String {
    let gibibytes = (Double(memory) / Double(1 << 30)).decimal(places: 1)
    return "\(coreCount) cores (\(processor)), \(gibibytes) GiB of memory, \(kernel), \(fileSystem)"
  }
}
