/// Why a text is no YAML: the place, a sentence and, where there is one, a way out.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte in the source.
  package let offset: Int
  /// What is wrong there, in plain words.
  package let message: String
  /// What to do.
  package let hint: String?

  package init(_ message: String, hint: String? = nil, offset: Int) {
    self.message = message
    self.hint = hint
    self.offset = offset
  }

  package var description: String { message }
}
