extension FileType {
  /// How archives of tar are compressed: their extensions belong together, as in `tar.gz`.
  private static let tarCompressions: Set<String> = [
    "gz", "bz2", "xz", "zst", "lz", "lz4", "lzma", "lzo", "br", "z",
  ]

  /// Takes the type from a file's name; nil where it has no extension that is a type.
  init?(inferredFrom name: String) {
    let bytes = name.utf8
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex,
      let type = FileType(String(name[bytes.index(after: dot)...]))
    else { return nil }
    guard Self.endsInTar(name[..<dot]), Self.tarCompressions.contains(type.description),
      let whole = FileType("tar." + type.description)
    else {
      self = type
      return
    }
    self = whole
  }

  /// Whether something and `.tar`, in either case, is all there is.
  private static func endsInTar(_ stem: Substring) -> Bool {
    stem.utf8.count > 4 && stem.utf8.suffix(4).map { $0 | 0x20 }.elementsEqual(".tar".utf8)
  }
}
