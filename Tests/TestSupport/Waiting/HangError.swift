/// A wait whose deadline passed. Deadlines only catch hangs: no test may depend on their length.
package struct HangError: Error, CustomStringConvertible {
  /// What was waited for, and what is known instead.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// Long enough for a busy machine with a sanitizer.
  package static let patience: Duration = .seconds(30)
}
