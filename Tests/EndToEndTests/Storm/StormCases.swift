import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Many files through everything that networks do, all at once.
@Suite(.blocking) struct StormCases {
  private static let options = ["--stall-timeout", "0.5", "--retry-wait-max", "1"]

  /// The numbers of the files that are not exactly what the server last sent as theirs.
  private func wrongFiles(of storm: Storm, in site: NetworkSite) throws -> [Int] {
    let versions = storm.sky.versions
    return try storm.files.filter { file in
      let body = file.body(versions[file.number, default: 0])
      return try site.placed("\(file.number).bin") != body.bytes
    }.map(\.number)
  }

  /// The numbers of the files that are there and are not one version whole.
  private func mixedFiles(of storm: Storm, in site: NetworkSite) throws -> [Int] {
    let versions = storm.sky.versions
    return try storm.files.filter { file in
      guard let bytes = try site.placed("\(file.number).bin") else { return false }
      return !(0...versions[file.number, default: 0]).contains { file.body($0).bytes == bytes }
    }.map(\.number)
  }

  @Test func everyFileComesThroughAStorm() throws {
    let storm = try Storm(seed: 7)
    let site = try NetworkSite()
    let run = try site.run(storm.manifest, Self.options)
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.report.files.allSatisfy { $0.status == "downloaded" })
    #expect(try wrongFiles(of: storm, in: site) == [])
    #expect(try site.files(below: "cache/partial") == [])

    let sky = storm.sky
    // The storm was one.
    #expect(Weather.allCases.allSatisfy { sky.weather[$0, default: 0] >= 20 }, "\(sky.weather)")
    #expect(sky.resumptionCount >= 5)
    #expect(sky.otherPartCount > 0)
    #expect(try run.report.files.contains { $0.resumedBytes > 0 })
    // Each file is asked for once, and once more for each answer that didn't bring it.
    #expect(sky.requestCount <= storm.justifiedCount())
  }

  @Test func everyFileComesThroughAStormAndTenKills() throws {
    let (jobs, killCount) = (4, 10)
    let storm = try Storm(seed: 11)
    let site = try NetworkSite()
    let launch = try site.launch(storm.manifest, ["-j", "\(jobs)"] + Self.options)
    var generator = SeededGenerator(seed: 11)
    for round in 0..<killCount {
      let before = storm.sky
      storm.beginProcess()
      let process = try ChildProcess(launch)
      // All of them together ask for fewer requests than there are files, so that none comes to its end before.
      try storm.wait(forRequests: 20 + generator.draw(20), since: before)
      try wait(for: "a part that is worth keeping") {
        try site.files(below: "cache/partial").contains {
          try (FileSystem.status(of: site.directory.path("cache/partial/\($0)"))?.size ?? 0)
            > 1_100_000
        }
      }
      process.send(SIGKILL)
      #expect(try process.wait().exitStatus == nil)
      // What the dead process has asked for must not come among the requests of the next one.
      try storm.waitUntilIdle()
      #expect(try mixedFiles(of: storm, in: site) == [], "round \(round)")
    }
    storm.beginProcess()
    let run = try site.finished(ChildProcess.run(site.launch(storm.manifest, Self.options)))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try wrongFiles(of: storm, in: site) == [])
    #expect(try site.files(below: "cache/partial") == [])

    let sky = storm.sky
    // That it happens is the claim. How often depends on which files the next process comes to before it is killed.
    #expect(sky.inheritedCount > 0)
    // A kill loses what is under way, at most one file for each job. Files that were complete are not fetched again where
    // a digest tells what they are; of the others the index has to know, and it is written in batches.
    let requestCount = storm.files.filter(\.hasDigest).map {
      sky.requestCounts[$0.number, default: 0]
    }.reduce(0, +)
    #expect(requestCount <= storm.justifiedCount(where: \.hasDigest) + killCount * jobs)
  }
}
