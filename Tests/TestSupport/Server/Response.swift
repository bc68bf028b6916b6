/// A message and what happens to it on its way: which faults, pauses and ends come at which of its bytes.
package struct Response: Sendable {
  /// How the body's end is marked.
  package enum Framing: Sendable {
    /// Content-Length with the body's length.
    case length
    /// Content-Length with another number, true or not.
    case announcedLength(Int64)
    /// Chunks of so many bytes, the last may be shorter.
    case chunked(size: Int)
    /// Nothing but the connection's end.
    case untilClose
    /// No body at all, as after 204 and 304.
    case none
  }

  /// What becomes of the connection after the response.
  package enum Closing: Sendable {
    case keepAlive
    /// With `Connection: close`.
    case announced
    /// Without a word, so much later.
    case unannounced(after: Duration)
  }

  /// Where in a response something happens.
  package enum Point: Hashable, Sendable {
    case beforeHead
    /// After so many bytes of the status line and header.
    case head(Int)
    /// After so many bytes of content. At a chunk's end it is after the chunk's line end; at the body's end it is
    /// before the last chunk.
    case body(Int64)
    /// After everything, the last chunk included.
    case end
  }

  /// What happens at a point.
  package enum Event: Sendable {
    case pause(Duration)
    /// Silence until a test opens the gate, the client goes or the server stops.
    case hold(Gate)
    /// A normal end: FIN, over TLS after close_notify.
    case close
    /// FIN without close_notify; without TLS the same as `close`.
    case closeWithoutNotice
    /// RST.
    case reset
  }

  /// Sends only so many bytes at a time.
  package struct Pacing: Sendable {
    package var byteCount: Int
    package var interval: Duration
  }

  package var status: Int
  package var reason: String
  package var fields: [Field]
  package var body: Body
  package var framing: Framing
  package var closing: Closing
  /// Adds a Date field with the time of sending where `fields` has none.
  package var addsDate: Bool
  /// Sent as it stands in place of status line and header.
  package var rawHead: [UInt8]?
  /// Sent as it stands ahead of the header: 1xx responses.
  package var preamble: [UInt8]
  /// Sent as it stands after the body.
  package var surplus: [UInt8]
  package var events: [(point: Point, event: Event)]
  package var headPacing: Pacing?
  package var bodyPacing: Pacing?
  /// Does everything itself with the connection, which is closed afterwards.
  package var takeover: (@Sendable (Connection) throws -> Void)?

  package init(_ status: Int = 200, _ fields: [Field] = [], body: Body = .empty) {
    self.status = status
    self.reason = Self.reason(of: status)
    self.fields = fields
    self.body = body
    framing = status == 204 || status == 304 || status < 200 ? .none : .length
    closing = .keepAlive
    addsDate = true
    preamble = []
    surplus = []
    events = []
  }

  private static func reason(of status: Int) -> String {
    let reasons = [
      200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
      302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
      308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
      404: "Not Found", 405: "Method Not Allowed", 407: "Proxy Authentication Required",
      408: "Request Timeout", 410: "Gone", 416: "Range Not Satisfiable", 425: "Too Early",
      429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
      502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return reasons[status] ?? "Status \(status)"
  }
}
