import BulkgetKit
import BulkgetSystem
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Trial {
  /// Leaves the first half of the file as an interrupted run of the program would.
  func prepareHalf(_ job: Job) throws {
    for file in job.files {
      if contender.tool == .bulkget {
        try interruptRun(job, of: file)
      } else {
        try copyHalf(of: file, to: job.path(of: file))
      }
    }
  }

  /// bulkget goes on only with what it can prove to be the same file, so a real run is killed in the middle.
  private func interruptRun(_ job: Job, of file: ServedFile) throws {
    var command = contender.tool.command(for: job)
    try write(command.lists)
    // Slow enough to be caught: it would take four seconds.
    command.arguments += ["--limit-rate", "\(max(1, file.byteCount / 4))"]
    let part = CacheLayout(directory: job.output).partialPath(of: file.cacheKey)
    let ended = try site.interruption.run(launch(command)) { child in
      let deadline = ContinuousClock.now + .seconds(60)
      while try FileSystem.status(of: part)?.size ?? 0 < file.byteCount / 2 {
        try site.interruption.check()
        guard !child.hasEnded, ContinuousClock.now < deadline else { break }
        usleep(1_000)
      }
      child.endGroup()
    }
    guard ended.termination == .signalled(SIGKILL) else {
      throw ToolError("could not be interrupted: \(ended)")
    }
  }

  private func copyHalf(of file: ServedFile, to path: String) throws {
    let source = try FileDescriptor.reading(
      "\(site.served.root)/\(scenario.files.name)/\(file.name)")
    let target = try FileDescriptor.creating(path, mode: 0o644)
    let half = file.byteCount / 2
    var offset: Int64 = 0
    while offset < half {
      let bytes = try source.read(count: Int(min(1 << 20, half - offset)), at: offset)
      try target.write(bytes)
      offset += Int64(bytes.count)
    }
  }
}
