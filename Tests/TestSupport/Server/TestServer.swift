#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An HTTP/1.1 server on a loopback address that follows a script and logs every request.
///
/// It must be referred to until the last request: say `withExtendedLifetime(server)` where the log isn't read afterwards.
/// A thread accepts, and each connection has a thread of its own; `stop`, and the last owner's letting go, end and
/// join them all. The script can be changed at any time:
///
///     let server = try TestServer(["/a.bin": [.file(resource) { $0.cut(after: 4_000) }, .file(resource)]])
///     … server.url("/a.bin") …
///     try server.waitForRequests(2)
package final class TestServer: Sendable {
  /// How a server listens.
  package struct Options: Sendable {
    package var address = Socket.Address.ipv4
    /// 0 for a free one.
    package var port: UInt16 = 0
    package var backlog: CInt = 1_024
    /// False: the port is taken, and connections are refused until `open` is called.
    package var listensAtOnce = true
    /// Speaks TLS with this certificate.
    package var identity: TLSIdentity?
    /// Does everything itself with each connection; nothing is parsed or logged but the connections.
    package var rawHandler: (@Sendable (Connection) throws -> Void)?

    package init() {}
  }

  package let port: UInt16
  package let address: Socket.Address
  private let engine: ServerEngine
  private let acceptor: Monitor<JoinableThread?>

  /// Starts a server whose nth request to a path gets the path's nth step, and later ones its last. A key may have a
  /// query; `*` is for all other paths, which else get 404.
  package init(_ routes: [String: [Step]] = [:], options: Options = Options()) throws {
    let socket = try Socket.bound(options.address, port: options.port)
    if options.listensAtOnce { try socket.listen(backlog: options.backlog) }
    port = socket.localPort
    address = options.address
    let engine = try ServerEngine(socket, options)
    engine.script.withLock { $0.routes = routes }
    self.engine = engine
    acceptor = Monitor(options.listensAtOnce ? JoinableThread { engine.acceptConnections() } : nil)
  }

  /// Starts a server that answers each request by a function.
  package convenience init(
    options: Options = Options(), _ handler: @escaping @Sendable (Request) -> Response
  ) throws {
    try self.init(["*": [.compute(handler)]], options: options)
  }

  /// Starts a server that hands over each connection.
  package static func raw(
    options: Options = Options(), _ handler: @escaping @Sendable (Connection) throws -> Void
  ) throws -> TestServer {
    var options = options
    options.rawHandler = handler
    return try TestServer(options: options)
  }

  deinit {
    stop()
  }

  /// Starts to listen, where the options said not at once.
  package func open() throws {
    try acceptor.withLock { thread in
      guard thread == nil, !engine.stop.isOpen else { return }
      try engine.socket.listen(backlog: engine.options.backlog)
      thread = JoinableThread { [engine] in engine.acceptConnections() }
    }
  }

  /// Ends all connections and joins all threads; done once, later calls do nothing.
  package func stop() {
    engine.stop.open()
    let thread = acceptor.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  // MARK: Script

  /// Replaces one path's steps and starts counting anew for it.
  package func route(_ path: String, _ steps: Step...) {
    engine.script.withLock {
      $0.routes[path] = steps
      $0.positions[path] = nil
    }
  }

  /// Replaces all paths' steps and starts counting anew.
  package func replaceRoutes(_ routes: [String: [Step]]) {
    engine.script.withLock { $0 = Script(routes: routes) }
  }

  // MARK: Addresses

  /// `127.0.0.1:PORT`.
  package var authority: String { "\(address.host):\(port)" }

  /// A URL at this server; `host` takes another name for it, such as `localhost`.
  package func url(_ path: String, host: String? = nil) -> String {
    let scheme = engine.options.identity == nil ? "http" : "https"
    return "\(scheme)://\(host ?? address.host):\(port)\(path)"
  }

  // MARK: Log

  /// What has happened so far.
  package var log: ServerLog { engine.log.withLock { $0 } }

  package var requests: [Request] { log.requests }

  package func requests(to path: String) -> [Request] { log.requests(to: path) }

  /// Waits until so many requests, to one path or all of them, have arrived, and gives them.
  @discardableResult
  package func waitForRequests(_ count: Int, to path: String? = nil) throws -> [Request] {
    try wait(for: "\(count) requests") { log in
      // Counted first: this runs at every change, and there may be a hundred thousand.
      let arrived = path.map { log.requestCounts[$0, default: 0] } ?? log.exchanges.count
      guard arrived >= count else { return nil }
      return path.map { log.requests(to: $0) } ?? log.requests
    }
  }

  /// Waits until no request is going on and no connection is open.
  package func waitUntilIdle() throws {
    try wait(for: "the end of all connections") { $0.openConnections == 0 ? () : nil }
  }

  /// Waits until what has happened gives a value.
  package func wait<Result: Sendable>(
    for what: String, until body: (ServerLog) -> Result?
  ) throws -> Result {
    if let result = engine.log.wait(until: { body($0) }) { return result }
    let requests = log.requests.map { "\($0.method) \($0.target)" }.joined(separator: ", ")
    throw HangError("no \(what) came; there were: \(requests)")
  }
}
