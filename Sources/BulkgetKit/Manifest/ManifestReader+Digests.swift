/// Reading what a file must hash to.
extension ManifestReader {
  mutating func readDigest(_ key: EntryKey, _ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    guard let algorithm = key.algorithm else { return }
    if tree.nodes[field.value].kind == .scalar,
      let digest = Digest(algorithm, digits: tree.bytes(of: field.value))
    {
      return add(digest, to: &draft, at: field.valueOffset)
    }
    guard let text = text(field, key.rawValue)?.text else { return }
    if let digest = Digest(algorithm, hexadecimal: text) {
      return add(digest, to: &draft, at: field.valueOffset)
    }
    let count = algorithm.byteCount * 2
    if text.lowercased().hasPrefix(key.rawValue + ":")
      || text.lowercased().hasPrefix(key.rawValue + "-")
    {
      let prefix = String(text.prefix(key.rawValue.count + 1))
      return report(
        "`\(key.rawValue)` wants the digits alone", hint: "leave the prefix `\(prefix)` off",
        at: field.valueOffset)
    }
    let isHexadecimal = text.utf8.allSatisfy { hexadecimalValue($0) != nil }
    let found = isHexadecimal ? "\(text.utf8.count)" : "another character"
    report(
      "`\(key.rawValue)` must be \(count) hexadecimal digits, found \(found)",
      hint: isHexadecimal ? Self.digestHint(forDigitCount: text.utf8.count) : nil,
      at: field.valueOffset)
  }

  private static func digestHint(forDigitCount count: Int) -> String? {
    DigestAlgorithm.allCases.first { $0.byteCount * 2 == count }.map {
      "\(count) digits are a `\($0.rawValue)`"
    }
  }

  /// Subresource Integrity: words of `algorithm-BASE64`, of which those of the strongest algorithm decide.
  mutating func readIntegrity(_ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    guard let value = text(field, "integrity") else { return }
    var digests: [Digest] = []
    for word in value.text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" }) {
      guard let digest = Digest(integrity: word) else {
        return report(
          "`integrity` is `algorithm-BASE64`, such as `sha256-` and 44 characters",
          hint: "the algorithms are `sha512`, `sha384`, `sha256`, `sha1` and `md5`",
          at: field.valueOffset)
      }
      digests.append(digest)
    }
    guard let strongest = digests.map(\.algorithm).max() else {
      return report("`integrity` is empty", at: field.valueOffset)
    }
    for digest in digests where digest.algorithm == strongest {
      add(digest, to: &draft, at: field.valueOffset)
    }
  }

  /// Two digests of one algorithm are either the same or a mistake: no file has both.
  private mutating func add(_ digest: Digest, to draft: inout EntryDraft, at offset: Int) {
    if let other = draft.entry.digests.first(where: { $0.algorithm == digest.algorithm }) {
      if other == digest { return }
      return report("the entry has two different \(digest.algorithm.rawValue) digests", at: offset)
    }
    draft.entry.digests.append(digest)
  }
}
