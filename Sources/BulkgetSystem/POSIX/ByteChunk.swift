/// A piece of memory of fixed size that is filled by one thread and then handed to another.
///
/// `@unchecked Sendable`: it has one owner at a time, which passes it on and forgets it.
package final class ByteChunk: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many bytes are filled.
  package private(set) var count = 0

  package init(capacity: Int) {
    buffer = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  package var capacity: Int { buffer.count }
  package var isFull: Bool { count == buffer.count }

  /// The filled bytes.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// Takes as much of `span`, from the offset on, as there is room for, and says how much that was.
  package func append(_ span: RawSpan, from offset: Int) -> Int {
    let taken = min(buffer.count - count, span.byteCount - offset)
    span.withUnsafeBytes { source in
      let piece = UnsafeRawBufferPointer(rebasing: source[offset..<(offset + taken)])
      buffer[count...].copyBytes(from: piece)
    }
    count += taken
    return taken
  }

  package func removeAll() { count = 0 }

  /// Fills the chunk from the file's position; false at the file's end.
  package func fill(from file: FileDescriptor) throws(SystemError) -> Bool {
    count = try file.read(into: buffer)
    return count > 0
  }
}

extension FileDescriptor {
  /// Writes the filled bytes of a chunk at the file's position.
  package func write(_ chunk: ByteChunk) throws(SystemError) { try write(chunk.bytes) }
}

extension MessageDigest {
  /// Adds the filled bytes of a chunk.
  package func update(_ chunk: ByteChunk) { update(chunk.bytes) }
}

extension String {
  /// The text of bytes that should be UTF-8; what isn't becomes U+FFFD.
  package init(copyingUTF8 span: Span<UInt8>) {
    self = span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
