import BulkgetSystem

/// Reading one entry: its keys in any order, and then what depends on several of them.
extension ManifestReader {
  /// The longest id, in bytes.
  static let maximumIDByteCount = 1024

  /// The entry at a node; nil where it is no mapping.
  mutating func entry(at index: Int) -> EntryDraft? {
    let offset = tree.offset(of: index)
    let node = tree.target(of: index)
    guard tree.nodes[node].kind == .mapping else {
      report(
        "an entry is a mapping with `id` and `url`",
        hint: "write `- {id: a, url: \"https://…\"}`, or the keys on lines of their own", at: offset
      )
      return nil
    }
    var draft = EntryDraft(entry: entryDefaults, offset: offset)
    draft.hasType = defaultsHaveType
    let place = lines.place(of: offset)
    draft.entry.position = SourcePosition(
      manifest: input.index, line: place.line, column: place.column)
    for field in tree.pairs(of: node) {
      if let key = EntryKey(rawValue: tree.text(of: field.key)) {
        read(key, field, into: &draft)
      } else {
        reportUnknown(field.key, among: ManifestKeys.entry, in: "an entry")
      }
    }
    complete(&draft)
    return draft
  }

  /// Reads one key's value.
  mutating func read(_ key: EntryKey, _ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    if key.canHaveDefault, !tree.hasValue(field.value) {
      return reset(key, in: &draft)
    }
    switch key {
    case .id: readID(field, into: &draft)
    case .url: readURL(field, into: &draft)
    case .urls: readURLs(field, into: &draft)
    case .type: readType(field, into: &draft)
    case .sha256, .sha512, .sha384, .sha1, .md5: readDigest(key, field, into: &draft)
    case .integrity: readIntegrity(field, into: &draft)
    case .size: draft.entry.size = integer(field, "size", in: 0...Int64.max)
    case .dest: draft.destination = text(field, "dest").map { ($0.text, field.valueOffset) }
    case .executable: draft.entry.isExecutable = boolean(field, "executable") ?? false
    case .optional: draft.entry.isOptional = boolean(field, "optional") ?? false
    case .freshness: readFreshness(field, into: &draft)
    case .headers: draft.entry.headers = headers(field)
    case .tags: draft.entry.tags = tags(field)
    case .platforms: draft.entry.platforms = platforms(field)
    case .priority:
      draft.entry.priority = Int(integer(field, "priority", in: -1_000_000...1_000_000) ?? 0)
    }
  }

  /// No value puts a key back to what it is without defaults.
  private func reset(_ key: EntryKey, in draft: inout EntryDraft) {
    let plain = Entry(key: draft.entry.key, sources: [])
    switch key {
    case .type:
      draft.entry.type = nil
      draft.hasType = false
    case .executable: draft.entry.isExecutable = plain.isExecutable
    case .optional: draft.entry.isOptional = plain.isOptional
    case .freshness: draft.entry.freshness = plain.freshness
    case .headers: draft.entry.headers = plain.headers
    case .tags: draft.entry.tags = plain.tags
    case .platforms: draft.entry.platforms = plain.platforms
    case .priority: draft.entry.priority = plain.priority
    default: break
    }
  }

  private mutating func readID(_ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    draft.hasIDKey = true
    guard tree.hasValue(field.value) else {
      return report(
        "`id` is missing: an unquoted `null`, `~` or nothing is no value",
        hint: "put the id between quotes if it is that text", at: field.valueOffset)
    }
    guard let id = literalText(field, "id") else { return }
    draft.idOffset = field.valueOffset
    draft.entry.key = FileKey(namespace: draft.entry.key.namespace, id: id)
    let count = id.utf8.count
    if count == 0 {
      report("the id is empty", at: field.valueOffset)
    } else if count > Self.maximumIDByteCount {
      report(
        "the id has \(count) bytes, more than the limit of \(Self.maximumIDByteCount)",
        at: field.valueOffset)
    } else if hasControlCharacter(in: tree.bytes(of: field.value)) {
      report(
        "the id `\(PrintableText.shown(id))` has a control character", at: field.valueOffset)
    }
  }

