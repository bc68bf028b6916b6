import BulkgetSystem

extension LockFile {
  /// Reads the lock file of a manifest; an empty one where there is none. Everything that is wrong with it is in the error.
  public init(ofManifest manifest: String) throws(ManifestError) {
    guard let path = Self.path(of: manifest), try Self.isThere(path) else {
      self.init()
      return
    }
    let bytes = try Manifest.bytes(of: path)
    try self.init(parsing: bytes, path: path)
  }

  /// Checks the bytes of a lock file.
  public init(parsing bytes: [UInt8], path: String) throws(ManifestError) {
    if bytes.allSatisfy({ $0 <= 0x20 }) {
      throw ManifestError(problems: [
        ManifestError.Problem(file: path, ("the lock file is empty", Self.wayOut))
      ])
    }
    var reader = ManifestReader(bytes: bytes, input: ManifestInput(path: path, directory: "/"))
    self = try reader.readLockFile()
  }

  fileprivate static let wayOut =
    "a lock file is written by `bulkget lock`: remove it and lock again"

  private static func isThere(_ path: String) throws(ManifestError) -> Bool {
    let kind: FileStatus.Kind?
    do {
      if try FileSystem.status(of: path) == nil { return false }
      kind = try FileSystem.status(of: path, followingLinks: true)?.kind
    } catch {
      throw ManifestError(problems: [ManifestError.Problem(file: path, (error.description, nil))])
    }
    // Nobody names a lock file, so a pipe in its place would be waited for without a reason that anyone sees.
    guard kind != .other else {
      throw ManifestError(problems: [
        ManifestError.Problem(file: path, ("the lock file is no regular file", Self.wayOut))
      ])
    }
    return true
  }
}

/// A lock file is read with the same tools as a manifest: it is JSON, and so YAML.
extension ManifestReader {
  private static let recordKeys = ["namespace", "id", "urls", "sha256", "size"]

  fileprivate mutating func readLockFile() throws(ManifestError) -> LockFile {
    var records: [LockFile.Record] = []
    if tree.isComplete { records = readRecords() }
    guard findings.isEmpty else { throw error() }
    return LockFile(records: records)
  }

  private mutating func readRecords() -> [LockFile.Record] {
    guard tree.hasValue(0), tree.kind(of: 0) == .mapping else {
      report("a lock file is an object with the key `files`", hint: LockFile.wayOut, at: 0)
      return []
    }
    var records: [LockFile.Record] = []
    var keys: Set<FileKey> = []
    // Without one of them the file is not whole, and an empty lock file would lock nothing.
    for name in ["version", "files"]
    where !tree.pairs(of: 0).contains(where: { tree.text(of: $0.key) == name }) {
      report("the lock file has no `\(name)`", hint: LockFile.wayOut, at: 0)
    }
    for pair in tree.pairs(of: 0) {
      switch tree.text(of: pair.key) {
      case "version":
        guard let version = literalText(pair, "version"), version != "1" else { continue }
        report(
          "this version of the lock file is unknown", hint: "the only version is 1",
          at: pair.valueOffset)
      case "files":
        for item in list(pair, "files") ?? [] {
          guard let record = readRecord(item) else { continue }
          if keys.insert(record.key).inserted {
            records.append(record)
          } else {
            report("an entry is recorded twice", hint: LockFile.wayOut, at: item.valueOffset)
          }
        }
      default: reportForeign(pair.key, in: "a lock file")
      }
    }
    return records
  }

  private mutating func readRecord(_ item: YAMLTree.Pair) -> LockFile.Record? {
    // In the order of the keys: a dictionary for each of a hundred thousand records takes longer than all the rest.
    var fields = [YAMLTree.Pair?](repeating: nil, count: Self.recordKeys.count)
    for pair in mapping(item, "files") ?? [] {
      let key = tree.bytes(of: pair.key)
      if let number = Self.recordKeys.firstIndex(where: { key.elementsEqual($0.utf8) }) {
        fields[number] = pair
      } else {
        reportForeign(pair.key, in: "a record")
      }
    }
    for (key, field) in zip(Self.recordKeys, fields) where field == nil {
      report("the record has no `\(key)`", hint: LockFile.wayOut, at: item.valueOffset)
      return nil
    }
    let found = fields.compactMap(\.self)
    guard let namespace = literalText(found[0], "namespace"), let id = literalText(found[1], "id"),
      let sources = list(found[2], "urls"), let sha256 = literalText(found[3], "sha256"),
      let count = integer(found[4], "size", in: 0...Int64.max)
    else { return nil }
    guard let digest = Digest(.sha256, hexadecimal: sha256) else {
      report(
        "`sha256` wants 64 hexadecimal digits", hint: LockFile.wayOut, at: found[3].valueOffset)
      return nil
    }
    var record = LockFile.Record(
      key: FileKey(namespace: namespace, id: id),
      urls: sources.compactMap { literalText($0, "urls") }, sha256: digest, size: count)
    (record.line, record.column) = lines.place(of: item.valueOffset)
    return record
  }

  /// Unlike a manifest, a lock file has no keys of the user's own: the next `lock` would drop them.
  private mutating func reportForeign(_ key: Int, in place: String) {
    let name = PrintableText.shown(tree.text(of: key))
    report("\(place) has no key `\(name)`", hint: LockFile.wayOut, at: tree.offset(of: key))
  }
}
