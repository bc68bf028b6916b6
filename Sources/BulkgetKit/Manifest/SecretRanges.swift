/// Finds what must not be shown of a manifest: values below `auth` and `headers`, values of keys that are called like a
/// secret, and user information and secret-looking query values of URLs.
struct SecretRanges {
  private let tree: YAMLTree
  /// All secret values of the tree, ascending.
  private let values: [Range<Int>]
  /// Whether reading ended inside `auth` or `headers`, so that what follows belongs to them.
  private let endsInSecret: Bool

  /// How much of a long line is looked at before and after a place.
  private static let bytesBefore = 16 * 1024
  private static let bytesAfter = 1024

  init(tree: YAMLTree) {
    self.tree = tree
    values = Self.secretValues(of: tree)
    endsInSecret = tree.openNodes.contains { node in
      node > 0 && tree.nodes[node - 1].kind == .scalar
        && Self.isSecretKey(tree.text(of: node - 1))
    }
  }

  /// The secret parts of a line around a place, ascending.
  func ranges(in line: Range<Int>, around offset: Int) -> [Range<Int>] {
    let start = max(line.lowerBound, offset - Self.bytesBefore)
    let window = start..<max(start, min(line.upperBound, offset + Self.bytesAfter))
    let text = SecretText(bytes: tree.source[window])
    var ranges = values(in: window) + text.urlSecrets()
    if !tree.isComplete, let start = text.secretStart(isInSecret: endsInSecret) {
      ranges.append(start..<line.upperBound)
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  private func values(in window: Range<Int>) -> [Range<Int>] {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      if values[middle].upperBound <= window.lowerBound { low = middle + 1 } else { high = middle }
    }
    return values[low...].prefix { $0.lowerBound < window.upperBound }.map {
      $0.clamped(to: window)
    }
  }

  private static func isSecretKey(_ key: String) -> Bool {
    // A key that is longer than any name is none of a secret, and would take long to look at.
    guard key.utf8.count <= 256 else { return false }
    return key == "auth" || key == "headers" || Secrecy.isSecret(name: key.lowercased())
  }

  private static func secretValues(of tree: YAMLTree) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    // The same few keys come again in every entry.
    var known: [ArraySlice<UInt8>: Bool] = [:]
    for index in tree.nodes.indices where tree.nodes[index].kind == .mapping {
      let children = tree.children(of: index)
      for position in stride(from: 0, to: children.count - 1, by: 2)
      where tree.kind(of: children[position]) == .scalar {
        let key = tree.target(of: children[position])
        let bytes = tree.bytes(of: key)
        let isSecret = known[bytes] ?? isSecretKey(tree.text(of: key))
        if known.count < 1000 { known[bytes] = isSecret }
        if isSecret { ranges += scalars(below: children[position + 1], in: tree) }
      }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The bytes of all values at or below a node. Keys stay visible.
  private static func scalars(below root: Int, in tree: YAMLTree) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var rest = [tree.target(of: root)]
    while let index = rest.popLast() {
      let children = tree.nodes[index].kind == .scalar ? [] : tree.children(of: index)
      switch tree.nodes[index].kind {
      case .scalar: ranges.append(range(of: index, in: tree))
      case .sequence: rest += children.map(tree.target)
      case .mapping:
        rest += stride(from: 1, to: children.count, by: 2).map { tree.target(of: children[$0]) }
      case .alias: break
      }
    }
    return ranges
  }

  /// Where a scalar is written, its quotes included.
  private static func range(of index: Int, in tree: YAMLTree) -> Range<Int> {
    let node = tree.nodes[index]
    let start = Int(node.offset)
    if !node.isCopied {
      return start..<min(tree.source.count, start + Int(node.extent) + (node.isPlain ? 0 : 2))
    }
    // It may span lines. A block or a plain text reaches at most to the next node.
    let next = index + 1 < tree.nodes.count ? tree.offset(of: index + 1) : tree.source.count
    return start..<max(start, closingQuote(from: start, in: tree.source) ?? next)
  }

  /// The offset behind the quote that closes the text at an offset; nil where it is not quoted.
  private static func closingQuote(from start: Int, in source: [UInt8]) -> Int? {
    guard start < source.count else { return nil }
    let quote = source[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    var index = start + 1
    while index < source.count {
      if source[index] == quote { return index + 1 }
      index += quote == UInt8(ascii: "\"") && source[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return source.count
  }
}
