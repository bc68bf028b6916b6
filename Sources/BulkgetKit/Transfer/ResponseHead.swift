import BulkgetSystem

/// The status and the header fields of a response (RFC 9110 §6).
package struct ResponseHead: Hashable, Sendable {
  package var status: Int
  /// The text behind the status; a server's, never to be printed unescaped.
  package var reason: String = ""
  /// Whether the end of a body without a length is marked by HTTP/2 itself.
  package var isHTTP2 = false
  package var fields: [HeaderField]

  package init(status: Int, fields: [HeaderField] = []) {
    self.status = status
    self.fields = fields
  }

  /// The value of the first field of this name (RFC 9110 §5.1: names know no case).
  package subscript(name: String) -> String? {
    fields.first { equalIgnoringCase($0.name, name) }?.value
  }

  /// The announced length of the body in bytes; nil where there is none or it is no number.
  package var contentLength: Int64? {
    // With both fields, the length doesn't count (RFC 9112 §6.3).
    guard self["Transfer-Encoding"] == nil, let text = self["Content-Length"] else { return nil }
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }

  /// Whether the end of the body can be told from a broken connection.
  package var delimitsBody: Bool {
    isHTTP2 || contentLength != nil || isChunked
  }

  /// Whether chunks are the last coding; any other ends with the connection (RFC 9112 §6.3).
  private var isChunked: Bool {
    guard let last = self["Transfer-Encoding"]?.split(separator: ",").last else { return false }
    return equalIgnoringCase(String(trimmingWhitespace(last)), "chunked")
  }

  /// Whether the status sends the client elsewhere and says where (RFC 9110 §15.4).
  package var redirectLocation: String? {
    [301, 302, 303, 307, 308].contains(status) ? self["Location"] : nil
  }
}

/// Collects the lines of a header until it is complete.
struct HeadParser {
  private(set) var head: ResponseHead?
  private var byteCount = 0

  /// What a line did.
  enum Progress {
    case incomplete
    case complete(ResponseHead)
    case malformed
  }

  /// More than this is no header but an attack.
  static let maximumByteCount = 512 * 1024

  /// Takes one line with its end. Informational responses are passed over (RFC 9110 §15.2).
  ///
  /// It works on bytes: a file of a few KiB has a header of a dozen lines, and text would cost more than the file.
  mutating func take(_ line: Span<UInt8>) -> Progress {
    byteCount += line.count
    if byteCount > Self.maximumByteCount { return .malformed }
    let text = trimmed(line, 0..<line.count)
    if text.isEmpty { return end() }
    if Self.isStatusLine(line) {
      head = Self.statusLine(String(copyingUTF8: line.extracting(text)))
      return head == nil ? .malformed : .incomplete
    }
    if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
      // An obsolete line folding continues the value (RFC 9112 §5.2).
      let rest = String(copyingUTF8: line.extracting(text))
      if let last = head?.fields.indices.last { head?.fields[last].continue(with: rest) }
    } else {
      addField(line, text)
    }
    return .incomplete
  }

  private mutating func end() -> Progress {
    guard let complete = head else { return .malformed }
    head = nil
    return (100..<200).contains(complete.status) ? .incomplete : .complete(complete)
  }

  private mutating func addField(_ line: Span<UInt8>, _ text: Range<Int>) {
    guard let colon = text.first(where: { line[$0] == UInt8(ascii: ":") }) else { return }
    let name = String(copyingUTF8: line.extracting(text.lowerBound..<colon))
    let value = trimmed(line, (colon + 1)..<text.upperBound)
    head?.fields.append(HeaderField(name: name, value: String(copyingUTF8: line.extracting(value))))
  }

  private static func isStatusLine(_ line: Span<UInt8>) -> Bool {
    guard line.count > 5 else { return false }
    return "HTTP/".utf8.enumerated().allSatisfy { line[$0.offset] == $0.element }
  }

  private static func statusLine(_ line: String) -> ResponseHead? {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    var head = ResponseHead(status: status)
    head.isHTTP2 = ["HTTP/2", "HTTP/2.0", "HTTP/3"].contains(words[0])
    head.reason = words.count > 2 ? String(words[2]) : ""
    head.fields.reserveCapacity(12)
    return head
  }
}

/// The part of a range without spaces, tabs and line ends on either side.
private func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var (start, end) = (range.lowerBound, range.upperBound)
  while start < end, isSpace(bytes[start]) { start += 1 }
  while end > start, isSpace(bytes[end - 1]) { end -= 1 }
  return start..<end
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

extension HeaderField {
  fileprivate mutating func `continue`(with text: String) {
    self = HeaderField(name: name, value: value.isEmpty ? text : "\(value) \(text)")
  }
}

/// Whether two texts are equal but for the case of ASCII letters.
func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count
    && zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
}

private func lowered(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// Without spaces, tabs and line ends on either side.
func trimmingWhitespace(_ text: Substring) -> Substring {
  let utf8 = text.utf8
  guard let first = utf8.firstIndex(where: { !isSpace($0) }),
    let last = utf8.lastIndex(where: { !isSpace($0) })
  else { return "" }
  return text[first...last]
}
