import BulkgetSystem

/// Builds a ``YAMLTree`` from a parser's events, without recursion, and stops at the first event beyond a limit.
struct YAMLComposer {
  /// How deep collections may lie in each other, aliases followed.
  static let maximumNesting = 64
  /// How many nodes all aliases together may stand for.
  static let maximumAliasedNodeCount = 4_000_000

  /// A collection whose end has not come yet.
  private struct OpenCollection {
    var index: Int
    var anchor: String?
    /// The number of nodes in it, aliases expanded.
    var weight = 1
    /// How many collections lie in each other below and with it, aliases followed.
    var height = 1
  }

  /// What an alias of a name stands for.
  private struct AnchoredNode {
    var index: Int
    var weight = 1
    var height = 0
    /// Whether the node has not ended, so that an alias would contain itself.
    var isOpen = false
  }

  private let parser: YAMLParser
  private var tree: YAMLTree
  private var open: [OpenCollection] = []
  private var anchors: [String: AnchoredNode] = [:]
  private var aliasedNodeCount = 0

  /// Reads one document. What is wrong with it is in the tree's findings, and so is all that could be read.
  static func tree(of source: [UInt8]) -> YAMLTree {
    do throws(YAMLError) {
      var composer = YAMLComposer(parser: try YAMLParser(source))
      return composer.compose()
    } catch {
      var tree = YAMLTree(source: source)
      tree.findings.append(Finding(error))
      return tree
    }
  }

  private init(parser: YAMLParser) {
    self.parser = parser
    tree = YAMLTree(source: parser.source)
    // An entry's node takes 16 bytes for about 20 of text; what stays unused is never touched.
    tree.nodes.reserveCapacity(parser.source.count / 14)
  }

  private mutating func compose() -> YAMLTree {
    do throws(Finding) {
      try composeStream()
      tree.isComplete = true
    } catch {
      tree.findings.append(error)
    }
    tree.openNodes = open.map(\.index)
    tree.copiedText = parser.copiedText
    if tree.isComplete { tree.findings += YAMLMappingCheck(tree: tree).findings() }
    return tree
  }

  private mutating func composeStream() throws(Finding) {
    var event = try next()
    guard event.kind == .documentStart else {
      throw Finding(
        "the manifest is empty", hint: "a manifest without files is `files: []`", at: 0)
    }
    event = try next()
    while event.kind != .documentEnd {
      try take(event)
      event = try next()
    }
    event = try next()
    while event.kind == .documentStart {
      guard try isEmptyRest() else {
        tree.findings.append(
          Finding(
            "a second document begins here", hint: "a manifest is one document: split the file",
            at: event.offset))
        return
      }
      event = try next()
    }
  }

  /// Whether a document that has just begun has nothing in it, as after a `---` at the end of a file.
  private func isEmptyRest() throws(Finding) -> Bool {
    let content = try next()
    guard content.kind == .scalar, content.isPlain, content.text.isEmpty, content.tag == nil,
      content.anchor == nil
    else { return false }
    _ = try next()
    return true
  }

  private func next() throws(Finding) -> YAMLEvent {
    do throws(YAMLError) { return try parser.next() } catch { throw Finding(error) }
  }

  private mutating func take(_ event: YAMLEvent) throws(Finding) {
    switch event.kind {
    case .scalar: takeScalar(event)
    case .alias: try takeAlias(event)
    case .sequenceStart: try begin(.sequence, event)
    case .mappingStart: try begin(.mapping, event)
    case .sequenceEnd, .mappingEnd: end()
    case .documentStart, .documentEnd, .streamEnd: break
    }
  }

  private mutating func takeScalar(_ event: YAMLEvent) {
    var node = YAMLNode(.scalar, offset: event.offset, index: tree.nodes.count)
    node.isPlain = event.isPlain
    if event.isCopied {
      node.isCopied = true
      node.extent = UInt32(truncatingIfNeeded: tree.copies.count)
      tree.copies.append(event.text)
    } else {
      node.extent = UInt32(truncatingIfNeeded: event.text.count)
    }
    if let tag = event.tag { check(tag, of: &node) }
    if let anchor = event.anchor { anchors[anchor] = AnchoredNode(index: tree.nodes.count) }
    tree.nodes.append(node)
    addWeight(1, height: 0)
  }

  private mutating func begin(_ kind: YAMLNode.Kind, _ event: YAMLEvent) throws(Finding) {
    try checkNesting(adding: 1, at: event.offset)
    let index = tree.nodes.count
    var node = YAMLNode(kind, offset: event.offset, index: index)
    if let tag = event.tag { check(tag, of: &node) }
    if let anchor = event.anchor { anchors[anchor] = AnchoredNode(index: index, isOpen: true) }
    tree.nodes.append(node)
    open.append(OpenCollection(index: index, anchor: event.anchor))
  }

  private mutating func end() {
    guard let closed = open.popLast() else { return }
    tree.nodes[closed.index].end = UInt32(truncatingIfNeeded: tree.nodes.count)
    if let anchor = closed.anchor, anchors[anchor]?.index == closed.index {
      anchors[anchor] = AnchoredNode(
        index: closed.index, weight: closed.weight, height: closed.height)
    }
    addWeight(closed.weight, height: closed.height)
  }

  private mutating func takeAlias(_ event: YAMLEvent) throws(Finding) {
    let name = event.anchor ?? ""
    var node = YAMLNode(.alias, offset: event.offset, index: tree.nodes.count)
    guard let anchored = anchors[name] else {
      tree.findings.append(
        Finding(
          "the alias `*\(name)` has no anchor `&\(name)` before it",
          hint: "quote a text that begins with `*`", at: event.offset))
      node.kind = .scalar
      node.isPlain = true
      tree.nodes.append(node)
      return addWeight(1, height: 0)
    }
    let limit = Self.maximumAliasedNodeCount
    if anchored.isOpen {
      throw Finding(
        "the alias `*\(name)` stands inside its own anchor: it expands beyond any alias limit "
          + "(\(limit) nodes)", at: event.offset)
    }
    aliasedNodeCount += anchored.weight
    if aliasedNodeCount > limit {
      throw Finding(
        "the aliases up to here stand for more than the alias limit of \(limit) nodes",
        at: event.offset)
    }
    try checkNesting(adding: anchored.height, at: event.offset)
    node.extent = UInt32(truncatingIfNeeded: anchored.index)
    tree.nodes.append(node)
    addWeight(anchored.weight, height: anchored.height)
  }

  private func checkNesting(adding height: Int, at offset: Int) throws(Finding) {
    guard open.count + height > Self.maximumNesting else { return }
    throw Finding(
      "collections lie in each other beyond the nesting limit of \(Self.maximumNesting)", at: offset
    )
  }

  private mutating func addWeight(_ weight: Int, height: Int) {
    guard let last = open.indices.last else { return }
    open[last].weight += weight
    open[last].height = max(open[last].height, height + 1)
  }

  /// A tag changes nothing but that `!!str` makes a text of what would be no value.
  private mutating func check(_ tag: String, of node: inout YAMLNode) {
    let prefix = "tag:yaml.org,2002:"
    let known = ["str", "int", "float", "bool", "null", "timestamp", "seq", "map"]
    if tag == "!" || tag == prefix + "str" {
      node.isPlain = false
    } else if !tag.hasPrefix(prefix) || !known.contains(String(tag.dropFirst(prefix.count))) {
      tree.findings.append(
        Finding(
          "the tag `\(tag)` means nothing in a manifest", hint: "leave the tag out",
          at: Int(node.offset)))
    }
  }
}
