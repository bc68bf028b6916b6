import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// The ways in which files are placed, and what killed processes leave of them.
@Suite(.blocking) struct LinkCases {
  private static let body = Body.pseudoRandom(300_000)

  private func site() throws -> CaseSite { try CaseSite(["*": [.file(Resource(Self.body))]]) }

  private func run(_ site: CaseSite, _ mode: String, _ entries: String...) throws -> CaseRun {
    try site.run(
      site.launch("run", entries.isEmpty ? [site.entry()] : entries, ["--link", mode]))
  }

  private func status(_ site: CaseSite, _ name: String = "out/a.bin") throws -> FileStatus {
    try #require(try FileSystem.status(of: site.directory.path(name)))
  }

  private func cached(_ site: CaseSite) throws -> String {
    try #require(try site.files(below: "cache/files").first)
  }

  @Test(arguments: ["auto", "copy", "hardlink", "symlink"])
  func everyModePlacesTheFileAndIsThenContent(mode: String) throws {
    let site = try site()
    let first = try run(site, mode)
    #expect(first.exitStatus == 0, "\(first)")
    #expect(try site.holds(Self.body))
    let (placed, cached) = (try status(site), try status(site, cached(site)))
    #expect((placed.inode == cached.inode) == (mode == "hardlink"))
    #expect((placed.kind == .symbolicLink) == (mode == "symlink"))
    if placed.kind == .file { #expect(placed.modificationTime == cached.modificationTime) }
    #expect((placed.permissions & 0o200 == 0) == (mode == "hardlink"))
    #expect(try site.plan(site.entry(), options: ["--link", mode, "--check"]).exitStatus == 0)
    let verified = try ChildProcess.run(
      site.launch("verify", [site.entry()], ["--link", mode]))
    #expect(verified.exitStatus == 0 && verified.output.text.contains("2 right"), "\(verified)")
  }

  @Test(arguments: ["copy", "hardlink", "symlink"])
  func anotherModePlacesAnew(mode: String) throws {
    for other in ["copy", "hardlink", "symlink"] where other != mode {
      let site = try site()
      #expect(try run(site, other).exitStatus == 0)
      let plan = try site.plan(site.entry(), options: ["--link", mode])
      #expect(try plan.file.reason == "destination-differs", "\(other) \(mode)")
      #expect(try run(site, mode).exitStatus == 0)
      #expect(try site.plan(site.entry(), options: ["--link", mode, "--check"]).exitStatus == 0)
      #expect(site.server.requests.count == 1)
    }
  }

  @Test func B037_aCachedFileChangedThroughAHardLinkIsDamaged() throws {
    let site = try site()
    let entry = site.entry("a", Self.body.sha256)
    #expect(try run(site, "hardlink", entry).exitStatus == 0)
    try site.overwrite("out/a.bin", [0xFF, 0xFE], at: 77)
    let again = try run(site, "hardlink", entry)
    #expect(again.exitStatus == 0, "\(again)")
    #expect(try again.file.warningCodes.contains("damaged"), "\(again)")
    #expect(try site.holds(Self.body) && site.server.requests.count == 2)
  }

  @Test(arguments: ["hardlink", "symlink"])
  func whatIsExecutableIsCopied(mode: String) throws {
    let site = try site()
    #expect(try run(site, mode, site.entry("a", "executable: true")).exitStatus == 0)
    let placed = try status(site)
    #expect(placed.kind == .file && placed.linkCount == 1 && placed.permissions & 0o100 != 0)
  }

  @Test(
    .enabled(
      if: SmallFileSystem.obstacle == nil, Comment(rawValue: SmallFileSystem.obstacle ?? "")),
    arguments: ["hardlink", "reflink"])
  func whatTheFileSystemsCannotDoIsSaidWithTheWayOut(mode: String) throws {
    let site = try site()
    let disk = try SmallFileSystem(at: site.directory.path("disk"), kibibytes: 4096)
    let run = try site.run(
      site.launch("run", [site.entry()], ["--link", mode], output: "disk/out"))
    #expect(run.exitStatus == 1, "\(run)")
    #expect(try run.file.error?.code == "io")
    #expect(try run.file.error?.message.contains("--link copy") == true, "\(run)")
    withExtendedLifetime(disk) {}
  }

  // MARK: Leftovers

  @Test func whatAKilledRunLeftAtADestinationIsRemoved() throws {
    let site = try site()
    try site.directory.write("half", to: "out/.bulkget-dead")
    try FileSystem.makeSymbolicLink(site.directory.path("out/.bulkget-link"), to: "nowhere")
    try site.directory.write("mine", to: "out/.bulkgetrc")
    try site.directory.write("busy", to: "out/.bulkget-alive")
    let alive = try FileDescriptor.updating(site.directory.path("out/.bulkget-alive"))
    #expect(try alive.lockByte(at: 0))
    #expect(try run(site, "auto").exitStatus == 0)
    let names = try site.files(below: "out")
    withExtendedLifetime(alive) {
      #expect(names == ["out/.bulkget-alive", "out/.bulkgetrc", "out/a.bin"])
    }
  }

  @Test(
    .enabled(if: OrdinaryUser.obstacle == nil, Comment(rawValue: OrdinaryUser.obstacle ?? "")))
  func whatCannotBeLookedAtMayBeInUse() throws {
    let site = try site()
    try site.directory.write("another user's", to: "out/.bulkget-other")
    try FileSystem.setPermissions(0, of: site.directory.path("out/.bulkget-other"))
    try FileSystem.setPermissions(0o777, of: site.directory.path("out"))
    let run = try site.run(site.openedToAll(site.launch("run", [site.entry()])))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.files(below: "out") == ["out/.bulkget-other", "out/a.bin"])
  }

