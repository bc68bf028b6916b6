import BulkgetSystem

/// A mistake in a manifest's bytes, before its place is turned into line and column.
struct Finding: Error, Hashable, Sendable {
  /// The byte where it is seen.
  var offset: Int
  /// What is wrong; the manifest's own text in it may hold anything.
  var message: String
  /// What to do.
  var hint: String?
  /// The byte of what it contradicts; the message then ends in that place.
  var earlier: Int?

  init(_ message: String, hint: String? = nil, at offset: Int, earlier: Int? = nil) {
    self.message = message
    self.hint = hint
    self.offset = offset
    self.earlier = earlier
  }

  init(_ error: YAMLError) {
    self.init(error.message, hint: error.hint, at: error.offset)
  }
}
