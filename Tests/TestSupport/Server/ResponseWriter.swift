/// Sends one response over a connection, with everything its script says on the way.
struct ResponseWriter {
  private let connection: Connection
  private let response: Response
  private let request: Request
  private let staysOpen: Bool

  init(_ response: Response, to request: Request, over connection: Connection) {
    self.connection = connection
    self.response = response
    self.request = request
    if case .keepAlive = response.closing, request.allowsReuse {
      staysOpen = true
    } else {
      staysOpen = false
    }
  }

  /// Sends it.
  func send() throws {
    if let takeover = response.takeover { return try takeover(connection) }
    try perform(at: .beforeHead)
    try connection.send(response.preamble)
    try sendHead()
    if sendsBody { try sendBody() }
    try perform(at: .end)
    try connection.send(response.surplus)
  }

  /// Does with the connection what the response says; whether it can carry another request.
  func finish() throws -> Bool {
    if case .unannounced(let duration) = response.closing { try connection.pause(for: duration) }
    if keepsConnection { return true }
    try connection.close()
    return false
  }

  private var keepsConnection: Bool {
    if case .untilClose = response.framing { return false }
    return staysOpen && response.takeover == nil
  }

  // MARK: Head

  private func sendHead() throws {
    let head = response.rawHead ?? composedHead()
    var position = 0
    let points = response.events.compactMap { event -> Int? in
      if case .head(let count) = event.point { min(count, head.count) } else { nil }
    }
    while true {
      if position > 0 || points.contains(0) { try perform(at: .head(position)) }
      guard position < head.count else { return }
      var end = points.filter { $0 > position }.min() ?? head.count
      if let pacing = response.headPacing { end = min(end, position + pacing.byteCount) }
      try connection.send(Array(head[position..<end]))
      position = end
      if let pacing = response.headPacing { try connection.pause(for: pacing.interval) }
    }
  }

  private func composedHead() -> [UInt8] {
    var fields = response.fields
    func add(_ name: String, _ value: @autoclosure () -> String) {
      if fields.values(of: name).isEmpty { fields.append(Field(name, value())) }
    }
    if response.addsDate { add("Date", HTTPDate.text(HTTPDate.now)) }
    switch response.framing {
    case .length: add("Content-Length", "\(response.body.count)")
    case .announcedLength(let length): add("Content-Length", "\(length)")
    case .chunked: add("Transfer-Encoding", "chunked")
    case .untilClose, .none: break
    }
    if case .announced = response.closing { add("Connection", "close") }
    if case .keepAlive = response.closing, !staysOpen { add("Connection", "close") }
    let lines = ["HTTP/1.1 \(response.status) \(response.reason)"]
    let text = (lines + fields.map { "\($0.name): \($0.value)" }).joined(separator: "\r\n")
    return Array((text + "\r\n\r\n").utf8)
  }

  // MARK: Body

  private var sendsBody: Bool {
    if case .none = response.framing { return false }
    return request.method != "HEAD"
  }

  private func sendBody() throws {
    var position: Int64 = 0
    let count = response.body.count
    while true {
      try perform(at: .body(position))
      guard position < count else { break }
      if let size = chunkSize, position % size == 0 {
        try connection.send(line(String(min(size, count - position), radix: 16)))
      }
      let end = endOfPiece(from: position)
      try connection.send(response.body.bytes(position..<end))
      connection.sentByteCount += end - position
      position = end
      if let size = chunkSize, position % size == 0 || position == count {
        try connection.send(line(""))
      }
      if let pacing = response.bodyPacing, position < count {
        try connection.pause(for: pacing.interval)
      }
    }
    if chunkSize != nil { try connection.send(line("0") + line("")) }
  }

  private func endOfPiece(from position: Int64) -> Int64 {
    var end = min(response.body.count, position + min(1 << 18, response.body.count - position))
    if let size = chunkSize { end = min(end, position + size - position % size) }
    if let pacing = response.bodyPacing { end = min(end, position + Int64(pacing.byteCount)) }
    for event in response.events {
      if case .body(let point) = event.point, point > position { end = min(end, point) }
    }
    return end
  }

  private var chunkSize: Int64? {
    if case .chunked(let size) = response.framing { Int64(size) } else { nil }
  }

  private func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }

  // MARK: Events

  private func perform(at point: Response.Point) throws {
    for event in response.events where event.point == point {
      switch event.event {
      case .pause(let duration): try connection.pause(for: duration)
      case .hold(let gate): try connection.pause(until: gate)
      case .close: try end { try connection.close() }
      case .closeWithoutNotice: try end { try connection.close(notifies: false) }
      case .reset: try end { try connection.reset() }
      }
    }
  }

  private func end(_ body: () throws -> Void) throws {
    try body()
    throw Connection.End.closedByScript
  }
}
