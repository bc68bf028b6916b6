import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// What the system refuses in a run: each refusal has its code, and the message says what to do.
@Suite(.blocking) struct RefusalCases {
  private static let body = Body.pseudoRandom(300_000)

  private func site() throws -> CaseSite {
    try CaseSite(["/a.bin": [.file(Resource(Self.body))], "*": [.file(Resource("x"))]])
  }

  @Test func aFileLargerThanTheLimitFailsAlone() throws {
    let site = try site()
    let launch = try site.launch("run", [site.entry("a"), site.entry("b")]).with {
      $0.prelude = "ulimit -f 200"
    }
    let run = try site.run(launch)
    #expect(run.exitStatus == 1, "\(run)")
    let error = try #require(try run.file("a").error)
    #expect(error.code == "io" && error.message.contains("`ulimit -f`"), "\(run)")
    #expect(try run.file("a").tries.count == 1)
    #expect(try run.file("b").status == "downloaded")
    #expect(try site.files(below: "out") == ["out/b.bin"])
  }
}

/// What only root can set up.
@Suite(
  .blocking,
  .enabled(
    if: SmallFileSystem.obstacle == nil, Comment(rawValue: SmallFileSystem.obstacle ?? "")))
struct FileSystemRefusalCases {
  private static let body = Body.pseudoRandom(300_000)

  private func site() throws -> CaseSite { try CaseSite(["*": [.file(Resource(Self.body))]]) }

  @Test func anOutputDirectoryOnAReadOnlyDiskIsFoundBeforeAnyRequest() throws {
    let site = try site()
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 64)
    try disk.makeReadOnly()
    let run = try site.run(site.launch("run", [site.entry()], output: "disk/out"))
    withExtendedLifetime(disk) { #expect(run.exitStatus == 1, "\(run)") }
    let error = try #require(try run.file.error)
    #expect(error.code == "permission-denied" && error.message.contains("`--out`"), "\(run)")
    #expect(site.server.requests.isEmpty)
  }

  @Test func aCacheOnAReadOnlyDiskServesWhatItHas() throws {
    let site = try site()
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 2048)
    #expect(try site.run(site.entry(), cache: "disk/cache").exitStatus == 0)
    try disk.makeReadOnly()
    try FileSystem.remove(site.directory.path("out/a.bin"))
    let run = try site.run(site.entry(), site.entry("b"), cache: "disk/cache")
    withExtendedLifetime(disk) { #expect(run.exitStatus == 1, "\(run)") }
    #expect(try run.file("a").status == "cached")
    #expect(try run.file("b").error?.code == "cache-unwritable", "\(run)")
    #expect(try site.holds(Self.body))
  }

  @Test func aDiskThatIsFullWhenAFileIsPlacedEndsTheRun() throws {
    let site = try site()
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 200)
    let run = try site.run(site.launch("run", [site.entry()], output: "disk/out"))
    #expect(run.exitStatus == 4, "\(run)")
    let error = try #require(try run.file.error)
    #expect(error.code == "disk-full" && error.message.contains("`--out`"), "\(run)")
    #expect(try site.files(below: "disk/out").isEmpty)
    withExtendedLifetime(disk) {}
  }

  @Test func aCacheOnTwoDisksIsToldWhatIsWrong() throws {
    let site = try site()
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 2048)
    try FileSystem.makeDirectories(site.directory.path("cache"))
    try FileSystem.makeDirectories(site.directory.path("disk/files"))
    try FileSystem.makeSymbolicLink(
      site.directory.path("cache/files"), to: site.directory.path("disk/files"))
    let run = try site.run(site.entry())
    withExtendedLifetime(disk) { #expect(run.exitStatus == 1, "\(run)") }
    let error = try #require(try run.file.error)
    #expect(error.code == "io" && error.message.contains("one file system"), "\(run)")
  }
}
