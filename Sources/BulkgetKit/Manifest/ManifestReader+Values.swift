/// Reading single values: text first, and then what the field wants.
extension ManifestReader {
  /// The text of a scalar with its `${…}` replaced; nil, and a finding, where there is none.
  mutating func text(_ pair: YAMLTree.Pair, _ name: String) -> ExpandedText? {
    guard isText(pair, name) else { return nil }
    let bytes = tree.bytes(of: pair.value)
    guard Template.isNeeded(for: bytes) else { return ExpandedText(bytes: bytes) }
    do throws(Template.Refusal) {
      let value = try template.expanded(bytes)
      return withinBudget(value, at: pair.valueOffset)
    } catch {
      let near = error.unknownName.flatMap { suggestion(for: $0, among: template.variables.keys) }
      report(
        error.message, hint: near.map { "did you mean `\($0)`?" } ?? error.hint,
        at: pair.valueOffset)
      return nil
    }
  }

  /// Gives the text back while all expanded texts together keep to their limit; nil from then on, and one finding.
  private mutating func withinBudget(_ value: ExpandedText, at offset: Int) -> ExpandedText? {
    switch expansion.take(value.bytes.count) {
    case .granted: return value
    case .usedUp: return nil
    case .exceeded:
      report(
        "the values up to here expand to more than \(Self.maximumExpandedByteCount) bytes in all",
        at: offset)
      return nil
    }
  }

  /// The word that was probably meant. A manifest with many mistakes, or many words, gets no suggestions after the
  /// first: they are for people, and cost more than all the rest.
  func suggestion(for word: String, among words: some Collection<String>) -> String? {
    guard findings.count < 100, words.count <= 1000 else { return nil }
    return Suggestion.nearest(to: word, among: words.sorted())
  }

  /// The text of a scalar as it is written.
  mutating func literalText(_ pair: YAMLTree.Pair, _ name: String) -> String? {
    isText(pair, name) ? tree.text(of: pair.value) : nil
  }

  private mutating func isText(_ pair: YAMLTree.Pair, _ name: String) -> Bool {
    guard tree.nodes[pair.value].kind == .scalar else {
      report(
        "`\(PrintableText.shown(name))` wants a text, not a \(kindName(pair.value))",
        at: pair.valueOffset)
      return false
    }
    guard tree.hasValue(pair.value) else {
      report(
        "`\(PrintableText.shown(name))` has no value",
        hint: "leave the key out, or put the text between quotes", at: pair.valueOffset)
      return false
    }
    return true
  }

  /// The pairs of a mapping; no value is an empty one.
  mutating func mapping(_ pair: YAMLTree.Pair, _ name: String) -> [YAMLTree.Pair]? {
    guard tree.hasValue(pair.value) else { return [] }
    guard tree.nodes[pair.value].kind == .mapping else {
      report("`\(PrintableText.shown(name))` wants `key: value` pairs", at: pair.valueOffset)
      return nil
    }
    return tree.pairs(of: pair.value)
  }

  /// The items of a list as pairs, so that they are read like other values.
  mutating func list(_ pair: YAMLTree.Pair, _ name: String) -> [YAMLTree.Pair]? {
    guard tree.nodes[pair.value].kind == .sequence else {
      report("`\(name)` wants a list", hint: "write `\(name): [a, b]`", at: pair.valueOffset)
      return nil
    }
    return tree.children(of: pair.value).map {
      YAMLTree.Pair(key: pair.key, value: tree.target(of: $0), valueOffset: tree.offset(of: $0))
    }
  }

  mutating func boolean(_ pair: YAMLTree.Pair, _ name: String) -> Bool? {
    guard let value = text(pair, name)?.text else { return nil }
    switch value {
    case "true": return true
    case "false": return false
    default:
      let near =
        switch value.lowercased() {
        case "yes", "on", "y", "1", "true": "write `true`"
        case "no", "off", "n", "0", "false": "write `false`"
        default: "write `true` or `false`"
        }
      report("`\(name)` is `true` or `false`", hint: near, at: pair.valueOffset)
      return nil
    }
  }

  /// A number in plain digits, without leading zeros, underscores or exponents.
  mutating func integer(
    _ pair: YAMLTree.Pair, _ name: String, in range: ClosedRange<Int64>
  ) -> Int64? {
    guard let bytes = text(pair, name)?.bytes else { return nil }
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    let isPlain =
      !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
    if isPlain, let number = Int64(String(decoding: bytes, as: UTF8.self)), range.contains(number) {
      return number
    }
    report(
      "`\(name)` is a whole number from \(range.lowerBound) to \(range.upperBound)",
      hint: "write plain digits, without leading zeros, units, points or underscores",
      at: pair.valueOffset)
    return nil
  }

  mutating func reportUnknown(_ keyNode: Int, among known: [String], in place: String) {
    let key = tree.text(of: keyNode)
    if key.hasPrefix("x-") { return }
    let offset = tree.offset(of: keyNode)
    let name = PrintableText.shown(key)
    if ManifestKeys.reserved.contains(key) {
      return report(
        "`\(name)` is reserved for a later version", hint: "keys of your own begin with `x-`",
        at: offset)
    }
    let synonym = ManifestKeys.synonyms[key.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    let near = suggestion(for: key, among: known) ?? synonym
    report(
      "\(place) has no key `\(name)`",
      hint: near.map { "did you mean `\($0)`?" } ?? "keys of your own begin with `x-`", at: offset)
  }

  private func kindName(_ index: Int) -> String {
    tree.nodes[index].kind == .sequence ? "list" : "mapping"
  }
}
