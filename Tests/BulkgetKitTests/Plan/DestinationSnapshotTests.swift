import BulkgetSystem
import Testing

@testable import BulkgetKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct DestinationSnapshotTests {
  private let scratch: ScratchDirectory
  private let out: String

  init() throws {
    scratch = try ScratchDirectory()
    try scratch.makeDirectory("out")
    out = "\(scratch.path)/out"
  }

  private func place(
    _ destination: String, reserved: [String] = []
  ) throws -> DestinationSnapshot.Place {
    let entry = try Entry.sample("a", destination: destination)
    let snapshot = DestinationSnapshot.observing(
      entries: [entry], outputDirectory: out, reserved: reserved.map { "\(scratch.path)/\($0)" })
    return snapshot.places[try DestinationPath(destination)] ?? .init()
  }

  @Test func seesSizeTimeAndExecuteBits() throws {
    try scratch.write("out/d/a", "12345", mode: 0o755)
    let status = try #require(try FileSystem.status(of: "\(out)/d/a"))
    let expected = FileObservation(
      size: 5, modificationTime: status.modificationTime, isExecutable: true)
    #expect(try place("d/a") == .init(observation: expected))
  }

  @Test(arguments: ["a", "d/a", "d/e/f/a"])
  func nothingThereIsNoObstacle(destination: String) throws {
    #expect(try place(destination) == .init())
  }

  @Test func aMissingOutputDirectoryIsEmpty() throws {
    try FileSystem.removeDirectory(out)
    #expect(try place("d/a") == .init())
  }

  @Test func B085_whatStandsInTheWayIsSeenBeforeAnyRequest() throws {
    try scratch.makeDirectory("out/a")
    #expect(try place("a").obstacle == .directory)
    try scratch.write("out/f")
    #expect(try place("f/x").obstacle == .parentIsNoDirectory(path: "\(out)/f"))
    #expect(try place("f/d/e/x").obstacle == .parentIsNoDirectory(path: "\(out)/f"))
    #expect(unsafe mkfifo("\(out)/fifo", 0o600) == 0)
    #expect(try place("fifo").obstacle == .specialFile)
    #expect(try place("fifo/x").obstacle == .parentIsNoDirectory(path: "\(out)/fifo"))
  }

  @Test func anOutputDirectoryThatIsAFileIsAnObstacle() throws {
    try FileSystem.removeDirectory(out)
    try scratch.write("out")
    #expect(try place("a").obstacle == .parentIsNoDirectory(path: out))
  }

  @Test func anOutputDirectoryBelowAFileIsAnObstacle() throws {
    try scratch.write("file")
    let entry = try Entry.sample("a", destination: "x")
    let snapshot = DestinationSnapshot.observing(
      entries: [entry], outputDirectory: "\(scratch.path)/file/out", reserved: [])
    #expect(
      snapshot.places[try DestinationPath("x")]?.obstacle
        == .parentIsNoDirectory(path: "\(scratch.path)/file"))
  }

  @Test func aSymbolicLinkAtTheDestinationIsSeenAndNotFollowed() throws {
    try scratch.write("elsewhere")
    try FileSystem.makeSymbolicLink("\(out)/a", to: "\(scratch.path)/elsewhere")
    let place = try place("a")
    #expect(place.observation?.kind == .symbolicLink)
    #expect(place.obstacle == nil)
  }

  @Test func aLinkedParentInsideTheOutputDirectoryIsFine() throws {
    try scratch.write("out/real/a", "12")
    try FileSystem.makeSymbolicLink("\(out)/link", to: "real")
    #expect(try place("link/a").observation?.size == 2)
    #expect(try place("link/new/b") == .init())
  }

  @Test(arguments: ["..", "/", "../outside"])
  func aLinkedParentThatLeavesTheOutputDirectoryIsAConflict(target: String) throws {
    try scratch.makeDirectory("outside")
    try FileSystem.makeSymbolicLink("\(out)/link", to: target)
    #expect(try place("link/a").obstacle == .leavesOutputDirectory(link: "\(out)/link"))
    #expect(try place("link/d/a").obstacle == .leavesOutputDirectory(link: "\(out)/link"))
  }

  @Test func aNeighbourWithTheSameBeginningIsOutside() throws {
    try scratch.makeDirectory("out-2")
    try FileSystem.makeSymbolicLink("\(out)/link", to: "../out-2")
    #expect(try place("link/a").obstacle == .leavesOutputDirectory(link: "\(out)/link"))
  }

  @Test func aParentThatIsALinkToNothingIsAConflict() throws {
    try FileSystem.makeSymbolicLink("\(out)/link", to: "nowhere")
    #expect(try place("link/a").obstacle == .parentIsNoDirectory(path: "\(out)/link"))
  }

  @Test func theOutputDirectoryItselfMayBeALink() throws {
    try FileSystem.removeDirectory(out)
    try scratch.write("real/d/a", "123")
    try FileSystem.makeSymbolicLink(out, to: "real")
    #expect(try place("d/a").observation?.size == 3)
    #expect(try place("d/a").obstacle == nil)
  }

  @Test func manifestReportAndCacheAreNoDestinations() throws {
    try scratch.write("out/manifest.yaml")
    try scratch.makeDirectory("out/cache/files")
    let reserved = ["out/manifest.yaml", "out/new/report.json", "out/cache"]
    for destination in [
      "manifest.yaml", "new/report.json", "new", "cache", "cache/x", "cache/files/x",
    ] {
      #expect(try place(destination, reserved: reserved).obstacle == .reserved, "\(destination)")
    }
    for destination in ["manifest.yml", "new/other.json", "cache2", "cache2/x"] {
      #expect(try place(destination, reserved: reserved) == .init(), "\(destination)")
    }
  }

  @Test func aManifestIsRecognisedThroughLinks() throws {
    try scratch.write("out/real.yaml")
    try FileSystem.makeSymbolicLink("\(out)/manifest.yaml", to: "real.yaml")
    try scratch.makeDirectory("out/d")
    try FileSystem.makeSymbolicLink("\(out)/l", to: "d")
    let reserved = ["out/manifest.yaml", "out/l/report.json"]
    for destination in ["real.yaml", "manifest.yaml", "d/report.json", "l/report.json"] {
      #expect(try place(destination, reserved: reserved).obstacle == .reserved, "\(destination)")
    }
  }

  @Test func anOutputDirectoryInsideTheCacheIsReserved() throws {
    #expect(try place("a", reserved: ["out"]).obstacle == .reserved)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func B085_aParentWithoutWritePermissionIsSeen() throws {
    try scratch.write("out/d/a", "1")
    unsafe chmod("\(out)/d", 0o555)
    defer { unsafe chmod("\(out)/d", 0o755) }
    let place = try place("d/a")
    #expect(place.observation?.size == 1)
    #expect(place.obstacle == .unwritable(directory: "\(out)/d"))
    #expect(try self.place("d/new/b").obstacle == .unwritable(directory: "\(out)/d"))
  }

  @Test func entriesThatAreCachedOnlyAreNotLookedFor() throws {
    let snapshot = DestinationSnapshot.observing(
      entries: [try .sample("a")], outputDirectory: out, reserved: [])
    #expect(snapshot.places.isEmpty)
  }

  @Test func B110_lookingChangesNothing() throws {
    try scratch.write("out/d/a", "1")
    let before = try FileSystem.status(of: "\(out)/d")
    _ = try place("d/a")
    _ = try place("e/f/g")
    #expect(try FileSystem.status(of: "\(out)/d") == before)
    #expect(try FileSystem.names(in: out) == ["d"])
  }
}
