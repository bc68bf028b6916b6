import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real nginx: HTTP on one port, HTTPS with HTTP/2 on another, both on 127.0.0.1.
///
/// It is handed listening sockets as on an upgrade of its binary, so that it needs neither a guess at free ports nor a
/// wait until it listens. It is stopped when its last owner lets go of it.
package final class NginxServer: Sendable {
  /// How it is set up.
  package struct Options: Sendable {
    /// The directory that is served.
    package var root: String
    package var speaksHTTP2 = true
    /// Directives of the `http` block.
    package var httpDirectives = ""
    /// Directives of the `server` block.
    package var serverDirectives = ""

    package init(root: String) {
      self.root = root
    }
  }

  package let port: UInt16
  package let securePort: UInt16
  /// The CA that the server's certificate comes from.
  package let authority: CertificateAuthority
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  /// Starts it; without an authority it gets one of its own.
  package init(_ options: Options, authority: CertificateAuthority? = nil) throws {
    self.authority = try authority ?? CertificateAuthority()
    directory = try TemporaryDirectory()
    let identity = try self.authority.makeIdentity()
    (process, port, securePort) = try Self.start(options, identity, directory.path)
    try checkThatItAnswers()
  }

  /// Starts it, and lets go of the sockets here: if it dies, connections must be refused rather than wait.
  private static func start(
    _ options: Options, _ identity: TLSIdentity, _ directory: String
  ) throws -> (process: ChildProcess, port: UInt16, securePort: UInt16) {
    let sockets = try (0..<2).map { _ in
      let socket = try Socket.bound(.ipv4, port: 0)
      try socket.listen(backlog: 1_024)
      return socket
    }
    let configuration = NginxConfiguration(
      options: options, directory: directory, port: sockets[0].localPort,
      securePort: sockets[1].localPort, identity: identity)
    let path = directory + "/nginx.conf"
    try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      .write(Array(configuration.text.utf8))
    let process = try ChildProcess.start(tool: launch(path, directory, sockets))
    return (process, configuration.port, configuration.securePort)
  }

  private static func launch(
    _ configuration: String, _ directory: String, _ sockets: [Socket]
  ) throws -> Launch {
    let first = (sockets.map(\.rawValue).max() ?? 0) + 100
    var launch = Launch(
      InstalledPrograms.path(of: "nginx") ?? "nginx",
      ["-c", configuration, "-p", directory, "-e", directory + "/error.log"])
    for (index, socket) in sockets.enumerated() {
      let copy = try systemCall("copy", "socket") { fcntl(socket.rawValue, F_DUPFD_CLOEXEC, 3) }
      let descriptor = FileDescriptor(owning: copy, path: "socket")
      launch.descriptors[first + CInt(index)] = descriptor
    }
    launch.environment["NGINX"] = launch.descriptors.keys.sorted().map { "\($0);" }.joined()
    return launch
  }

  private func checkThatItAnswers() throws {
    let answer = Result {
      let client = try PlainClient(to: port)
      try client.send("/", [Field("Connection", "close")])
      return try client.receiveAll().bytes
    }
    if case .success(let bytes) = answer, bytes.starts(with: "HTTP/".utf8) { return }
    throw ToolError("nginx doesn't answer: \(process.output)\n\(try log("error.log"))")
  }

  deinit {
    stop()
  }

  /// Ends it.
  package func stop() {
    process.send(SIGTERM)
    // Where it doesn't end in time, its process object kills it.
    _ = try? process.wait()
  }

  /// A URL at the plain port.
  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// A URL at the port that speaks TLS.
  package func secureURL(_ path: String) -> String { "https://127.0.0.1:\(securePort)\(path)" }

  /// The lines of the access log so far, one a request: protocol, method, target, status, connection.
  package func accessLog() throws -> [String] {
    try log("access.log").split(separator: "\n").map(String.init)
  }

  private func log(_ name: String) throws -> String {
    let file = try FileDescriptor(opening: "\(directory.path)/\(name)", O_RDONLY)
    return String(decoding: try file.readAll(limit: 1 << 26) ?? [], as: UTF8.self)
  }
}
