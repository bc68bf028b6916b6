package import BulkgetSystem

/// A file under way: it has no name yet that anybody takes for complete.
package struct StagedFile: Sendable {
  /// Where it is meanwhile.
  package let path: String
  /// Open for reading and writing. It already has the permissions of a cached file.
  package let descriptor: FileDescriptor
  /// Whether a record lies beside it, that has to go before it gets its name.
  var hasRecord = false
  /// Whether it is the key's one partial, which a later run may resume.
  let isResumable: Bool
}
