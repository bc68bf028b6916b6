/// How the content that a record describes compares with what an entry wants.
enum ContentMatch: Equatable {
  /// It is what is wanted, fetched from one of the entry's sources.
  case same
  /// Its digests are the wanted ones, but it was fetched from elsewhere.
  case sameElsewhere
  /// Nothing contradicts, but the record lacks a digest that the entry gives.
  case unrecorded
  /// It is something else.
  case different(Step.Reason)

  init(of record: CacheRecord, with entry: Entry) {
    var isUnrecorded = false
    for digest in entry.digests {
      let recorded = record.digests.first { $0.algorithm == digest.algorithm }
      if let recorded, recorded != digest {
        self = .different(.checksumChanged)
        return
      }
      if recorded == nil { isUnrecorded = true }
    }
    let isKnownURL = entry.hasSource(record.url)
    if entry.digests.isEmpty, !isKnownURL {
      self = .different(.urlChanged)
    } else if let size = entry.size, size != record.size {
      self = .different(.sizeChanged)
    } else if isUnrecorded {
      self = .unrecorded
    } else {
      self = isKnownURL ? .same : .sameElsewhere
    }
  }
}

/// What the cached file under an entry's own id is good for.
enum CachedContent: Equatable {
  /// It is what is wanted, as far as size and modification time tell; `sameURL` is false where only digests say so.
  case current(sameURL: Bool)
  /// Its bytes have to be hashed before they are used.
  case unproven(Step.Reason)
  /// There is none, or not the wanted one.
  case unusable(Step.Reason)

  /// Compares what is wanted, then what is there: that a file which is no longer wanted is damaged interests nobody.
  init(of file: CacheSnapshot.File, for entry: Entry) {
    guard let observation = file.observation else {
      self = .unusable(.missing)
      return
    }
    guard let record = file.record else {
      self = Self.unindexed(observation, for: entry)
      return
    }
    let match = ContentMatch(of: record, with: entry)
    if case .different(let reason) = match {
      self = .unusable(reason)
    } else if observation.kind != .file || !observation.isReadable
      || observation.size != record.size
    {
      self = .unusable(.damaged)
    } else if observation.modificationTime != record.modificationTime {
      let isProvable = !entry.digests.isEmpty || !record.digests.isEmpty
      self = isProvable ? .unproven(.timeChanged) : .unusable(.damaged)
    } else if match == .unrecorded {
      self = .unproven(.digestUnrecorded)
    } else {
      self = .current(sameURL: match == .same)
    }
  }

  /// A file that the index doesn't know is worth hashing only where the entry says what to expect.
  private static func unindexed(_ observation: FileObservation, for entry: Entry) -> Self {
    if observation.kind != .file { return .unusable(.damaged) }
    return entry.canBeProved(by: observation) ? .unproven(.unindexed) : .unusable(.missing)
  }
}

extension Entry {
  /// Whether hashing what was seen can show that it is the wanted content.
  func canBeProved(by observation: FileObservation) -> Bool {
    observation.kind == .file && !digests.isEmpty && (size ?? observation.size) == observation.size
  }

  /// Whether one of the sources is what a record calls `identity`.
  func hasSource(_ identity: String) -> Bool { sources.contains { $0.identity == identity } }

  /// Whether a digest of the manifest pins the content.
  var hasStrongDigest: Bool { digests.contains { $0.algorithm.isStrong } }
}
