import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// Group 8: files appear whole or not at all, on any mix of file systems, whenever the process dies.
@Suite(.blocking) struct PlacementCases {
  private static let memory = "/dev/shm"

  /// Whether the temporary directory and `/dev/shm` are two file systems that can be written.
  private static let hasTwoFileSystems: Bool = {
    var (here, there) = (stat(), stat())
    return stat(NSTemporaryDirectory(), &here) == 0 && stat(memory, &there) == 0
      && here.st_dev != there.st_dev && access(memory, W_OK) == 0
  }()

  /// A directory that goes with its owner.
  private final class OtherFileSystem {
    let path = "\(memory)/bulkget-test-\(UUID().uuidString)"
    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { print("\(error)") }
    }
  }

  @Test(
    .enabled(if: hasTwoFileSystems, "/dev/shm is no file system of its own"),
    arguments: [true, false])
  func B083_cacheAndOutputOnTwoFileSystems(cacheIsInMemory: Bool) throws {
    let other = OtherFileSystem()
    try FileSystem.makeDirectories(other.path)
    let old = Body.text("old")
    let body = Body.pseudoRandom(60_000_000)
    let site = try CaseSite(["/a.bin": [.file(Resource(body))]])
    let cache = cacheIsInMemory ? other.path + "/cache" : "cache"
    let output = cacheIsInMemory ? site.directory.path("out") : other.path + "/out"
    let destination = output + "/a.bin"
    try FileSystem.makeDirectories(output)
    try FileDescriptor.creating(destination, mode: 0o666).write(old.bytes)
    let launch = try site.launch("run", [site.entry()], cache: cache, output: output)

    // Killed in the middle of the copy, or right after it where that was quicker than the look.
    let killed = try ChildProcess(launch)
    try wait(for: "a copy") {
      let isUnderWay =
        try FileSystem.names(in: output)?.contains { $0.hasPrefix(".bulkget-") } == true
      return try isUnderWay || FileSystem.status(of: destination)?.size == body.count
    }
    killed.send(SIGKILL)
    _ = try killed.wait()
    let size = try FileSystem.status(of: destination)?.size
    #expect(size == old.count || size == body.count)

    let process = try ChildProcess(launch)
    while process.isRunning {
      let size = try FileSystem.status(of: destination)?.size
      #expect(size == old.count || size == body.count)
      usleep(500)
    }
    let run = try site.ended(process.wait())
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try FileDescriptor.reading(destination).readAll(limit: .max) == body.bytes)
  }

  /// What stands where a file is to go.
  enum Obstacle: CaseIterable, Sendable {
    case directory, fileAsParent, pipe, noPermission

    var destination: String { self == .fileAsParent || self == .noPermission ? "f/x" : "f" }
    var code: String { self == .noPermission ? "permission-denied" : "destination-conflict" }

    func place(in site: CaseSite) throws {
      let path = site.directory.path("out/f")
      switch self {
      case .directory: try FileSystem.makeDirectories(path + "/inside")
      case .fileAsParent: try site.directory.write("file", to: "out/f")
      case .pipe:
        try FileSystem.makeDirectories(site.directory.path("out"))
        #expect(mkfifo(path, 0o666) == 0)
      case .noPermission:
        try FileSystem.makeDirectories(path)
        try FileSystem.setPermissions(0o777, of: site.directory.path("out"))
        try FileSystem.setPermissions(0o555, of: path)
      }
    }
  }

  @Test(arguments: Obstacle.allCases.filter { $0 != .noPermission || OrdinaryUser.obstacle == nil })
  func B085_somethingStandsAtTheDestination(obstacle: Obstacle) throws {
    let site = try CaseSite(["*": [.file(Resource("x"))]])
    try obstacle.place(in: site)
    let entries = [site.entry("a", dest: obstacle.destination), site.entry("b", dest: "1/2/3/b")]
    var launch = try site.launch("run", entries)
    if obstacle == .noPermission { launch = try site.openedToAll(launch) }
    let run = try site.run(launch)
    #expect(run.exitStatus == 1, "\(run)")
    #expect(try run.file("a").error?.code == obstacle.code, "\(run)")
    #expect(try run.file("a").error?.message.contains(site.directory.path("out/f")) == true)
    #expect(try run.file("b").status == "downloaded")
    #expect(site.server.requests.map(\.path) == ["/b.bin"])
    #expect(try site.holds("x", at: "out/1/2/3/b"))
  }

  @Test func B085_aFileAndItsOwnChildAreRefused() throws {
    let site = try CaseSite()
    let run = try site.run(site.entry("a", dest: "x"), site.entry("b", dest: "x/y"))
    #expect(run.exitStatus == 2, "\(run)")
    #expect(site.server.requests.isEmpty)
  }
}

extension ChildProcess {
  /// Whether it has not ended.
  fileprivate var isRunning: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT | WNOHANG) == 0
      && information.si_signo == 0
  }
}
