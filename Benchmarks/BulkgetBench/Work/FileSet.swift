import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files that the server has for one kind of work: the same bytes on every machine.
struct FileSet: Hashable, Sendable {
  /// How large the files are.
  enum Sizes: Hashable, Sendable {
    /// All alike.
    case equal(count: Int, byteCount: Int64)
    /// From about 1 KiB to 4,096 times as much, as many between 1 and 2 KiB as between 1 and 2 MiB.
    case spread(count: Int, totalByteCount: Int64)
  }

  /// The directory's name below the server's root.
  let name: String
  let sizes: Sizes

  /// The sizes of its files in bytes, in their order. A scale below 1 gives fewer of many files, or a smaller single one.
  func byteCounts(scale: Double) -> [Int64] {
    switch sizes {
    case .equal(count: 1, let byteCount): [byteCount.scaled(by: scale)]
    case .equal(let count, let byteCount):
      [Int64](repeating: byteCount, count: count.scaled(by: scale))
    case .spread(let count, let total):
      Self.spread(count.scaled(by: scale), totalByteCount: total.scaled(by: scale))
    }
  }

  /// The name of its file number `index`.
  func fileName(_ index: Int) -> String {
    let digits = String(index)
    return name + "-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
      + ".bin"
  }

  /// The bytes of its file number `index`.
  func body(_ index: Int, byteCount: Int64) -> PseudoRandomBody {
    let seed = name.utf8.reduce(UInt64(index)) { $0 &* 257 &+ UInt64($1) }
    return PseudoRandomBody(seed: seed, count: byteCount)
  }

  private static func spread(_ count: Int, totalByteCount: Int64) -> [Int64] {
    let weights = (0..<count).map { pow(4_096, (Double($0) + 0.5) / Double(count)) }
    let unit = Double(totalByteCount) / weights.reduce(0, +)
    var sizes = weights.map { max(1, Int64($0 * unit)) }
    // The largest takes what rounding left.
    sizes[count - 1] += totalByteCount - sizes.reduce(0, +)
    var random = SeededGenerator(seed: 1)
    sizes.shuffle(using: &random)
    return sizes
  }
}

extension BinaryInteger {
  /// A part of it, but at least 1.
  func scaled(by scale: Double) -> Self { Self(max(1, (Double(self) * scale).rounded())) }
}