  @Test func whatAKilledRunLeftInTheCacheIsRemoved() throws {
    let site = try site()
    #expect(try run(site, "auto").exitStatus == 0)
    let partials = "cache/partial/0123456789abcdef0123456789abcdef"
    for ending in [".dead", ".alive", "", ".json"] {
      try site.directory.write("half", to: partials + ending)
    }
    let alive = try FileDescriptor.updating(site.directory.path(partials + ".alive"))
    #expect(try alive.lockByte(at: 0))
    #expect(try run(site, "auto").exitStatus == 0)
    let names = try site.files(below: "cache/partial")
    withExtendedLifetime(alive) {
      #expect(names == ["", ".alive", ".json"].map { partials + $0 })
    }
  }

  // MARK: Ways that lead elsewhere

  @Test func aParentThatBecomesALinkDuringTheRunLeadsNowhere() throws {
    let gate = try Gate()
    let site = try CaseSite([
      "/a.bin": [.respond(Response(200, body: Self.body).held(by: gate))]
    ])
    try FileSystem.makeDirectories(site.directory.path("out/sub"))
    try FileSystem.makeDirectories(site.directory.path("elsewhere"))
    let process = try ChildProcess(site.launch("run", [site.entry("a", dest: "sub/a.bin")]))
    _ = try site.server.waitForRequests(1)
    try FileSystem.removeDirectory(site.directory.path("out/sub"))
    try FileSystem.makeSymbolicLink(
      site.directory.path("out/sub"), to: site.directory.path("elsewhere"))
    gate.open()
    let run = try site.ended(process.wait())
    #expect(run.exitStatus == 1, "\(run)")
    #expect(try run.file.error?.code == "destination-conflict", "\(run)")
    #expect(try site.files(below: "elsewhere").isEmpty)
  }

  @Test func aLinkInsideTheOutputDirectoryIsFollowed() throws {
    let site = try site()
    try FileSystem.makeDirectories(site.directory.path("out/real/deep"))
    try FileSystem.makeSymbolicLink(site.directory.path("out/alias"), to: "real")
    let run = try site.run(site.entry("a", dest: "alias/deep/new/a.bin"))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.holds(Self.body, at: "out/real/deep/new/a.bin"))
  }
}
