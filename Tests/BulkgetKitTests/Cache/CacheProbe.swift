import BulkgetSystem
import Foundation
import Glibc

/// Runs `cache-probe`: the cache in a process of its own.
struct CacheProbe {
  /// What to run the process with.
  var umask = "022"
  /// 0 for this process's own.
  var user = 0

  /// A number that no account has, and that owns nothing.
  static let nobody = 65_534

  /// The probe's output and exit status, once it has ended.
  func run(_ command: String, _ arguments: String...) throws -> (output: String, status: Int32) {
    let process = Process()
    let output = Pipe()
    try start(process, command, arguments, output)
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  /// Begins a download, and comes back when it holds its lock.
  func hold(_ directory: String, _ id: String, _ text: String) throws -> Holder {
    let process = Process()
    let output = Pipe()
    let input = Pipe()
    process.standardInput = input
    try start(process, "hold", [directory, id, text], output)
    let said = output.fileHandleForReading.availableData
    return Holder(process: process, input: input, said: String(decoding: said, as: UTF8.self))
  }

  /// Starts a process and kills it, as `kill -9` does, once it has written `byteCount` bytes.
  func kill(_ command: String, _ arguments: String..., after byteCount: Int) throws {
    let process = Process()
    let output = Pipe()
    try start(process, command, arguments, output)
    var count = 0
    while count < byteCount {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      count += data.count
    }
    _ = Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A process that has a lock.
  struct Holder {
    let process: Process
    let input: Pipe
    let said: String

    /// Kills it, as `kill -9` does, and waits until it is gone.
    func kill() {
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Starts many at once and waits for all of them.
  func runAll(_ commands: [[String]]) throws -> [Int32] {
    let processes = try commands.map { arguments in
      let process = Process()
      try start(process, arguments[0], Array(arguments[1...]), Pipe())
      return process
    }
    return processes.map { process in
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func start(
    _ process: Process, _ command: String, _ arguments: [String], _ output: Pipe
  ) throws {
    let own = FileSystem.canonicalPath(of: "/proc/self/exe") ?? CommandLine.arguments[0]
    let path = FileSystem.parentDirectory(of: own) + "/cache-probe"
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [umask, String(user), command] + arguments
    process.standardOutput = output
    try process.run()
  }
}
