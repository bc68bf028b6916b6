import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// What becomes of a run when somebody wants its end.
@Suite(.blocking) struct SignalCases {
  private static let half: Int64 = 2 << 20

  /// A server that sends the first half of each file and then waits.
  private static func heldSite(by gate: Gate) throws -> ProgramSite {
    let resource = Resource(.pseudoRandom(2 * half), etag: "\"1\"")
    return try ProgramSite(["*": [.file(resource) { $0.held(after: half, by: gate) }]])
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(CInt, CInt)])
  func B088_aSignalInTransferKeepsPartialsAndReportsEveryEntry(
    _ signal: CInt, _ status: CInt
  ) throws {
    let gate = try Gate()
    let site = try Self.heldSite(by: gate)
    try site.writeManifest(count: 500)
    let process = try site.start("run", "manifest.yaml", "-j", "8")
    try ProgramSite.poll("half of each file") {
      let sizes = try site.directory.contents().filter { $0.key.hasPrefix("cache/partial/") }
        .map(\.value.size)
      return sizes.count { $0 > Self.half / 2 } == 8
    }
    process.send(signal)
    let ended = try process.wait()
    #expect(ended.exitStatus == status, "\(ended)")
    #expect(ended.output.errorText.contains("ending: partial downloads are kept"))
    let report = try site.report()
    #expect(report.status == "cancelled" && report.exitStatus == Int(status))
    #expect(report.statuses == Array(repeating: "cancelled", count: 500))
    #expect(report.error?.code == "cancelled")
    #expect(try site.files(below: "cache/partial").count >= 8)
    #expect(try site.files(below: "cache/files").isEmpty)
    #expect(site.server.requests.count == 8)
  }

  @Test(arguments: [1, 9, 60, 300])
  func B088_whenMostAreQueuedEveryFileIsWholeOrCancelled(_ requestCount: Int) throws {
    let site = try ProgramSite(body: .pseudoRandom(10_000))
    try site.writeManifest(count: 500)
    let process = try site.start("run", "manifest.yaml", "-j", "8")
    try site.server.waitForRequests(requestCount)
    process.send(SIGINT)
    let ended = try process.wait()
    let report = try site.report()
    #expect(report.files?.count == 500)
    #expect(report.count("downloaded") + report.count("cancelled") == 500, "\(ended)")
    // The signal may come after the last file.
    #expect(ended.exitStatus == 130 || report.count("downloaded") == 500, "\(ended)")
    #expect(Int(ended.exitStatus ?? -1) == report.exitStatus)
    let expected = Body.pseudoRandom(10_000).bytes
    let cached = try site.files(below: "cache/files")
    #expect(cached.count >= report.count("downloaded"))
    for name in try cached + site.files(below: "out") {
      #expect(try site.directory.read(name) == expected)
    }
  }

  @Test func B088_aSignalInARetryWaitEndsTheWait() throws {
    let busy = Response(503, [Field("Retry-After", "3000")])
    let site = try ProgramSite(["*": [.respond(busy)]])
    try site.writeManifest(count: 6)
    let process = try site.start("run", "manifest.yaml", "-j", "2", "-v") {
      $0.environment["BULKGET_RETRY_WAIT_MAX"] = "1h"
    }
    try process.wait(for: "retry") { $0.errorText.contains("retry:") }
    process.send(SIGINT)
    let ended = try process.wait()
    #expect(ended.exitStatus == 130, "\(ended)")
    #expect(try site.report().statuses == Array(repeating: "cancelled", count: 6))
  }

  #if os(Linux)
    @Test func B088_aSignalBeforeTheFirstRequestReportsEveryEntry() throws {
      let gate = try Gate()
      let site = try Self.heldSite(by: gate)
      try site.writeManifest(count: 500)
      let process = try site.start("run", "manifest.yaml")
      try process.waitUntilSignalsAreCaught()
      process.send(SIGINT)
      let ended = try process.wait()
      #expect(ended.exitStatus == 130, "\(ended)")
      #expect(try site.report().statuses == Array(repeating: "cancelled", count: 500))
    }

    @Test func B088_aManifestThatNeverEndsIsNotWaitedFor() throws {
      let site = try ProgramSite()
      let process = try site.start("run", "-") {
        $0.terminal = TerminalSize()
        $0.input = .terminal
      }
      try process.waitUntilSignalsAreCaught()
      process.send(SIGTERM)
      let ended = try process.wait()
      #expect(ended.exitStatus == 143, "\(ended)")
      let report = try site.report()
      #expect(report.status == "cancelled" && report.files?.isEmpty == true)
    }

    /// Hashing the file to its end would take far longer than the test waits.
    @Test func B088_aSignalWhileALargeFileIsHashedIsObeyed() throws {
      let site = try ProgramSite()
      let size: Int64 = 1 << 40
      try site.writeManifest(
        ["big"], "size: \(size)", "sha256: \(String(repeating: "0", count: 64))")
      let path = try site.directory.write("", to: "out/big.bin")
      try FileDescriptor.updating(path).truncate(to: size)
      let process = try site.start("run", "manifest.yaml")
      try process.waitUntilOpen(path)
      process.send(SIGINT)
      let ended = try process.wait()
      #expect(ended.exitStatus == 130, "\(ended)")
      #expect(try site.report().statuses == ["cancelled"])
      #expect(site.server.requests.isEmpty)
    }
  #endif

  /// Nobody reads the pipe that the report goes to, so the first signal alone would not end the process.
  @Test(arguments: [SIGINT, SIGTERM])
  func B088_theSecondSignalEndsAtOnce(_ second: CInt) throws {
    let gate = try Gate()
    let site = try Self.heldSite(by: gate)
    try site.writeManifest(count: 3)
    try #require(mkfifo(site.directory.path("pipe"), 0o600) == 0)
    let process = try site.start("run", "manifest.yaml", "--report", "pipe")
    try site.server.waitForRequests(3)
    process.send(SIGINT)
    try process.wait(for: "the end of the downloads") { $0.errorText.contains("ending:") }
    try site.server.waitUntilIdle()
    process.send(second)
    let ended = try process.wait()
    #expect(ended.exitStatus == 128 + second, "\(ended)")
  }

  @Test func B088_aHangupThatIsIgnoredStaysIgnored() throws {
    let gate = try Gate()
    let site = try Self.heldSite(by: gate)
    try site.writeManifest(["a"])
    let process = try site.start("run", "manifest.yaml") { $0.prelude = "trap '' HUP" }
    try site.server.waitForRequests(1)
    process.send(SIGHUP)
    gate.open()
    let ended = try process.wait()
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(try site.directory.read("out/a.bin") == Body.pseudoRandom(2 * Self.half).bytes)
  }
}

#if os(Linux)
  extension ChildProcess {
    /// Waits until the process has a handler for SIGINT; before, the signal would end it.
    fileprivate func waitUntilSignalsAreCaught() throws {
      try ProgramSite.poll("handler of signals") {
        let status = try FileDescriptor.reading("/proc/\(id)/status").readAll(limit: 1 << 20) ?? []
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
          .first { $0.hasPrefix("SigCgt:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        // The last of the three that gets its handler is SIGTERM.
        return mask & 1 << UInt64(SIGTERM - 1) != 0
      }
    }

    /// Waits until the process has a file open.
    fileprivate func waitUntilOpen(_ path: String) throws {
      try ProgramSite.poll("open file \(path)") {
        let names = try FileSystem.names(in: "/proc/\(id)/fd") ?? []
        return names.contains { FileSystem.canonicalPath(of: "/proc/\(id)/fd/\($0)") == path }
      }
    }
  }
#endif
