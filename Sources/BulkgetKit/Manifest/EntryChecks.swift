/// What must hold between the entries of one manifest: no id twice, no destination twice or inside another.
struct EntryChecks {
  private(set) var findings: [Finding] = []
  private var ids: [FileKey: Int] = [:]
  private var destinations = DestinationIndex()
  private var placed: [(id: String, offset: Int)] = []

  init(entryCount: Int) {
    ids.reserveCapacity(entryCount)
    destinations.reserveCapacity(entryCount)
    placed.reserveCapacity(entryCount)
  }

  /// Compares an entry with all before it.
  mutating func add(_ draft: EntryDraft) {
    if let offset = draft.idOffset {
      if let earlier = ids.updateValue(offset, forKey: draft.entry.key) {
        let id = PrintableText.shown(draft.entry.key.id)
        findings.append(
          Finding(
            "the id `\(id)` is already given", hint: "each entry needs an id of its own",
            at: offset, earlier: earlier))
      }
    }
    guard let destination = draft.entry.destination, let offset = draft.destination?.offset else {
      return
    }
    if let conflict = destinations.add(destination.description) {
      let other = placed[conflict.earlier]
      findings.append(
        Finding(
          conflict.message(path: destination.description, otherID: other.id), at: offset,
          earlier: other.offset))
    }
    placed.append((draft.entry.key.id, offset))
  }
}
