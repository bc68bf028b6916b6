/// One step through a YAML document, small enough to be made a million times.
///
/// Texts are ranges, not strings: most scalars of a manifest stand in the source exactly as they read, and need no copy.
package struct YAMLEvent: Sendable {
  /// What happened; directives, comments and styles of collections are left out.
  package enum Kind: UInt8, Sendable {
    case documentStart, documentEnd, streamEnd
    case scalar, alias
    case sequenceStart, sequenceEnd
    case mappingStart, mappingEnd
  }

  package var kind: Kind
  /// The byte in the source where it begins.
  package var offset: Int
  /// A scalar's text: in the source, or in the parser's ``YAMLParser/copiedText`` when `isCopied`.
  package var text: Range<Int> = 0..<0
  package var isCopied = false
  /// Whether a scalar is written without quotes, and not as a block.
  package var isPlain = false
  /// The name that `&` gives to a node, or that `*` refers to.
  package var anchor: String?
  /// The tag as libyaml resolves it: `!!str` is `tag:yaml.org,2002:str`.
  package var tag: String?

  init(_ kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
