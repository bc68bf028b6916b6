package import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// BODY(n) of the tests: bytes of a fixed pseudo-random sequence, any part of which is made when it is asked for.
///
/// The sequence repeats a random block whose length is a prime, and the first 8 bytes of every 4,096 hold the number
/// of that page, mixed. So a piece that is shifted, doubled or missing shows, whatever its length, and even an
/// unoptimised build makes gigabytes a second.
package struct PseudoRandomBody: Hashable, Sendable {
  package let seed: UInt64
  package let count: Int64

  package init(seed: UInt64 = 1, count: Int64) {
    self.seed = seed
    self.count = count
  }

  /// The bytes of `range`, which must lie within the body.
  package subscript(range: Range<Int64>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the body")
    return [UInt8](unsafeUninitializedCapacity: Int(range.count)) { buffer, initializedCount in
      fill(UnsafeMutableRawBufferPointer(buffer), from: range.lowerBound)
      initializedCount = Int(range.count)
    }
  }

  /// All bytes; for bodies that fit into memory.
  package var bytes: [UInt8] { self[0..<count] }

  /// The digest of the body's first `count` bytes in lower-case hexadecimal digits; of all by default.
  package func hexadecimalDigest(_ algorithm: MessageDigestAlgorithm = .sha256) -> String {
    hexadecimalDigestOfPieces(algorithm, count: count) { self[$0] }
  }

  private static let blockLength = 1_048_573
  private static let pageLength: Int64 = 4_096
  private static let block = makeBlock()

  private static func makeBlock() -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(blockLength + 8)
    var index: UInt64 = 0
    while block.count < blockLength {
      withUnsafeBytes(of: mixed(index).littleEndian) { block.append(contentsOf: $0) }
      index += 1
    }
    return Array(block.prefix(blockLength))
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from start: Int64) {
    guard !buffer.isEmpty else { return }
    copyBlocks(into: buffer, from: start)
    let end = start + Int64(buffer.count)
    for page in start / Self.pageLength...(end - 1) / Self.pageLength {
      let number = mixed(seed ^ mixed(UInt64(page))).littleEndian
      withUnsafeBytes(of: number) { stamp in
        let first = page * Self.pageLength
        let visible = max(start, first)..<max(max(start, first), min(end, first + 8))
        for position in visible {
          buffer[Int(position - start)] = stamp[Int(position - first)]
        }
      }
    }
  }

  private func copyBlocks(into buffer: UnsafeMutableRawBufferPointer, from start: Int64) {
    Self.block.withUnsafeBytes { block in
      let shift = mixed(seed) % UInt64(Self.blockLength)
      var offset = Int((UInt64(start) + shift) % UInt64(Self.blockLength))
      var done = 0
      while done < buffer.count {
        let length = min(buffer.count - done, Self.blockLength - offset)
        buffer[done..<done + length].copyBytes(from: block[offset..<offset + length])
        done += length
        offset = 0
      }
    }
  }
}

extension UnsafeMutableRawBufferPointer.SubSequence {
  /// Copies through memcpy, which the generic path reaches only in optimised builds.
  fileprivate func copyBytes(from source: Slice<UnsafeRawBufferPointer>) {
    let target = UnsafeMutableRawBufferPointer(rebasing: self)
    guard let destination = target.baseAddress,
      let origin = UnsafeRawBufferPointer(rebasing: source).baseAddress
    else { return }
    memcpy(destination, origin, target.count)
  }
}
