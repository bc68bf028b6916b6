import Foundation
import TestSupport
import Testing

/// Whenever the process dies, nothing is taken for complete that isn't, and the next run ends well.
@Suite struct KillCases {
  private static let bodies = (0..<6).map {
    Body.pseudoRandom(Int64(50_000 + $0 * 350_000), seed: UInt64($0))
  }
  /// Made once: 200 kills look at them often.
  private static let contents = bodies.map(\.bytes)
  private static let old = Body.text("old")
  private static let (laneCount, killsPerLane) = (8, 25)

  /// 200 kills in lanes that have nothing in common, each on a thread of its own.
  @Test func B086_killedAtAnyMoment() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<Self.laneCount {
        group.addTask {
          try await onThread {
            let site = try Self.site()
            var generator = SeededGenerator(seed: UInt64(lane))
            for kill in 0..<Self.killsPerLane {
              try Self.kill(
                after: UInt32(generator.draw(500_000)), site, "lane \(lane), kill \(kill)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The largest file takes about as long as the latest kill lets it have.
  private static func site() throws -> CaseSite {
    try CaseSite([
      "*": [
        .compute { request in
          let number = Int(request.path.dropFirst().dropLast(4)) ?? 0
          return Resource(bodies[number], etag: "\"\(number)\"").response(to: request)
            .dripping(131_072, every: .milliseconds(30))
        }
      ]
    ])
  }

  /// Starts anew in an empty cache, with half of the destinations taken by older files.
  private static func kill(after microseconds: UInt32, _ site: CaseSite, _ name: String) throws {
    for directory in ["cache", "out"] where try site.exists(directory) {
      try FileManager.default.removeItem(atPath: site.directory.path(directory))
    }
    for number in bodies.indices where number % 2 == 1 {
      try site.directory.write(old.bytes, to: "out/\(number).bin")
    }
    let launch = try site.launch("run", bodies.indices.map { site.entry("\($0)") })
    let process = try ChildProcess(launch)
    usleep(microseconds)
    process.send(SIGKILL)
    _ = try process.wait()

    for number in bodies.indices {
      let before = number % 2 == 1 ? old.bytes : nil
      let bytes =
        try site.exists("out/\(number).bin") ? site.directory.read("out/\(number).bin") : nil
      #expect(bytes == before || bytes == contents[number], "\(name), file \(number)")
    }
    for file in try site.files(below: "cache/files") {
      #expect(try contents.contains(site.directory.read(file)), "\(name), \(file)")
    }
    let run = try site.run(launch)
    #expect(run.exitStatus == 0, "\(name): \(run)")
    for number in bodies.indices {
      #expect(
        try site.directory.read("out/\(number).bin") == contents[number], "\(name), file \(number)")
    }
  }
}
