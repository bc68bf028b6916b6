/// The version of the tool and of the library, which are released together.
public enum BulkgetVersion {
  /// The current version (Semantic Versioning 2.0.0).
  public static let current = "0.1.0"
}
