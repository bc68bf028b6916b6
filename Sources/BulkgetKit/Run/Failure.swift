/// Why one file or one attempt failed: a stable code for machines and a sentence for people.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes of the report; docs/report.md explains each.
  public enum Code: String, CaseIterable, Sendable {
    case httpStatus = "http-status"
    case checksumMismatch = "checksum-mismatch"
    case sizeMismatch = "size-mismatch"
    case truncated
    case unexpectedContent = "unexpected-content"
    case tooLarge = "too-large"
    case rangeMismatch = "range-mismatch"
    case timeout
    case stalled
    case connectionFailed = "connection-failed"
    case nameResolution = "name-resolution"
    case tls
    case tooManyRedirects = "too-many-redirects"
    case insecureRedirect = "insecure-redirect"
    case unsupportedScheme = "unsupported-scheme"
    case proxy
    case protocolViolation = "protocol"
    case diskFull = "disk-full"
    case permissionDenied = "permission-denied"
    case destinationConflict = "destination-conflict"
    case tooManyOpenFiles = "too-many-open-files"
    case io
    case cacheUnwritable = "cache-unwritable"
    case offline
    case cancelled
  }

  /// What went wrong, as a word that scripts can match.
  public let code: Code
  /// What happened, where, and what to do; no secrets, no control characters.
  public let message: String

  /// Makes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
