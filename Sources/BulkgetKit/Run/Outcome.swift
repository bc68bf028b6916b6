public import Foundation

/// What became of one entry.
public struct Outcome: Sendable {
  /// The kinds of outcomes; they add up to the number of entries.
  public enum Status: String, CaseIterable, Sendable {
    /// Bytes came from a server or a local source.
    case downloaded
    /// The server said that the cached file is still right.
    case revalidated
    /// The cached file was used without any network.
    case cached
    case failed
    /// Not finished because the run ended first.
    case cancelled
    /// Not chosen.
    case skipped
  }

  /// What became of it.
  public var status: Status
  /// The redacted manifest URL that delivered, or was tried last; nil where none was used.
  public var url: String?
  /// The redacted URL after redirects, or the one the cached bytes once came from.
  public var finalURL: String?
  /// The size of the file in bytes; 0 where there is none.
  public var byteCount: Int64 = 0
  /// The bytes of bodies that came over the network.
  public var transferredByteCount: Int64 = 0
  /// The bytes that an earlier try or run had left and that were used.
  public var resumedByteCount: Int64 = 0
  /// The SHA-256 of the file, where there is one.
  public var sha256: Digest?
  /// The absolute path in the cache, where the file is there.
  public var path: String?
  /// The absolute path of the placed file, where it is there.
  public var destination: String?
  /// Whether this run placed it.
  public var isPlaced = false
  /// Every try, in order.
  public var attempts: [Attempt] = []
  /// From the start of the work on this file to its end, without waiting for its turn.
  public var duration: Duration = .zero
  /// What is worth a word.
  public var warnings: [Notice] = []
  /// Why it failed or was cancelled.
  public var failure: Failure?

  /// Makes an outcome with nothing but its status.
  public init(status: Status, failure: Failure? = nil) {
    self.status = status
    self.failure = failure
  }
}

/// One try at one URL, its redirects included.
public struct Attempt: Sendable {
  /// The redacted manifest URL that was tried.
  public var url: String
  /// The final response's status code; nil where none came.
  public var httpStatus: Int?
  /// When the try began.
  public var startedAt: Date
  /// How long it took.
  public var duration: Duration = .zero
  /// The bytes of the body that arrived.
  public var byteCount: Int64 = 0
  /// Why it failed; nil where it didn't.
  public var failure: Failure?

  /// Makes an attempt that has just begun.
  public init(url: String, startedAt: Date) {
    self.url = url
    self.startedAt = startedAt
  }
}
