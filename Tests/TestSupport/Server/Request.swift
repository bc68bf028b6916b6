/// A request as it came over the wire, and where it stands among the others.
package struct Request: Sendable {
  package let method: String
  /// The request target's bytes, nothing decoded or repaired.
  package let rawTarget: [UInt8]
  package let version: String
  /// The header fields in their order.
  package let fields: [Field]
  /// The whole header as received, up to and including the empty line.
  package let rawHead: [UInt8]
  package var body: [UInt8] = []

  /// The number of the request at this server, from 1.
  package var number = 0
  /// The number of the request to this target's path, from 1.
  package var numberForPath = 0
  /// The number of the connection at this server, from 1.
  package var connection = 0
  /// The number of the request on its connection, from 1.
  package var numberOnConnection = 0
  /// The client's port.
  package var peerPort: UInt16 = 0
  package var arrival = MonotonicTime.now

  /// The request target as text.
  package var target: String { String(decoding: rawTarget, as: UTF8.self) }

  /// The target up to its question mark.
  package var path: String {
    String(decoding: rawTarget.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
  }

  /// The target after its first question mark, or nil.
  package var query: String? {
    guard let mark = rawTarget.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return String(decoding: rawTarget[(mark + 1)...], as: UTF8.self)
  }

  /// The value of the first field of that name, in any letter case.
  package subscript(name: String) -> String? { fields.values(of: name).first }
}

extension Request {
  /// Reads a header that ends with an empty line; nil where it is no HTTP/1 request.
  init?(rawHead: [UInt8]) {
    let lines = rawHead.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
    }
    guard let first = lines.first else { return nil }
    let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8) else { return nil }
    method = String(decoding: words[0], as: UTF8.self)
    rawTarget = Array(words[1])
    version = String(decoding: words[2], as: UTF8.self)
    fields = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
      return Field(
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    self.rawHead = rawHead
  }

  /// Whether the client keeps the connection for another request (RFC 9112 §9.3).
  var allowsReuse: Bool {
    let options = fields.values(of: "Connection").joined(separator: ",").lowercased()
    return version != "HTTP/1.0" && !options.contains("close")
  }
}
