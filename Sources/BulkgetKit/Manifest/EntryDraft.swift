/// An entry while its keys are read, with the places that later checks point at.
struct EntryDraft {
  var entry: Entry
  /// Where the entry begins.
  var offset: Int
  /// Where the id is; nil where there is none.
  var idOffset: Int?
  /// Whether `id` was given, also as no value.
  var hasIDKey = false
  /// Where `url` and `urls` were given.
  var urlOffset: Int?
  var urlsOffset: Int?
  /// Whether `type` was given, also as no value.
  var hasType = false
  var destination: (text: String, offset: Int)?

  init(entry: Entry, offset: Int) {
    self.entry = entry
    self.offset = offset
  }

  /// Whether nothing is missing that an entry needs.
  var isComplete: Bool { idOffset != nil && !entry.sources.isEmpty }
}
