public import Foundation

/// What a report and a plan say about themselves and the whole run.
public struct ReportHead: Sendable {
  /// The kinds of documents with this head.
  public enum Kind: String, Sendable {
    case run, plan
  }

  /// A manifest of the run.
  public struct ManifestReference: Hashable, Sendable {
    /// The path as the user gave it; `-` for standard input.
    public var path: String
    /// The SHA-256 of its bytes.
    public var sha256: Digest?

    /// Names a manifest.
    public init(path: String, sha256: Digest?) {
      self.path = path
      self.sha256 = sha256
    }
  }

  /// The version of the documents' form: it rises only when a key goes or changes its meaning.
  public static let schemaVersion = 1

  /// Which document it is.
  public var kind: Kind
  /// The program's name.
  public var toolName = "bulkget"
  /// The program's version.
  public var toolVersion: String
  /// The manifests, in the order of the command line.
  public var manifests: [ManifestReference] = []
  /// When the program began.
  public var startedAt: Date
  /// When it had ended.
  public var finishedAt: Date
  /// How long it took by a clock that nobody sets.
  public var duration: Duration
  /// How it ended.
  public var status = Report.Status.succeeded
  /// What the process exits with.
  public var exitStatus = 0
  /// What ended the whole run; nil where nothing did.
  public var error: Failure?
  /// What is worth a word about the whole run.
  public var warnings: [Notice] = []

  /// Makes the head of a success without manifests.
  public init(
    kind: Kind, toolVersion: String, startedAt: Date, finishedAt: Date, duration: Duration
  ) {
    self.kind = kind
    self.toolVersion = toolVersion
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.duration = duration
  }

  /// Takes over how a run ended.
  public mutating func conclude(with verdict: RunVerdict) {
    status = verdict.status
    exitStatus = verdict.exitStatus
  }
}

extension ReportHead.ManifestReference {
  /// Names a manifest that was read.
  public init(_ manifest: Manifest) {
    self.init(path: manifest.path, sha256: manifest.sha256)
  }
}
