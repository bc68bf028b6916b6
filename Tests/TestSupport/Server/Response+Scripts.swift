extension Response {
  /// A text.
  package static func text(_ text: String, type: String = "text/plain") -> Self {
    Self(200, [Field("Content-Type", type)], body: .text(text))
  }

  /// A redirect with the Location as given.
  package static func redirect(_ status: Int = 302, to location: String) -> Self {
    Self(status, [Field("Location", location)])
  }

  /// Bytes that need not be HTTP at all, and then the connection's normal end.
  package static func raw(_ bytes: [UInt8]) -> Self {
    var response = Self()
    response.rawHead = bytes
    response.framing = .untilClose
    return response
  }

  /// Bytes that need not be HTTP at all, and then the connection's normal end.
  package static func raw(_ text: String) -> Self { raw(Array(text.utf8)) }

  /// No answer: a normal close.
  package static let closeBeforeHead = Self().adding(.close, at: .beforeHead)

  /// No answer: a reset.
  package static let resetBeforeHead = Self().adding(.reset, at: .beforeHead)

  /// Hands the connection to `body` and closes it afterwards.
  package static func takeover(_ body: @escaping @Sendable (Connection) throws -> Void) -> Self {
    var response = Self()
    response.takeover = body
    return response
  }

  /// Something more that happens at a point; several at one point happen in the order they were added.
  package func adding(_ event: Event, at point: Point) -> Self {
    var copy = self
    copy.events.append((point, event))
    return copy
  }

  /// The whole header, `count` bytes of the body, then a normal close.
  package func cut(after count: Int64) -> Self { adding(.close, at: .body(count)) }

  /// The whole header, `count` bytes of the body, then a reset.
  package func reset(after count: Int64) -> Self { adding(.reset, at: .body(count)) }

  /// Silence after `count` bytes of the body until the gate opens.
  package func held(after count: Int64, by gate: Gate) -> Self {
    adding(.hold(gate), at: .body(count))
  }

  /// Silence before the first byte until the gate opens.
  package func held(by gate: Gate) -> Self { adding(.hold(gate), at: .beforeHead) }

  /// A pause before the first byte.
  package func delayed(by duration: Duration) -> Self { adding(.pause(duration), at: .beforeHead) }

  /// The body in pieces of `byteCount` bytes, one every `interval`.
  package func dripping(_ byteCount: Int, every interval: Duration) -> Self {
    var copy = self
    copy.bodyPacing = Pacing(byteCount: byteCount, interval: interval)
    return copy
  }

  /// The header in pieces of `byteCount` bytes, one every `interval`.
  package func drippingHead(_ byteCount: Int, every interval: Duration) -> Self {
    var copy = self
    copy.headPacing = Pacing(byteCount: byteCount, interval: interval)
    return copy
  }

  package func chunked(_ size: Int = 16_384) -> Self { framed(.chunked(size: size)) }

  /// A Content-Length of one's own, true or not.
  package func announcing(_ length: Int64) -> Self { framed(.announcedLength(length)) }

  package func framed(_ framing: Framing) -> Self {
    var copy = self
    copy.framing = framing
    return copy
  }

  package func closing(_ closing: Closing) -> Self {
    var copy = self
    copy.closing = closing
    return copy
  }

  /// Adds fields, keeping those that are there.
  package func with(_ fields: Field...) -> Self {
    var copy = self
    copy.fields += fields
    return copy
  }

  /// Bytes sent after the body as they stand.
  package func followed(by surplus: [UInt8]) -> Self {
    var copy = self
    copy.surplus = surplus
    return copy
  }

  /// Bytes sent ahead of the header as they stand, such as a 1xx response.
  package func preceded(by preamble: String) -> Self {
    var copy = self
    copy.preamble = Array(preamble.utf8)
    return copy
  }

  /// Another body behind the same header.
  package func with(body: Body) -> Self {
    var copy = self
    copy.body = body
    return copy
  }
}
