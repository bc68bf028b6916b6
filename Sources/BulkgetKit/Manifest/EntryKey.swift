/// The keys of an entry.
enum EntryKey: String, CaseIterable {
  case id, url, urls, type
  case sha256, sha512, sha384, sha1, md5, integrity
  case size, dest, executable, optional, freshness, headers, tags, platforms, priority

  /// Whether the key may stand in `defaults`: what names one file can't.
  var canHaveDefault: Bool {
    switch self {
    case .type, .executable, .optional, .freshness, .headers, .tags, .platforms, .priority: true
    case .id, .url, .urls, .sha256, .sha512, .sha384, .sha1, .md5, .integrity, .size, .dest: false
    }
  }

  /// The algorithm of a digest's key.
  var algorithm: DigestAlgorithm? { DigestAlgorithm(rawValue: rawValue) }
}

/// The keys of a manifest that are not an entry's.
enum ManifestKeys {
  static let top = ["version", "namespace", "variables", "defaults", "hosts", "files", "$schema"]
  static let host = ["auth", "connections", "allow-http"]
  static let auth = ["bearer", "user", "password", "header", "allow-http"]
  static let entry = EntryKey.allCases.map(\.rawValue)
  static let defaults = EntryKey.allCases.filter(\.canHaveDefault).map(\.rawValue)
  /// Reserved for a later version.
  static let reserved = ["include", "unpack", "store", "rewrite", "shard"]

  /// What other tools call the keys.
  static let synonyms = [
    "name": "id", "uri": "url", "href": "url", "link": "url", "src": "url", "source": "url",
    "mirrors": "urls", "uris": "urls", "checksum": "sha256", "hash": "sha256", "digest": "sha256",
    "sum": "sha256", "length": "size", "bytes": "size", "out": "dest", "output": "dest",
    "path": "dest", "file": "dest", "filename": "dest", "target": "dest", "destination": "dest",
    "extension": "type", "format": "type", "exec": "executable", "labels": "tags",
    "platform": "platforms", "header": "headers", "entries": "files", "downloads": "files",
    "artifacts": "files", "vars": "variables", "token": "bearer", "username": "user",
    "credentials": "auth",
  ]
}
