import BulkgetSystem

/// Turns the tree of a manifest into a ``Manifest``, collecting every mistake on the way.
///
/// 1. Variables, version and namespace, which the rest builds on.
/// 2. Defaults and hosts.
/// 3. The entries.
/// 4. What must hold between entries: ids and destinations.
struct ManifestReader {
  let tree: YAMLTree
  let lines: LineIndex
  let input: ManifestInput
  var findings: [Finding]
  var template: Template
  var manifest: Manifest
  /// What an entry is before its own keys are read.
  var entryDefaults = Entry(key: FileKey(namespace: "default", id: ""), sources: [])

  /// The mistakes that were only counted.
  var omittedFindingCount = 0
  /// The bytes of all values in which something was replaced.
  let expansion = ExpansionBudget(byteCount: Self.maximumExpandedByteCount)

  /// How many mistakes are kept: nobody reads more, and a broken generator makes millions.
  static let maximumFindingCount = 10_000
  /// How many bytes all values in which something was replaced may have.
  static let maximumExpandedByteCount = 256 * 1024 * 1024

  init(bytes: [UInt8], input: ManifestInput) {
    self.input = input
    tree = YAMLComposer.tree(of: bytes)
    lines = LineIndex(bytes)
    findings = tree.findings
    template = Template(environment: input.environment)
    manifest = Manifest(path: input.path)
    manifest.directory = input.directory
    manifest.sha256 = MessageDigest(.sha256).flatMap {
      Digest(.sha256, bytes: $0.digest(of: bytes))
    }
  }

  /// Reads the manifest, or throws all that is wrong with it.
  mutating func read() throws(ManifestError) -> Manifest {
    if tree.isComplete { readTop() }
    guard findings.isEmpty else { throw error() }
    return manifest
  }

  mutating func report(_ message: String, hint: String? = nil, at offset: Int, earlier: Int? = nil)
  {
    if findings.count < Self.maximumFindingCount {
      findings.append(Finding(message, hint: hint, at: offset, earlier: earlier))
    } else {
      omittedFindingCount += 1
    }
  }

  private mutating func readTop() {
    guard tree.hasValue(0) else {
      return report("the manifest is empty", hint: "a manifest without files is `files: []`", at: 0)
    }
    guard tree.kind(of: 0) == .mapping else {
      return report(
        "a manifest is a mapping with the key `files`", hint: "begin with `files:`",
        at: tree.offset(of: 0))
    }
    var top: [String: YAMLTree.Pair] = [:]
    for pair in tree.pairs(of: 0) {
      let key = tree.text(of: pair.key)
      if ManifestKeys.top.contains(key) {
        top[key] = pair
      } else {
        reportUnknown(pair.key, among: ManifestKeys.top, in: "a manifest")
      }
    }
    if let pair = top["variables"] { readVariables(pair) }
    if let pair = top["version"] { readVersion(pair) }
    if let pair = top["namespace"] { readNamespace(pair) }
    if let pair = top["defaults"] { readDefaults(pair) }
    if let pair = top["hosts"] { readHosts(pair) }
    guard let files = top["files"] else {
      return report(
        "`files` is missing", hint: "a manifest without files is `files: []`",
        at: tree.offset(of: 0))
    }
    readFiles(files)
  }

  private mutating func readVersion(_ pair: YAMLTree.Pair) {
    guard let version = text(pair, "version"), version.text != "1" else { return }
    report(
      "this version of the manifest language is unknown", hint: "the only version is 1",
      at: pair.valueOffset)
  }

  private mutating func readNamespace(_ pair: YAMLTree.Pair) {
    guard let namespace = literalText(pair, "namespace") else { return }
    guard Self.isNamespace(namespace) else {
      return report(
        "a namespace begins with a letter or digit and has at most 64 of `a-z`, `0-9`, `.`, `_` and `-`",
        hint: "`namespace` is taken as written: `${…}` is not replaced in it", at: pair.valueOffset)
    }
    entryDefaults.key = FileKey(namespace: namespace, id: "")
  }

  static func isNamespace(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count) else { return false }
    return text.utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): index > 0
      default: false
      }
    }
  }

  private mutating func readVariables(_ pair: YAMLTree.Pair) {
    for variable in mapping(pair, "variables") ?? [] {
      let name = tree.text(of: variable.key)
      guard Template.isVariableName(name) else {
        report(
          "a variable's name begins with a letter or `_` and goes on with those, digits, `.` and `-`",
          at: tree.offset(of: variable.key))
        continue
      }
      // A variable sees those above it, so that no two can need each other.
      if let value = text(variable, name) { template.variables[name] = value }
    }
  }

  private mutating func readDefaults(_ pair: YAMLTree.Pair) {
    var draft = EntryDraft(entry: entryDefaults, offset: pair.valueOffset)
    for field in mapping(pair, "defaults") ?? [] {
      guard let key = EntryKey(rawValue: tree.text(of: field.key)) else {
        reportUnknown(field.key, among: ManifestKeys.defaults, in: "`defaults`")
        continue
      }
      if key.canHaveDefault {
        read(key, field, into: &draft)
      } else {
        report(
          "`\(key.rawValue)` can have no default", hint: "each entry has its own",
          at: tree.offset(of: field.key))
      }
    }
    entryDefaults = draft.entry
    defaultsHaveType = draft.hasType
  }

  /// Whether a type was given for all entries.
  var defaultsHaveType = false

  private mutating func readFiles(_ pair: YAMLTree.Pair) {
    guard tree.hasValue(pair.value) else {
      return report(
        "`files` has no value", hint: "a manifest without files is `files: []`",
        at: pair.valueOffset)
    }
    guard tree.nodes[pair.value].kind == .sequence else {
      return report(
        "`files` wants a list", hint: "begin each entry with `- id: …`", at: pair.valueOffset)
    }
    let children = tree.children(of: pair.value)
    var checks = EntryChecks(entryCount: children.count)
    manifest.entries.reserveCapacity(children.count)
    for part in drafts(at: children) {
      for draft in part {
        checks.add(draft)
        if draft.isComplete { manifest.entries.append(draft.entry) }
      }
    }
    findings += checks.findings
    if findings.isEmpty {
      manifest.warnings += DestinationCollision.all(among: manifest.entries).map {
        $0.notice(among: manifest.entries)
      }
    }
  }

  /// Reads the entries on all cores: none knows of another.
  private mutating func drafts(at children: [Int]) -> [[EntryDraft]] {
    var empty = self
    empty.findings = []
    empty.manifest = Manifest(path: input.path)
    let reader = empty
    let parts = Parts.map(of: children.count, size: 4096) { part in
      var reader = reader
      let drafts = children[part].compactMap { reader.entry(at: $0) }
      return (drafts: drafts, findings: reader.findings, omitted: reader.omittedFindingCount)
    }
    for part in parts {
      findings += part.findings
      omittedFindingCount += part.omitted
    }
    return parts.map(\.drafts)
  }
}