  private mutating func readURL(_ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    draft.urlOffset = tree.offset(of: field.key)
    if tree.nodes[field.value].kind == .sequence {
      return report(
        "`url` is one text", hint: "a list of mirrors is called `urls`", at: field.valueOffset)
    }
    if let source = source(field, "url") { draft.entry.sources = [source] }
  }

  private mutating func readURLs(_ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    draft.urlsOffset = tree.offset(of: field.key)
    guard let items = list(field, "urls") else { return }
    if items.isEmpty {
      report("`urls` is empty", hint: "name at least one URL", at: field.valueOffset)
    }
    var sources: [Source] = []
    for item in items {
      if let source = source(item, "urls") { sources.append(source) }
    }
    draft.entry.sources = sources
  }

  private mutating func readType(_ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    guard let value = text(field, "type") else { return }
    draft.hasType = true
    draft.entry.type = FileType(value.text)
    if draft.entry.type == nil {
      report(
        "a type begins with a letter or digit and has at most 32 of `a-z`, `0-9`, `.`, `+`, `_` and `-`",
        at: field.valueOffset)
    }
  }

  private mutating func readFreshness(_ field: YAMLTree.Pair, into draft: inout EntryDraft) {
    guard let value = text(field, "freshness") else { return }
    if let freshness = Freshness(value.text) {
      draft.entry.freshness = freshness
    } else {
      report(
        "`freshness` is `immutable`, `revalidate`, or a time such as `12h` or `7d`",
        hint: "the units are `s`, `m`, `h` and `d`", at: field.valueOffset)
    }
  }

  private mutating func tags(_ field: YAMLTree.Pair) -> [String] {
    var tags: [String] = []
    var seen: Set<String> = []
    for item in list(field, "tags") ?? [] {
      guard let tag = text(item, "tags")?.text else { continue }
      if tag.isEmpty || hasControlCharacter(tag) {
        report("a tag is a text without control characters", at: item.valueOffset)
      } else if seen.insert(tag).inserted {
        tags.append(tag)
      }
    }
    return tags
  }

  private mutating func platforms(_ field: YAMLTree.Pair) -> [Platform] {
    var platforms: [Platform] = []
    for item in list(field, "platforms") ?? [] {
      guard let text = text(item, "platforms")?.text else { continue }
      let correction = Platform.correction(of: text)
      if let platform = Platform(text), correction == nil {
        platforms.append(platform)
      } else {
        report(
          "a platform is `os/architecture` in OCI's words, such as `linux/amd64`",
          hint: correction.map { "did you mean `\($0)`?" }, at: item.valueOffset)
      }
    }
    return platforms
  }

  /// What needs several keys: exactly one of `url` and `urls`, the type, the destination.
  private mutating func complete(_ draft: inout EntryDraft) {
    if !draft.hasIDKey {
      report("`id` is missing", hint: "each entry needs an id of its own", at: draft.offset)
    }
    switch (draft.urlOffset, draft.urlsOffset) {
    case (nil, nil):
      report("`url` is missing", hint: "each entry needs `url` or `urls`", at: draft.offset)
    case (let url?, let urls?):
      report(
        "`url` and `urls` exclude each other", hint: "put all of them into `urls`",
        at: max(url, urls), earlier: min(url, urls))
    default: break
    }
    let first = draft.entry.sources.first
    if !draft.hasType, let first {
      draft.entry.type = FileType(inferredFrom: first.lastPathComponent)
    }
    guard let (text, offset) = draft.destination else { return }
    let findingCount = findings.count
    draft.entry.destination = destination(text, of: first, at: offset)
    // The line alone doesn't say whose destination it is.
    if findings.count > findingCount, draft.idOffset != nil {
      findings[findingCount].message += " (entry `\(PrintableText.shown(draft.entry.key.id))`)"
    }
  }
}
