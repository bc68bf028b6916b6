/// What has happened at a test server so far.
package struct ServerLog: Sendable {
  /// A request and what became of it.
  package struct Exchange: Sendable {
    package let request: Request
    /// Content bytes that were handed to the system.
    package internal(set) var sentByteCount: Int64 = 0
    /// How it ended, or nil while it is going on.
    package internal(set) var ending: Ending?
  }

  /// How an exchange can end.
  package enum Ending: Sendable {
    /// The whole response was sent.
    case complete
    /// The script cut or reset the connection.
    case closedByScript
    /// The client went before the end.
    case closedByClient
    /// The server stopped.
    case stopped
  }

  package internal(set) var exchanges: [Exchange] = []
  package internal(set) var acceptedConnections = 0
  package internal(set) var openConnections = 0
  package internal(set) var maximumInFlight = 0
  /// Errors of the server itself, such as a failed TLS handshake.
  package internal(set) var problems: [String] = []
  var requestCounts: [String: Int] = [:]

  /// The requests in the order of their arrival.
  package var requests: [Request] { exchanges.map(\.request) }

  /// Requests whose response isn't over.
  package internal(set) var inFlight = 0

  /// The requests to one path, in the order of their arrival.
  package func requests(to path: String) -> [Request] { requests.filter { $0.path == path } }
}
