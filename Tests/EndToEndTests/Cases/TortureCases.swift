import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// Many processes on one cache, killed and started again: nothing is wrong, lost, or fetched without need.
@Suite struct TortureCases {
  private static let (fileCount, processCount, killCount, jobs) = (300, 8, 50, 4)

  private static let bodies = (0..<fileCount).map {
    Body.pseudoRandom(Int64(1_000 + $0 * 700), seed: UInt64($0))
  }

  private static func site() throws -> CaseSite {
    try CaseSite([
      "*": [
        .compute { request in
          let number = Int(request.path.dropFirst().dropLast(4)) ?? 0
          return Resource(bodies[number], etag: "\"\(number)\"").response(to: request)
            .delayed(by: .milliseconds(5))
        }
      ]
    ])
  }

  /// Each process has a manifest and an output directory of its own, and two thirds of the files.
  private static func launches(_ site: CaseSite, _ generator: inout SeededGenerator) throws
    -> [(launch: Launch, numbers: [Int])]
  {
    try (0..<processCount).map { process in
      let numbers = (0..<fileCount).filter { _ in generator.draw(3) > 0 }
        .sorted { mixed($0, process) < mixed($1, process) }
      var launch = try site.launch(
        "run", numbers.map { site.entry("\($0)", bodies[$0].sha256) },
        ["-j", "\(jobs)", "--report", "report\(process).json"], output: "out\(process)")
      try FileSystem.rename(
        site.directory.path("manifest.yaml"), to: site.directory.path("m\(process).yaml"))
      launch.arguments[1] = "m\(process).yaml"
      return (launch, numbers)
    }
  }

  private static func mixed(_ number: Int, _ process: Int) -> UInt64 {
    var generator = SeededGenerator(seed: UInt64(number * processCount + process))
    return generator.next()
  }

  @Test func eightProcessesOnOneCacheAreKilledFiftyTimes() async throws {
    try await onThread {
      var generator = SeededGenerator(seed: 4)
      let site = try Self.site()
      let launches = try Self.launches(site, &generator)
      var processes = try launches.map { try ChildProcess($0.launch) }
      for _ in 0..<Self.killCount {
        // Some requests more, or the end of the work: then the kill hits a process that has little to do.
        let before = site.server.requests.count
        let more = generator.draw(9)
        try wait(for: "more requests") {
          site.server.requests.count >= min(before + more, Self.fileCount)
        }
        let victim = generator.draw(Self.processCount)
        processes[victim].send(SIGKILL)
        _ = try processes[victim].wait()
        processes[victim] = try ChildProcess(launches[victim].launch)
      }
      for process in processes {
        let ended = try process.wait()
        #expect(ended.exitStatus == 0, "\(ended)")
      }
      try Self.expectAllRight(site, launches.map(\.numbers))
    }
  }

  private static func expectAllRight(_ site: CaseSite, _ numbers: [[Int]]) throws {
    for (process, numbers) in numbers.enumerated() {
      for number in numbers {
        #expect(
          try site.holds(bodies[number], at: "out\(process)/\(number).bin"), "\(process) \(number)")
      }
    }
    // A kill loses what its process had under way, and nothing that was complete.
    #expect(site.server.requests.count <= fileCount + killCount * jobs)
    let verified = try ChildProcess.run(
      Launch(try BuiltProducts.path(of: "bulkget"), ["verify", "--cache", "cache"]).with {
        $0.workingDirectory = site.directory.path
      })
    #expect(verified.exitStatus == 0, "\(verified)")
    #expect(try site.files(below: "cache/partial") == [])
    let leftovers = try site.directory.contents().keys.filter {
      $0.contains(".bulkget-") || $0.contains(".displaced") || $0.hasSuffix(".tmp")
    }
    #expect(leftovers == [])
  }
}
