package import BulkgetSystem

/// The digest algorithms that a manifest can name, from weakest to strongest.
public enum DigestAlgorithm: String, CaseIterable, Comparable, Sendable {
  case md5, sha1, sha256, sha384, sha512

  /// The length of a digest in bytes.
  public var byteCount: Int { system.byteCount }

  /// Whether equal digests prove equal content (RFC 6234); only then do bytes match across ids.
  public var isStrong: Bool { self >= .sha256 }

  /// Orders by strength.
  public static func < (left: Self, right: Self) -> Bool { left.byteCount < right.byteCount }

  package var system: MessageDigestAlgorithm {
    switch self {
    case .md5: .md5
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }
}

/// The digest of a file's content. A value of this type always has its algorithm's length.
public struct Digest: Hashable, Sendable {
  /// How the bytes were computed.
  public let algorithm: DigestAlgorithm
  /// The digest itself.
  public let bytes: [UInt8]

  /// Makes a digest of raw bytes; nil where their number is not the algorithm's.
  public init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Reads hexadecimal digits in either case; nil where one is no digit or their number is wrong.
  public init?(_ algorithm: DigestAlgorithm, hexadecimal text: String) {
    self.init(algorithm, digits: text.utf8)
  }

  /// Reads the characters of hexadecimal digits.
  init?(_ algorithm: DigestAlgorithm, digits: some Collection<UInt8>) {
    guard digits.count == algorithm.byteCount * 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(algorithm.byteCount)
    var high: UInt8?
    for character in digits {
      guard let value = hexadecimalValue(character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// The digest in lower-case hexadecimal digits.
  public var hexadecimal: String { hexadecimalText(bytes) }
}

extension Digest: CustomStringConvertible {
  /// The algorithm and the digits, as in `sha256:9f86…`.
  public var description: String { "\(algorithm.rawValue):\(hexadecimal)" }
}

/// The value of a hexadecimal digit in ASCII.
package func hexadecimalValue(_ character: UInt8) -> UInt8? {
  switch character {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// Bytes as lower-case hexadecimal digits.
package func hexadecimalText(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var characters: [UInt8] = []
  characters.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    characters.append(digits[Int(byte >> 4)])
    characters.append(digits[Int(byte & 15)])
  }
  return String(decoding: characters, as: UTF8.self)
}
