/// One node of a ``YAMLTree``, in 16 bytes: a manifest of 100,000 entries has more than a million of them.
struct YAMLNode: Sendable {
  enum Kind: UInt8, Sendable {
    case scalar, sequence, mapping, alias
  }

  var kind: Kind
  /// Whether a scalar is written without quotes; only then can it be no value.
  var isPlain = false
  /// Whether a scalar's text lies in the tree's copies instead of its source.
  var isCopied = false
  /// The byte of the source where the node is written.
  var offset: UInt32
  /// A scalar's number of bytes, or its copy's index; an alias's target.
  var extent: UInt32 = 0
  /// The index behind the last of its descendants.
  var end: UInt32

  init(_ kind: Kind, offset: Int, index: Int) {
    self.kind = kind
    self.offset = UInt32(truncatingIfNeeded: offset)
    end = UInt32(truncatingIfNeeded: index + 1)
  }
}
