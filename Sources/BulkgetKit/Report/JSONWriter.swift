/// Writes one JSON document (RFC 8259) piece by piece, keys in the order in which they come.
///
/// Text is UTF-8; control characters, C1 ones and line separators are escaped, so that a document is harmless on a
/// terminal. Whoever writes many records calls ``flushIfFull(to:)`` after each, so that a document of a hundred thousand
/// needs no buffer of its size; everything between two flushes can't fail.
package struct JSONWriter: ~Copyable {
  /// How the members of an object or array are laid out.
  package enum Layout {
    /// All on one line.
    case line
    /// Each on a line of its own.
    case lines
  }

  private struct Container {
    var layout: Layout
    var isEmpty = true
  }

  private let chunk: Int
  private var bytes: [UInt8] = []
  private var containers: [Container] = []
  private var followsKey = false

  /// Makes a writer that hands over chunks of about `chunk` bytes.
  package init(chunk: Int = 64 * 1024) {
    self.chunk = chunk
    bytes.reserveCapacity(chunk + chunk / 4)
  }

  /// Hands over what was written if it is a chunk.
  package mutating func flushIfFull<SinkError>(
    to sink: (borrowing [UInt8]) throws(SinkError) -> Void
  ) throws(SinkError) {
    if bytes.count >= chunk { try flush(to: sink) }
  }

  /// Ends the document with a line feed and hands over the rest.
  package mutating func finish<SinkError>(
    to sink: (borrowing [UInt8]) throws(SinkError) -> Void
  ) throws(SinkError) {
    precondition(containers.isEmpty, "an object or array is still open")
    bytes.append(UInt8(ascii: "\n"))
    try flush(to: sink)
  }

  private mutating func flush<SinkError>(
    to sink: (borrowing [UInt8]) throws(SinkError) -> Void
  ) throws(SinkError) {
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

// MARK: - Objects and arrays

extension JSONWriter {
  /// Opens an object, as a value of what is open.
  package mutating func beginObject(_ layout: Layout = .line) { begin("{", layout) }

  /// Closes the innermost object.
  package mutating func endObject() { end("}") }

  /// Opens an array, as a value of what is open.
  package mutating func beginArray(_ layout: Layout = .line) { begin("[", layout) }

  /// Closes the innermost array.
  package mutating func endArray() { end("]") }

  /// Writes the key of the next value.
  package mutating func key(_ name: String) {
    separate()
    write(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    followsKey = true
  }

  private mutating func begin(_ bracket: Unicode.Scalar, _ layout: Layout) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    containers.append(Container(layout: layout))
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    guard let container = containers.popLast() else {
      preconditionFailure("no object or array is open")
    }
    if container.layout == .lines, !container.isEmpty { breakLine() }
    bytes.append(UInt8(ascii: bracket))
  }

  /// Writes what stands between two members; nothing between a key and its value.
  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    guard let container = containers.last else { return }
    if !container.isEmpty { bytes.append(UInt8(ascii: ",")) }
    if container.layout == .lines {
      breakLine()
    } else if !container.isEmpty {
      bytes.append(UInt8(ascii: " "))
    }
    containers[containers.count - 1].isEmpty = false
  }

  private mutating func breakLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in containers {
      bytes.append(UInt8(ascii: " "))
      bytes.append(UInt8(ascii: " "))
    }
  }
}

// MARK: - Values

extension JSONWriter {
  /// Writes a text.
  package mutating func value(_ text: String) {
    separate()
    write(quoted: text)
  }

  /// Writes a whole number, exactly.
  package mutating func value(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes `true` or `false`.
  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes seconds to the microsecond, without zeros at the end.
  package mutating func value(_ duration: Duration) {
    separate()
    let (seconds, attoseconds) = duration.components
    let microseconds = attoseconds / 1_000_000_000_000
    if seconds < 0 || microseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(contentsOf: String(seconds.magnitude).utf8)
    guard microseconds != 0 else { return }
    let digits = String(1_000_000 + microseconds.magnitude).utf8.dropFirst()
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: digits)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }

  /// Writes `null`.
  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a text, or `null`.
  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  /// Writes a digest's digits, or `null`.
  package mutating func member(_ name: String, _ digest: Digest?) {
    key(name)
    guard let digest else {
      null()
      return
    }
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in digest.bytes {
      bytes.append(hexadecimalDigit(byte >> 4))
      bytes.append(hexadecimalDigit(byte & 15))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a whole number, or `null`.
  package mutating func member(_ name: String, _ number: Int64?) {
    key(name)
    if let number { value(number) } else { null() }
  }

  /// Writes a whole number.
  package mutating func member(_ name: String, _ number: Int) {
    key(name)
    value(Int64(number))
  }

  /// Writes `true` or `false`.
  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  /// Writes seconds.
  package mutating func member(_ name: String, _ duration: Duration) {
    key(name)
    value(duration)
  }
}

// MARK: - Texts

extension JSONWriter {
  private mutating func write(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: mayNeedEscape) {
      for scalar in text.unicodeScalars { write(scalar) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": bytes.append(contentsOf: #"\""#.utf8)
    case "\\": bytes.append(contentsOf: #"\\"#.utf8)
    case "\n": bytes.append(contentsOf: #"\n"#.utf8)
    case "\r": bytes.append(contentsOf: #"\r"#.utf8)
    case "\t": bytes.append(contentsOf: #"\t"#.utf8)
    case _ where PrintableText.isUnprintable(scalar) || isNoncharacter(scalar):
      let value = UInt16(scalar.value)
      bytes.append(contentsOf: #"\u"#.utf8)
      bytes.append(
        contentsOf: hexadecimalText([UInt8(value >> 8), UInt8(value & 0xFF)]).utf8)
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}

/// JSON allows these two as they are. YAML doesn't (YAML 1.2 §5.1), and lock files are read as YAML.
private func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value == 0xFFFE || scalar.value == 0xFFFF
}

/// Whether a byte is, or begins, a character that has to be escaped: C2 begins U+0080–U+009F, D8 U+061C, E2 U+200E–U+2069,
/// EF U+FEFF–U+FFFF.
private func mayNeedEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xC2 || byte == 0xD8
    || byte == 0xE2 || byte == 0xEF
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
