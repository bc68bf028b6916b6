extension Digest {
  /// Reads one word of Subresource Integrity text, `sha256-BASE64`; what follows a `?` is left out. Nil for anything
  /// else.
  init?(integrity word: some StringProtocol) {
    let parts = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let algorithm = DigestAlgorithm(rawValue: String(parts[0])),
      let text = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        .first,
      let bytes = base64Decoded(Array(text.utf8))
    else { return nil }
    self.init(algorithm, bytes: bytes)
  }
}

/// The bytes of base64 text (RFC 4648 §4 and §5) with or without padding; nil for anything else.
func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
  var padding = 0
  while padding < text.count, text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
  let digits = text.dropLast(padding)
  guard digits.count % 4 != 1, padding == 0 || (padding <= 2 && text.count % 4 == 0) else {
    return nil
  }
  var bytes: [UInt8] = []
  var buffer: UInt32 = 0
  var bitCount = 0
  for character in digits {
    guard let value = base64Value(character) else { return nil }
    buffer = buffer << 6 | UInt32(value)
    bitCount += 6
    if bitCount >= 8 {
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bitCount)))
      buffer &= (1 << UInt32(bitCount)) - 1
    }
  }
  // Bits behind the last byte must be zero, or two texts would mean the same.
  return buffer == 0 ? bytes : nil
}

private func base64Value(_ character: UInt8) -> UInt8? {
  switch character {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
  case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
  default: nil
  }
}
