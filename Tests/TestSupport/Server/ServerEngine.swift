import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The steps of a server's paths, and how far each has come.
struct Script {
  var routes: [String: [Step]] = [:]
  var positions: [String: Int] = [:]

  /// The step for the next request to a target.
  mutating func next(for request: Request) -> Step? {
    guard let key = [request.target, request.path, "*"].first(where: { routes[$0] != nil }),
      let steps = routes[key], let last = steps.last
    else { return nil }
    let position = positions[key, default: 0]
    positions[key] = position + 1
    return position < steps.count ? steps[position] : last
  }
}

/// What a server's threads share. It outlives the server until the last of them has ended.
final class ServerEngine: Sendable {
  let socket: Socket
  let options: TestServer.Options
  let stop: Gate
  let log = Monitor(ServerLog())
  let script = Monitor(Script())
  private let ended = Monitor<[Int]>([])

  init(_ socket: Socket, _ options: TestServer.Options) throws {
    self.socket = socket
    self.options = options
    stop = try Gate()
  }

  // MARK: Accepting

  /// Runs in the accepting thread until the server stops, and joins the connections' threads.
  func acceptConnections() {
    var threads: [Int: JoinableThread] = [:]
    while waitForConnection() {
      for number in takeEnded() { threads.removeValue(forKey: number)?.join() }
      do {
        guard let client = try socket.accept() else { continue }
        let number = log.withLock { log in
          log.acceptedConnections += 1
          log.openConnections += 1
          return log.acceptedConnections
        }
        threads[number] = JoinableThread { self.serve(client, number: number) }
      } catch {
        log.withLock { $0.problems.append("\(error)") }
      }
    }
    for thread in threads.values { thread.join() }
  }

  private func waitForConnection() -> Bool {
    var descriptors = [
      pollfd(fd: stop.descriptor, events: 0, revents: 0),
      pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, 2, -1)
    return descriptors[0].revents == 0
  }

  private func takeEnded() -> [Int] {
    ended.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
  }

  // MARK: Serving

  private func serve(_ client: Socket, number: Int) {
    do {
      try client.sendWithoutDelay()
      try converse(over: Connection(client, number: number, stop: stop))
    } catch is Connection.End {
      // How an exchange ended is in the log.
    } catch {
      log.withLock { $0.problems.append("\(error)") }
    }
    ended.withLock { $0.append(number) }
    log.withLock { $0.openConnections -= 1 }
  }

  private func converse(over connection: Connection) throws {
    if let identity = options.identity { try connection.startTLS(identity) }
    if let handler = options.rawHandler {
      try handler(connection)
      return try connection.close()
    }
    var count = 0
    while var request = try Self.nextRequest(on: connection) {
      count += 1
      request.numberOnConnection = count
      let index = register(&request)
      guard try answer(request, at: index, over: connection) else { return }
    }
    try connection.close()
  }

  private static func nextRequest(on connection: Connection) throws -> Request? {
    guard let head = try connection.receive(through: Array("\r\n\r\n".utf8)) else { return nil }
    guard var request = Request(rawHead: head) else {
      try connection.send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
      return nil
    }
    if let length = request["Content-Length"].flatMap(Int.init), length > 0 {
      request.body = try connection.receive(count: length) ?? []
    }
    request.connection = connection.number
    request.peerPort = connection.peerPort
    return request
  }

  /// Numbers the request and writes it into the log; its index there.
  private func register(_ request: inout Request) -> Int {
    let original = request
    let (registered, index) = log.withLock { log in
      var request = original
      request.arrival = .now
      request.number = log.exchanges.count + 1
      log.requestCounts[request.path, default: 0] += 1
      request.numberForPath = log.requestCounts[request.path, default: 0]
      log.inFlight += 1
      log.maximumInFlight = max(log.maximumInFlight, log.inFlight)
      log.exchanges.append(ServerLog.Exchange(request: request))
      return (request, log.exchanges.count - 1)
    }
    request = registered
    return index
  }

  private func answer(_ request: Request, at index: Int, over connection: Connection) throws -> Bool
  {
    let step = script.withLock { $0.next(for: request) }
    let response = step?.answer(request) ?? .notFound
    let before = connection.sentByteCount
    let writer = ResponseWriter(response, to: request, over: connection)
    let result = Result { try writer.send() }
    let ending = Self.ending(of: result)
    log.withLock { log in
      log.inFlight -= 1
      log.exchanges[index].sentByteCount = connection.sentByteCount - before
      log.exchanges[index].ending = ending
    }
    try result.get()
    return try writer.finish()
  }

  private static func ending(of result: Result<Void, any Error>) -> ServerLog.Ending {
    switch result {
    case .success: .complete
    case .failure(Connection.End.stopped): .stopped
    case .failure(Connection.End.closedByClient): .closedByClient
    case .failure: .closedByScript
    }
  }
}

extension Response {
  static let notFound = Response(404, [Field("Content-Type", "text/plain")], body: "not found\n")
}
