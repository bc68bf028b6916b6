package import BulkgetSystem

/// What a test server sends as a body, or a part of it. No part but `.bytes` is held in memory.
package struct Body: Sendable, ExpressibleByStringLiteral {
  private enum Source: Sendable {
    case bytes([UInt8])
    case pseudoRandom(PseudoRandomBody)
    case repeating(UInt8)
  }

  private let source: Source
  private let range: Range<Int64>

  package static let empty = Self.bytes([])

  package static func bytes(_ bytes: [UInt8]) -> Self {
    Self(source: .bytes(bytes), range: 0..<Int64(bytes.count))
  }

  package static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }

  /// BODY(n).
  package static func pseudoRandom(_ count: Int64, seed: UInt64 = 1) -> Self {
    Self(source: .pseudoRandom(PseudoRandomBody(seed: seed, count: count)), range: 0..<count)
  }

  /// The same byte again and again; `Int64.max` of them are endless.
  package static func repeating(_ byte: UInt8, count: Int64) -> Self {
    Self(source: .repeating(byte), range: 0..<count)
  }

  package init(stringLiteral text: String) {
    self = .text(text)
  }

  private init(source: Source, range: Range<Int64>) {
    self.source = source
    self.range = range
  }

  /// Length in bytes.
  package var count: Int64 { range.upperBound - range.lowerBound }

  /// A part of this body, by positions within it.
  package func slice(_ part: Range<Int64>) -> Self {
    let start = range.lowerBound
    precondition(part.upperBound <= count, "slice outside the body")
    return Self(source: source, range: start + part.lowerBound..<start + part.upperBound)
  }

  /// The bytes of `part`, by positions within this body.
  package func bytes(_ part: Range<Int64>) -> [UInt8] {
    let absolute = slice(part).range
    switch source {
    case .bytes(let bytes): return Array(bytes[Int(absolute.lowerBound)..<Int(absolute.upperBound)])
    case .pseudoRandom(let body): return body[absolute]
    case .repeating(let byte): return [UInt8](repeating: byte, count: Int(part.count))
    }
  }

  /// All bytes; for bodies that fit into memory.
  package var bytes: [UInt8] { bytes(0..<count) }

  /// The whole body's digest in lower-case hexadecimal digits.
  package func hexadecimalDigest(_ algorithm: MessageDigestAlgorithm = .sha256) -> String {
    hexadecimalDigestOfPieces(algorithm, count: count) { bytes($0) }
  }
}

/// The digest of `count` bytes that are made piece by piece.
func hexadecimalDigestOfPieces(
  _ algorithm: MessageDigestAlgorithm, count: Int64, bytes: (Range<Int64>) -> [UInt8]
) -> String {
  guard let digest = MessageDigest(algorithm) else { return "\(algorithm) is not available" }
  var position: Int64 = 0
  while position < count {
    let end = min(count, position + 1 << 20)
    bytes(position..<end).withUnsafeBytes { digest.update($0) }
    position = end
  }
  return digest.finish().map { byte in
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }.joined()
}
