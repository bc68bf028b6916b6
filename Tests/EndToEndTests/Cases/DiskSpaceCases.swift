import BulkgetSystem
import TestSupport
import Testing

/// Disks that are full before a run or become so in it.
@Suite(
  .blocking,
  .enabled(
    if: SmallFileSystem.obstacle == nil, Comment(rawValue: SmallFileSystem.obstacle ?? "")))
struct DiskSpaceCases {
  private static let count = 10
  private static let body = Body.pseudoRandom(256 * 1024)
  /// What the cache holds when all is there, and its index and locks with it.
  private static let kibibytes = count * 256 + 160

  private func ids() -> [String] { (0..<Self.count).map { "f\($0)" } }

  @Test func aPlanThatHasNoRoomAsksNobody() throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 1024)
    let entries = ids().map { site.entry($0, "size: \(256 * 1024)") }
    let run = try site.run(site.launch("run", entries, cache: "disk/cache"))
    withExtendedLifetime(disk) {
      #expect(run.exitStatus == 4, "\(run)")
      #expect(run.errorText.contains("the plan needs 2621440 bytes"), "\(run)")
    }
    #expect(try run.report.error?.code == "disk-full")
    #expect(try run.statuses == Array(repeating: "cancelled", count: Self.count))
    #expect(site.server.requests.isEmpty)
  }

  @Test func theOutputDirectorysDiskCountsToo() throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 1024)
    let entries = ids().map { site.entry($0, "size: \(256 * 1024)") }
    let run = try site.run(site.launch("run", entries, output: "disk/out"))
    withExtendedLifetime(disk) { #expect(run.exitStatus == 4, "\(run)") }
    #expect(run.errorText.contains("another directory with `--out`"))
    #expect(site.server.requests.isEmpty)
  }

  /// Without sizes in the manifest nobody can tell beforehand.
  @Test(arguments: 1...9)
  func aDiskThatBecomesFullEndsTheRunAndLosesNothing(tenths: Int) throws {
    let site = try CaseSite(["*": [.file(Resource(Self.body, etag: "\"1\""))]])
    let disk = try SmallFileSystem(
      at: site.directory.path("disk"), kibibytes: Self.kibibytes * tenths / 10)
    let entries = ids().map { site.entry($0) }
    let full = try site.run(site.launch("run", entries, ["-j", "2"], cache: "disk/cache"))
    #expect(full.exitStatus == 4, "\(full)")
    #expect(full.errorText.contains("No space left on device"), "\(full)")
    if let report = full.decoded {
      #expect(report.error?.code == "disk-full")
      let statuses = Set(report.files.compactMap(\.status))
      #expect(statuses.isSubset(of: ["downloaded", "failed", "cancelled"]))
    }
    for name in try site.files(below: "disk/cache/files") {
      #expect(try site.holds(Self.body, at: name))
    }
    for name in try site.files(below: "out") { #expect(try site.holds(Self.body, at: name)) }

    try disk.resize(kibibytes: Self.kibibytes * 2)
    let whole = try site.run(site.launch("run", entries, cache: "disk/cache"))
    #expect(whole.exitStatus == 0, "\(whole)")
    for id in ids() { #expect(try site.holds(Self.body, at: "out/\(id).bin")) }
    #expect(try site.files(below: "disk/cache/partial").isEmpty)
  }
}
