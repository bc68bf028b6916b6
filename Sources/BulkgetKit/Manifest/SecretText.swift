/// Finds secrets in a piece of text by what stands around them, without knowing its structure.
struct SecretText {
  let bytes: ArraySlice<UInt8>

  /// User information and secret-looking query values of all URLs.
  func urlSecrets() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var index = bytes.startIndex
    while let slashes = bytes[index...].firstIndex(of: UInt8(ascii: "/")) {
      index = slashes + 1
      guard slashes > bytes.startIndex, bytes[slashes - 1] == UInt8(ascii: ":"),
        index < bytes.endIndex, bytes[index] == UInt8(ascii: "/")
      else { continue }
      let end = urlEnd(from: index)
      ranges += secrets(ofURLBehindScheme: bytes[(index + 1)..<end])
      index = end
    }
    return ranges
  }

  /// A URL that is wrong may have spaces in it; it ends at a quote, and where a comment or the next key begins.
  private func urlEnd(from start: Int) -> Int {
    var previous: UInt8 = 0
    for index in start..<bytes.endIndex {
      let byte = bytes[index]
      if byte == 0x22 || byte == 0x27 { return index }
      if previous == 0x20, byte == UInt8(ascii: "#") { return index }
      if byte == 0x20, previous == UInt8(ascii: ",") || previous == UInt8(ascii: "}") {
        return index
      }
      previous = byte
    }
    return bytes.endIndex
  }

  private func secrets(ofURLBehindScheme url: ArraySlice<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    let isDelimiter = { (byte: UInt8) in
      byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    let authorityEnd = url.firstIndex(where: isDelimiter) ?? url.endIndex
    if let at = url[..<authorityEnd].lastIndex(of: UInt8(ascii: "@")) {
      ranges.append(url.startIndex..<at)
    } else if let at = url.lastIndex(of: UInt8(ascii: "@")),
      !isPort(url[..<authorityEnd].split(separator: UInt8(ascii: ":")).dropFirst().last)
    {
      // A password with a slash in it: what looks like a host and a port is none.
      ranges.append(url.startIndex..<at)
    }
    guard let question = url.firstIndex(of: UInt8(ascii: "?")) else { return ranges }
    for parameter in url[(question + 1)...].split(whereSeparator: { $0 == UInt8(ascii: "&") }) {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: parameter[..<equals], as: UTF8.self)
      if Secrecy.isSecret(name: percentDecoded(name).lowercased()), equals + 1 < parameter.endIndex
      {
        ranges.append((equals + 1)..<parameter.endIndex)
      }
    }
    return ranges
  }

  /// Whether the text behind a colon can be a port; so it is where there is none.
  private func isPort(_ text: ArraySlice<UInt8>?) -> Bool {
    text?.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "]") } ?? true
  }

  /// Where what looks like a secret begins in a line that is no valid YAML: behind a key that is called like one, or at
  /// the line's first character where the line belongs to one.
  func secretStart(isInSecret: Bool) -> Int? {
    var wordStart = bytes.startIndex
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: ":"), isSecretKey(bytes[wordStart..<index]) { return index + 1 }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
        wordStart = index + 1
      }
    }
    return isInSecret
      ? bytes.firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "-") } : nil
  }

  private func isSecretKey(_ bytes: ArraySlice<UInt8>) -> Bool {
    let word = String(decoding: bytes, as: UTF8.self).lowercased()
    let name = word.filter { $0 != "\"" && $0 != "'" && $0 != " " }
    return name.hasSuffix("auth") || name.hasSuffix("header") || name.hasSuffix("headers")
      || name.hasSuffix("bearer") || name.hasSuffix("cookie") || Secrecy.isSecret(name: name)
  }
}
