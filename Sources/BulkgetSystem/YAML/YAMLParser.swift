import CYAML

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads YAML event by event through libyaml.
///
/// It owns the source and the `yaml_parser_t`, which lies on the heap since libyaml keeps its address. libyaml never
/// holds a pointer into the source: it asks for it piece by piece. Every event is freed before ``next()`` returns.
package final class YAMLParser {
  /// The bytes as they were given; the ranges of events lie in them.
  package let source: [UInt8]
  /// The texts of scalars that don't stand in the source as they read: escaped, folded, or in a block.
  package private(set) var copiedText: [UInt8] = []

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let prepared: PreparedYAML
  /// The next byte of the prepared source that libyaml gets.
  private var readOffset: Int
  private var cursor: CharacterCursor
  private var hasEnded = false

  /// Starts at the beginning of `source`.
  package init(_ source: [UInt8]) throws(YAMLError) {
    self.source = source
    prepared = try PreparedYAML(source)
    readOffset = prepared.start
    cursor = CharacterCursor(start: prepared.start, isASCII: prepared.isASCII)
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw YAMLError("there is not enough memory to read it", offset: 0)
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    // Unretained, since the parser lives no longer than its owner: `deinit` deletes it.
    yaml_parser_set_input(
      parser,
      { owner, buffer, size, count in
        guard let owner, let buffer, let count else { return 0 }
        let reader = Unmanaged<YAMLParser>.fromOpaque(owner).takeUnretainedValue()
        count.pointee = reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        return 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event; after the end of the stream, that end again.
  package func next() throws(YAMLError) -> YAMLEvent {
    if hasEnded { return YAMLEvent(.streamEnd, offset: source.count) }
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    let offset = byteOffset(ofCharacter: event.start_mark.index)
    switch event.type {
    case YAML_STREAM_START_EVENT: return try next()
    case YAML_STREAM_END_EVENT:
      hasEnded = true
      return YAMLEvent(.streamEnd, offset: offset)
    case YAML_DOCUMENT_START_EVENT: return YAMLEvent(.documentStart, offset: offset)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(.documentEnd, offset: offset)
    case YAML_ALIAS_EVENT:
      var result = YAMLEvent(.alias, offset: offset)
      result.anchor = text(event.data.alias.anchor)
      return result
    case YAML_SCALAR_EVENT: return scalar(event, offset: offset)
    case YAML_SEQUENCE_START_EVENT:
      var result = YAMLEvent(.sequenceStart, offset: offset)
      result.anchor = text(event.data.sequence_start.anchor)
      result.tag = text(event.data.sequence_start.tag)
      return result
    case YAML_SEQUENCE_END_EVENT: return YAMLEvent(.sequenceEnd, offset: offset)
    case YAML_MAPPING_START_EVENT:
      var result = YAMLEvent(.mappingStart, offset: offset)
      result.anchor = text(event.data.mapping_start.anchor)
      result.tag = text(event.data.mapping_start.tag)
      return result
    case YAML_MAPPING_END_EVENT: return YAMLEvent(.mappingEnd, offset: offset)
    default:
      throw YAMLError(
        "the YAML library reported an event that bulkget doesn't know", offset: offset)
    }
  }

  private func scalar(_ event: yaml_event_t, offset: Int) -> YAMLEvent {
    let data = event.data.scalar
    var result = YAMLEvent(.scalar, offset: offset)
    result.isPlain = data.style == YAML_PLAIN_SCALAR_STYLE
    result.anchor = text(data.anchor)
    result.tag = text(data.tag)
    let isQuoted =
      data.style == YAML_SINGLE_QUOTED_SCALAR_STYLE || data.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
    let value = UnsafeRawBufferPointer(start: data.value, count: data.length)
    let start = isQuoted ? offset + 1 : offset
    if standsInSource(value, at: start) {
      result.text = start..<(start + value.count)
      return result
    }
    let end = byteOffset(ofCharacter: event.end_mark.index)
    let isDoubleQuoted = data.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
    let copyStart = copiedText.count
    if prepared.surrogates.isEmpty {
      copiedText.append(contentsOf: value)
    } else {
      copiedText += prepared.surrogates.restored(
        Array(value), in: offset..<end, isDoubleQuoted: isDoubleQuoted, source: source)
    }
    result.text = copyStart..<copiedText.count
    result.isCopied = true
    return result
  }

  private func standsInSource(_ value: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard start + value.count <= source.count else { return false }
    guard let address = value.baseAddress, !value.isEmpty else { return true }
    return source.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return memcmp(base + start, address, value.count) == 0
    }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let bytes = prepared.replacement ?? source
    let count = min(buffer.count, bytes.count - readOffset)
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[readOffset..<readOffset + count]))
    }
    readOffset += count
    return count
  }

  private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private func byteOffset(ofCharacter index: Int) -> Int {
    cursor.byteOffset(ofCharacter: index, in: source)
  }

  private func failure() -> YAMLError {
    hasEnded = true
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? ""
    let context = state.context.map { String(cString: $0) } ?? ""
    if state.error == YAML_READER_ERROR {
      return unreadableCharacter(
        problem, offset: prepared.start + state.problem_offset, in: source)
    }
    if state.error == YAML_MEMORY_ERROR {
      return YAMLError("there is not enough memory to read it", offset: 0)
    }
    let syntaxError = YAMLSyntaxError(
      problem: problem, context: context,
      offset: byteOffset(ofCharacter: state.problem_mark.index),
      contextOffset: byteOffset(ofCharacter: state.context_mark.index))
    return syntaxError.explained(in: source)
  }
}

/// Finds bytes by libyaml's marks, which count characters. Marks hardly ever go back, so that the way is walked once.
private struct CharacterCursor {
  private let start: Int
  private let isASCII: Bool
  private var index = 0
  private var offset: Int

  init(start: Int, isASCII: Bool) {
    self.start = start
    self.isASCII = isASCII
    offset = start
  }

  mutating func byteOffset(ofCharacter target: Int, in bytes: [UInt8]) -> Int {
    if isASCII { return min(start + target, bytes.count) }
    while index < target, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      index += 1
    }
    while index > target, offset > start {
      offset -= 1
      while offset > start, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      index -= 1
    }
    return offset
  }
}
