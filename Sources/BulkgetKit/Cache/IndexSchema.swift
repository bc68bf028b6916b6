/// The index's tables, as SQL. A change that older versions can't read raises ``version``.
enum IndexSchema {
  /// The `user_version` of the database file.
  static let version: Int64 = 1

  /// The primary key is the table's only order, so a look-up walks one tree however many other namespaces there are.
  static let creation = """
    BEGIN;
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
    CREATE INDEX files_by_sha512 ON files (sha512) WHERE sha512 IS NOT NULL;
    PRAGMA user_version = \(version);
    COMMIT;
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
