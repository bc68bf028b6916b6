/// The format of the index, as the way to it: what each version added to the one before.
struct IndexSchema: Sendable {
  /// The statements that lead from each version to the next; the first make version 1 of an empty database. Those of a
  /// version that users have never change.
  let steps: [String]

  /// The `user_version` of the newest.
  var version: Int64 { Int64(steps.count) }

  /// Leads from an older version to the newest, or nowhere. Version 0 is an empty database.
  func migration(from version: Int64) -> String {
    let statements = steps.dropFirst(Int(version)) + ["PRAGMA user_version = \(self.version)"]
    return "BEGIN IMMEDIATE;\n\(statements.joined(separator: ";\n"));\nCOMMIT"
  }

  /// What this version of the program reads and writes.
  static let current = IndexSchema(steps: [first])

  /// The primary key is the table's only order, so a look-up walks one tree however many other namespaces there are.
  private static let first = """
    CREATE TABLE files (
      namespace TEXT NOT NULL,
      id TEXT NOT NULL,
      type TEXT,
      url TEXT NOT NULL,
      final_url TEXT,
      sha256 BLOB,
      sha384 BLOB,
      sha512 BLOB,
      sha1 BLOB,
      md5 BLOB,
      size INTEGER NOT NULL,
      modification_time INTEGER NOT NULL,
      entity_tag TEXT,
      last_modified TEXT,
      fetched_at INTEGER NOT NULL,
      verified_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      PRIMARY KEY (namespace, id)
    ) WITHOUT ROWID;
    CREATE INDEX files_by_sha256 ON files (sha256) WHERE sha256 IS NOT NULL;
    CREATE INDEX files_by_sha384 ON files (sha384) WHERE sha384 IS NOT NULL;
    CREATE INDEX files_by_sha512 ON files (sha512) WHERE sha512 IS NOT NULL
    """

  /// The columns that make a record, in the order that ``IndexConnection`` reads and binds them.
  static let columns = [
    "namespace", "id", "type", "url", "final_url", "sha256", "sha384", "sha512", "sha1", "md5",
    "size", "modification_time", "entity_tag", "last_modified", "fetched_at", "verified_at",
    "used_at",
  ]

  /// The algorithms in the order of their columns.
  static let algorithms: [DigestAlgorithm] = [.sha256, .sha384, .sha512, .sha1, .md5]
}
