/// A YAML document as one flat array of nodes in the order in which they are written.
///
/// Scalars are ranges of the source and stay text until somebody asks. Nodes are named by their index. Aliases are
/// followed, and merge keys resolved, when a node is looked at: nothing is expanded in memory. The composer has
/// bounded the nesting and the expansion, so walking a tree ends, and does so soon.
struct YAMLTree: Sendable {
  /// The bytes that were read.
  let source: [UInt8]
  /// The texts that don't stand in the source as they read, and where each of them lies.
  var copiedText: [UInt8] = []
  var copies: [Range<Int>] = []
  var nodes: [YAMLNode] = []
  /// What is wrong with the document as YAML.
  var findings: [Finding] = []
  /// Whether the whole document could be read.
  var isComplete = false
  /// The nodes that were open where reading ended early, from the outermost.
  var openNodes: [Int] = []

  /// One key of a mapping with its value. Aliases are followed already.
  struct Pair {
    var key: Int
    var value: Int
    /// Where the value is written: for an alias its own place, not its target's.
    var valueOffset: Int
  }

  /// The node that an alias refers to, or the node itself.
  func target(of index: Int) -> Int {
    nodes[index].kind == .alias ? Int(nodes[index].extent) : index
  }

  /// The node's kind, an alias followed.
  func kind(of index: Int) -> YAMLNode.Kind { nodes[target(of: index)].kind }

  func offset(of index: Int) -> Int { Int(nodes[index].offset) }

  /// A scalar's bytes.
  func bytes(of index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    if node.isCopied { return copiedText[copies[Int(node.extent)]] }
    let start = Int(node.offset) + (node.isPlain || !isQuote(at: node) ? 0 : 1)
    return source[start..<(start + Int(node.extent))]
  }

  /// A scalar's text.
  func text(of index: Int) -> String { String(decoding: bytes(of: index), as: UTF8.self) }

  /// Whether a scalar says more than an unquoted `null`, `~` or nothing.
  func hasValue(_ index: Int) -> Bool {
    let node = nodes[target(of: index)]
    guard node.kind == .scalar, node.isPlain else { return true }
    let bytes = bytes(of: target(of: index))
    switch bytes.count {
    case 0: return false
    case 1: return bytes.first != UInt8(ascii: "~")
    case 4: return !bytes.elementsEqual("null".utf8)
    default: return true
    }
  }

  /// The indices of a collection's direct children; keys and values of a mapping take turns.
  func children(of index: Int) -> [Int] {
    let end = Int(nodes[index].end)
    var children: [Int] = []
    var child = index + 1
    while child < end {
      children.append(child)
      child = Int(nodes[child].end)
    }
    return children
  }

  /// A mapping's keys and values, merge keys (`<<`) resolved: its own keys win, then what was merged first.
  func pairs(of mapping: Int) -> [Pair] {
    let (own, merged) = ownPairs(of: mapping)
    if merged.isEmpty { return own }
    var pairs = own
    var seen = Set(own.map { bytes(of: $0.key) })
    for source in merged {
      for pair in self.pairs(of: source) where seen.insert(bytes(of: pair.key)).inserted {
        pairs.append(pair)
      }
    }
    return pairs
  }

  /// The pairs that are written in the mapping itself, and the mappings that it merges.
  private func ownPairs(of mapping: Int) -> (pairs: [Pair], merged: [Int]) {
    var pairs: [Pair] = []
    var merged: [Int] = []
    pairs.reserveCapacity(8)
    let end = Int(nodes[mapping].end)
    var child = mapping + 1
    while child < end {
      let value = Int(nodes[child].end)
      guard value < end else { break }
      if isMergeKey(child) {
        merged += mergedMappings(of: target(of: value))
      } else if kind(of: child) == .scalar {
        pairs.append(
          Pair(key: target(of: child), value: target(of: value), valueOffset: offset(of: value)))
      }
      child = Int(nodes[value].end)
    }
    return (pairs, merged)
  }

  /// Whether the node is an unquoted `<<`.
  func isMergeKey(_ index: Int) -> Bool {
    let node = nodes[index]
    return node.kind == .scalar && node.isPlain && !node.isCopied && node.extent == 2
      && source[Int(node.offset)] == UInt8(ascii: "<")
      && source[Int(node.offset) + 1] == UInt8(ascii: "<")
  }

  private func mergedMappings(of value: Int) -> [Int] {
    switch nodes[value].kind {
    case .mapping: [value]
    case .sequence: children(of: value).map(target).filter { nodes[$0].kind == .mapping }
    default: []
    }
  }

  private func isQuote(at node: YAMLNode) -> Bool {
    guard Int(node.offset) < source.count else { return false }
    let byte = source[Int(node.offset)]
    return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}
