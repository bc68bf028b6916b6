/// What one manifest wants, read and checked completely.
public struct Manifest: Sendable {
  /// The path as the user gave it; `-` for standard input.
  public var path: String
  /// The SHA-256 of the manifest's bytes.
  public var sha256: Digest?
  /// The absolute directory that plain paths in it are relative to.
  public var directory = "/"
  /// What belongs to hosts, keyed by `host` or `host:port` in lower case.
  public var hosts: [String: HostSettings] = [:]
  /// The files, in the manifest's order; their keys are unique.
  public var entries: [Entry] = []
  /// What is legal but worth a word, such as destinations that differ only by letter case.
  public var warnings: [Notice] = []

  /// Makes a manifest in code.
  public init(path: String, entries: [Entry] = []) {
    self.path = path
    self.entries = entries
  }
}

/// Settings and credentials of one host, which never travel to another.
public struct HostSettings: Hashable, Sendable {
  /// How to show who is asking.
  public enum Credential: Hashable, Sendable {
    /// `Authorization: Bearer …` (RFC 6750 §2.1).
    case bearer(String)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(user: String, password: String)
    /// A header field of the host's own.
    case header(HeaderField)
  }

  /// The credential, or nil for none.
  public var credential: Credential?
  /// Whether the credential may go over plain http to another machine.
  public var allowsHTTP = false
  /// The most connections to this host at once; nil for the run's own bound.
  public var connections: Int?

  /// Makes settings that change nothing.
  public init() {}
}

/// A warning: a stable code for machines and a sentence for people.
public struct Notice: Hashable, Sendable {
  /// A word that scripts can match, such as `insecure-auth`.
  public let code: String
  /// What was seen and what to do.
  public let message: String

  /// Makes a warning.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
