import BulkgetSystem
import TestSupport

/// What all scenarios share: a directory, the server in it, the way with latency to that server, and the programs.
final class Site: Sendable {
  let programs: Programs
  let scale: Double
  let interruption: Interruption
  /// Everything is in here, on one file system, and goes with it.
  let directory: TemporaryDirectory
  let served: ServedDirectory
  let coreCount: Int
  private let server: NginxServer
  private let relay: DelayingRelay

  private static let roundTrip: Duration = .milliseconds(20)
  private static let throttledPath = "/throttled-requests"

  init(
    _ programs: Programs, in parent: String, scale: Double, coreCount: Int,
    _ interruption: Interruption
  ) throws {
    self.programs = programs
    self.scale = scale
    self.coreCount = coreCount
    self.interruption = interruption
    directory = try TemporaryDirectory(in: parent)
    served = ServedDirectory(root: directory.path("served"))
    try FileSystem.makeDirectories(served.root)
    try FileSystem.makeDirectories(directory.path("home"))
    var options = NginxServer.Options(root: served.root)
    options.serverDirectives = """
      access_log off;
      location \(Self.throttledPath)/ { alias "\(served.root)/"; limit_rate 4m; }
      """
    server = try NginxServer(options)
    relay = try DelayingRelay(to: server.port, roundTrip: Self.roundTrip)
  }

  /// The URL of a set's directory by one of the ways.
  func baseURL(of set: FileSet, by route: Scenario.Route) -> String {
    switch route {
    case .plain: server.url("/\(set.name)")
    case .secure: server.secureURL("/\(set.name)")
    case .throttled: server.url("\(Self.throttledPath)/\(set.name)")
    case .distant: "http://127.0.0.1:\(relay.port)/\(set.name)"
    }
  }

  /// The CA that programs must trust on this way.
  func certificateFile(for route: Scenario.Route) -> String? {
    route == .secure ? server.authority.certificateFile : nil
  }

  /// A program with words, and an environment that holds nothing of the user's.
  func launch(_ program: String, _ arguments: [String]) -> Launch {
    Launch(program, arguments).with { $0.environment = ["HOME": directory.path("home")] }
  }
}
