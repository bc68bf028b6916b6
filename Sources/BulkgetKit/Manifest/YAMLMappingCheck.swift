/// What must hold for every mapping, whatever it is for: its keys are texts, no two of them alike, and what is merged
/// is a mapping.
struct YAMLMappingCheck {
  let tree: YAMLTree

  /// What is wrong with the mappings of the tree.
  func findings() -> [Finding] {
    var findings: [Finding] = []
    for index in tree.nodes.indices where tree.nodes[index].kind == .mapping {
      check(index, &findings)
    }
    return findings
  }

  private func check(_ mapping: Int, _ findings: inout [Finding]) {
    var keys: [Int] = []
    keys.reserveCapacity(8)
    let end = Int(tree.nodes[mapping].end)
    var key = mapping + 1
    while key < end {
      let value = Int(tree.nodes[key].end)
      guard value < end else { break }
      if tree.kind(of: key) == .scalar {
        keys.append(key)
      } else {
        findings.append(Finding("a key must be a text", at: tree.offset(of: key)))
      }
      if tree.isMergeKey(key), !isMergeable(value) {
        findings.append(
          Finding(
            "`<<` wants a mapping, an alias of one, or a list of such",
            at: tree.offset(of: value)))
      }
      key = Int(tree.nodes[value].end)
    }
    findings += keys.count > 16 ? duplicatesOfMany(keys) : duplicatesOfFew(keys)
  }

  private func isMergeable(_ value: Int) -> Bool {
    let target = tree.target(of: value)
    switch tree.nodes[target].kind {
    case .mapping: return true
    case .sequence: return tree.children(of: target).allSatisfy { tree.kind(of: $0) == .mapping }
    default: return false
    }
  }

  private func duplicatesOfFew(_ keys: [Int]) -> [Finding] {
    var findings: [Finding] = []
    for (position, key) in keys.enumerated() {
      let text = tree.bytes(of: tree.target(of: key))
      for earlier in keys[..<position]
      where tree.bytes(of: tree.target(of: earlier)).elementsEqual(text) {
        findings.append(duplicate(key, of: earlier))
        break
      }
    }
    return findings
  }

  private func duplicatesOfMany(_ keys: [Int]) -> [Finding] {
    var findings: [Finding] = []
    var seen: [ArraySlice<UInt8>: Int] = [:]
    seen.reserveCapacity(keys.count)
    for key in keys {
      let text = tree.bytes(of: tree.target(of: key))
      if let earlier = seen[text] {
        findings.append(duplicate(key, of: earlier))
      } else {
        seen[text] = key
      }
    }
    return findings
  }

  private func duplicate(_ key: Int, of earlier: Int) -> Finding {
    let name = PrintableText.shown(tree.text(of: tree.target(of: key)))
    return Finding(
      "the key `\(name)` is already given", hint: "remove one of the two",
      at: tree.offset(of: key), earlier: tree.offset(of: earlier))
  }
}
