import TestSupport
import Testing

/// A cache on a file system whose locks fail, as on NFS without its lock service.
@Suite(
  .blocking,
  .enabled(
    if: SystemCallTracer.obstacle == nil, Comment(rawValue: SystemCallTracer.obstacle ?? "")))
struct LocklessCases {
  private static let body = Body.pseudoRandom(50_000, seed: 31)

  /// The launch with every locking call on the cache's files failing.
  private func lockless(
    _ site: CaseSite, _ entries: [String], _ error: String = "ENOLCK"
  ) throws -> Launch {
    var options = ["-e", "trace=fcntl", "-e", "inject=fcntl:error=\(error)", "-o", "trace"]
    for name in ["cache/locks", "cache/index.sqlite"] {
      options += ["-P", site.directory.path(name)]
    }
    return try site.launch("run", entries).traced(options)
  }

  @Test(arguments: ["ENOLCK", "ENOSYS"])
  func B073_aCacheWithoutLocksWarnsAndWorks(_ error: String) throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let first = try site.run(lockless(site, [site.entry()], error))
    #expect(first.exitStatus == 0, "\(first)")
    #expect(try first.statuses == ["downloaded"])
    #expect(try first.report.warnings?.map(\.code) == ["locks-unsupported"])
    #expect(try site.holds(Self.body))
    #expect(String(decoding: try site.directory.read("trace"), as: UTF8.self).contains(error))

    let second = try site.run(lockless(site, [site.entry(), site.entry("b")], error))
    #expect(second.exitStatus == 0, "\(second)")
    #expect(try second.statuses == ["cached", "downloaded"])
    // Whoever has locks goes on with what was left.
    let third = try site.run(site.entry(), site.entry("b"), site.entry("c"))
    #expect(third.exitStatus == 0, "\(third)")
    #expect(try third.statuses == ["cached", "cached", "downloaded"])
    #expect(try site.files(below: "cache").filter { $0.contains(".new-") }.isEmpty)
  }

  @Test func B073_processesWithoutLocksLoseAtMostRecords() throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let entries = (0..<40).map { site.entry("e\($0)") }
    // The cache has to be there for its files to have paths.
    #expect(try site.run(lockless(site, [])).exitStatus == 0)
    let processes = try (0..<4).map { number in
      var launch = try lockless(site, entries)
      launch.arguments = launch.arguments.map { $0 == "report.json" ? "report\(number).json" : $0 }
      return try ChildProcess(launch)
    }
    for process in processes {
      let ended = try process.wait()
      #expect(ended.exitStatus == 0, "\(ended)")
    }
    for number in 0..<40 { #expect(try site.holds(Self.body, at: "out/e\(number).bin")) }
    let last = try site.run(site.launch("run", entries))
    #expect(last.exitStatus == 0, "\(last)")
    #expect(try site.run(site.launch("verify", entries)).exitStatus == 0)
  }
}
