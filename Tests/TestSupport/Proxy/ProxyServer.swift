import BulkgetSystem

/// A forward proxy that logs what it is asked: requests in absolute form and CONNECT tunnels.
///
/// Every host name leads to 127.0.0.1 (`[::1]` to ::1) on the port of the request, so that tests can use names that
/// don't exist.
package final class ProxyServer: Sendable {
  /// How it behaves.
  package struct Options: Sendable {
    /// Answers 407 to requests without these words, as in `user:password`.
    package var credentials: String?
    /// Answers CONNECT with this status instead of a tunnel.
    package var connectStatus: Int?

    package init() {}
  }

  private let server: TestServer
  private let requestLog: Monitor<[Request]>

  package init(_ options: Options = Options()) throws {
    let requestLog = Monitor<[Request]>([])
    self.requestLog = requestLog
    server = try TestServer.raw { connection in
      try ProxyExchange(connection: connection, options: options, log: requestLog).run()
    }
  }

  /// As it stands in `http_proxy`.
  package var url: String { server.url("") }

  package var port: UInt16 { server.port }

  /// What it was asked so far, refused requests included.
  package var requests: [Request] { requestLog.withLock { $0 } }

  /// The targets of all requests so far, each after its method: `GET http://…`, `CONNECT host:port`.
  package var targets: [String] { requests.map { "\($0.method) \($0.target)" } }

  /// Ends all connections.
  package func stop() { server.stop() }
}

/// What a proxy does on one connection.
private struct ProxyExchange {
  let connection: Connection
  let options: ProxyServer.Options
  let log: Monitor<[Request]>

  func run() throws {
    while let head = try connection.receive(through: Array("\r\n\r\n".utf8)) {
      guard let request = Request(rawHead: head) else { return try refuse(400) }
      log.withLock { $0.append(request) }
      if !isAuthorized(request) {
        try refuse(407, "Proxy-Authenticate: Basic realm=\"test\"\r\n")
      } else if request.method != "CONNECT" {
        return try forward(request)
      } else if let status = options.connectStatus {
        return try refuse(status)
      } else {
        return try tunnel(request)
      }
    }
  }

  private func isAuthorized(_ request: Request) -> Bool {
    guard let credentials = options.credentials else { return true }
    return request["Proxy-Authorization"] == "Basic \(base64(Array(credentials.utf8)))"
  }

  private func refuse(_ status: Int, _ fields: String = "") throws {
    try connection.send(
      Array("HTTP/1.1 \(status) Refused\r\n\(fields)Content-Length: 0\r\n\r\n".utf8))
  }

  private func tunnel(_ request: Request) throws {
    guard let upstream = try upstream(request.target[...], defaultPort: 443) else {
      return try refuse(502)
    }
    try connection.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    try connection.relay(with: upstream)
  }

  private func forward(_ request: Request) throws {
    guard request.target.hasPrefix("http://") else { return try refuse(400) }
    let rest = request.target.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let upstream = try upstream(authority, defaultPort: 80) else { return try refuse(502) }
    let path = rest.dropFirst(authority.count)
    let fields = request.fields.filter { field in
      !["connection", "proxy-connection", "proxy-authorization"].contains(field.name.lowercased())
    }
    let lines = ["\(request.method) \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1"]
    let text = (lines + fields.map { "\($0.name): \($0.value)" } + ["Connection: close"])
      .joined(separator: "\r\n")
    try upstream.send(Array((text + "\r\n\r\n").utf8))
    try connection.relay(with: upstream)
  }

  private func upstream(_ authority: Substring, defaultPort: UInt16) throws -> Connection? {
    let address: Socket.Address = authority.hasPrefix("[::1]") ? .ipv6 : .ipv4
    let colon = authority.lastIndex(of: ":")
    let port = colon.flatMap { UInt16(authority[authority.index(after: $0)...]) } ?? defaultPort
    do {
      let (socket, isConnected) = try Socket.connecting(to: address, port: port)
      let upstream = connection.sibling(socket)
      if !isConnected { try upstream.waitUntilConnected() }
      return upstream
    } catch Connection.End.stopped {
      throw Connection.End.stopped
    } catch {
      return nil
    }
  }
}

/// RFC 4648 §4.
private func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let value = (0..<3).reduce(0) { value, index in
      value << 8 | (index < group.count ? Int(group[start + index]) : 0)
    }
    for index in 0..<4 {
      text.append(index <= group.count ? digits[value >> (18 - 6 * index) & 63] : "=")
    }
  }
  return text
}
