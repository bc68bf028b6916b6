/// Compares what manifests want with what cache and output directory have.
///
/// Pure: the same values give the same plan. It reads no file, asks no server and looks at no clock.
public struct Planner: Sendable {
  /// How the plan is made.
  public let configuration: Configuration
  /// The time of planning in seconds since 1970: it decides what is stale.
  public let now: Int64

  /// Makes a planner.
  public init(configuration: Configuration, now: Int64) {
    self.configuration = configuration
    self.now = now
  }

  /// Decides what is done for each entry.
  public func plan(
    manifests: [Manifest], cache: CacheSnapshot, destinations: DestinationSnapshot
  ) -> Plan {
    let parts = Self.distinctEntries(of: manifests).enumerated().map { manifest, entries in
      PlannedPart(
        manifest: manifest,
        steps: steps(for: entries[...], cache: cache, destinations: destinations))
    }
    return plan(manifests, parts, warnings: cache.warnings)
  }

  /// The entries of each manifest; what an earlier one has under the same key is left out.
  static func distinctEntries(of manifests: [Manifest]) -> [[Entry]] {
    // Inside one manifest keys are unique, so there is nothing to remember.
    if manifests.count < 2 { return manifests.map(\.entries) }
    var keys: Set<FileKey> = []
    return manifests.map { manifest in manifest.entries.filter { keys.insert($0.key).inserted } }
  }

  /// Decides for each entry by itself; ``plan(_:_:warnings:)`` then finds who can do with another's transfer.
  func steps(
    for entries: ArraySlice<Entry>, cache: CacheSnapshot, destinations: DestinationSnapshot
  ) -> [Step] {
    let selection = SelectionMatcher(configuration.selection)
    return entries.map { entry in
      guard selection.selects(entry) else {
        return Step(entry: entry, action: .skip, reason: .notSelected, byteCount: entry.size)
      }
      return step(for: entry, cache: cache, destinations: destinations)
    }
  }

  /// Puts together the steps of consecutive parts.
  func plan(_ manifests: [Manifest], _ parts: [PlannedPart], warnings: [Notice]) -> Plan {
    var transfers = SharedTransfers(manifests: manifests)
    var steps: [Step] = []
    steps.reserveCapacity(parts.reduce(0) { $0 + $1.steps.count })
    for part in parts {
      for step in part.steps {
        steps.append(step)
        if step.isTransfer { transfers.joinLast(of: &steps, manifest: part.manifest) }
      }
    }
    return Plan(
      manifests: manifests, steps: steps, warnings: manifests.flatMap(\.warnings) + warnings)
  }

  private func step(
    for entry: Entry, cache: CacheSnapshot, destinations: DestinationSnapshot
  ) -> Step {
    let file = cache.files[entry.key] ?? CacheSnapshot.File()
    let place = entry.destination.flatMap { destinations.places[$0] } ?? .init()
    let cached = CachedContent(of: file, for: entry)
    var step: Step
    if configuration.downloadsEverything {
      step = download(entry, reason: .forced)
    } else if case .current(let sameURL) = cached, let record = file.record {
      step = useCurrent(entry, record: record, file: file, sameURL: sameURL, place: place)
    } else if let other = useSameContent(entry, content: cache.content) {
      step = other
    } else {
      step = replace(cached, of: entry, file: file, place: place)
    }
    // What is known about now is no other process's work, and is replaced.
    if step.isTransfer { step.record = file.record.flatMap { $0.readCache == nil ? $0 : nil } }
    step.conflict = conflict(of: step, file: file, place: place)
    step.warnings = warnings(of: step, cached: cached, file: file)
    return step
  }

  private func replace(
    _ cached: CachedContent, of entry: Entry, file: CacheSnapshot.File,
    place: DestinationSnapshot.Place
  ) -> Step {
    switch cached {
    case .unproven(let reason):
      rehash(entry, reason: reason, record: file.record, byteCount: file.observation?.size)
    case .unusable(let reason):
      adoptDestination(entry, file: file, place: place)
        ?? transfer(entry, reason: reason, partial: file.partial)
    case .current:
      download(entry, reason: .missing)
    }
  }
}

// MARK: - The cached file is used

extension Planner {
  private func useCurrent(
    _ entry: Entry, record: CacheRecord, file: CacheSnapshot.File, sameURL: Bool,
    place: DestinationSnapshot.Place
  ) -> Step {
    let isStale = isStale(entry, record: record)
    if isStale, !sameURL, !entry.hasStrongDigest {
      // The recorded validators are another URL's, so there is nothing to ask this one about.
      return download(entry, reason: .urlChanged)
    }
    if configuration.verifiesCachedFiles {
      return rehash(entry, reason: .asked, record: record, byteCount: record.size)
    }
    var step = Step(entry: entry, action: .keep, reason: .current, byteCount: record.size)
    step.record = record
    if isStale, sameURL {
      step.action = .revalidate
      step.reason = .stale
      step.isStale = true
      return step
    }
    let need = place.need(of: entry, for: content(record, file))
    let isRenamed = record.type != entry.type
    if isRenamed || need != nil { step.action = .place }
    step.reason = !sameURL ? .sameContent : isRenamed ? .renamed : need ?? .current
    return step
  }

  /// Another id's file with the wanted content: it costs no request.
  private func useSameContent(_ entry: Entry, content: [Digest: CacheRecord]) -> Step? {
    for digest in entry.digests where digest.algorithm.isStrong {
      guard let record = content[digest], record.key != entry.key else { continue }
      let match = ContentMatch(of: record, with: entry)
      if case .different = match { continue }
      if match == .unrecorded {
        return rehash(
          entry, reason: .digestUnrecorded, record: record, byteCount: record.size)
      }
      if configuration.verifiesCachedFiles {
        return rehash(entry, reason: .asked, record: record, byteCount: record.size)
      }
      var step = Step(entry: entry, action: .place, reason: .sameContent, byteCount: record.size)
      step.record = record
      return step
    }
    return nil
  }

  private func rehash(
    _ entry: Entry, reason: Step.Reason, record: CacheRecord?, byteCount: Int64?
  ) -> Step {
    var step = Step(entry: entry, action: .rehash, reason: reason, byteCount: byteCount)
    step.record = record
    if let record, record.key == entry.key {
      step.isStale = entry.hasSource(record.url) && isStale(entry, record: record)
    }
    return step
  }

  /// With nothing in the cache, a file at the destination may be the wanted one.
  private func adoptDestination(
    _ entry: Entry, file: CacheSnapshot.File, place: DestinationSnapshot.Place
  ) -> Step? {
    guard file.observation == nil, place.obstacle?.isConflictWhenRight != true,
      let observation = place.observation, entry.canBeProved(by: observation)
    else { return nil }
    var step = Step(
      entry: entry, action: .rehash, reason: .unindexed, byteCount: observation.size)
    step.adoptsDestination = true
    return step
  }

  /// Whether the source has to be asked. A strong digest in the manifest pins the content, so only `--refresh` asks
  /// about it; without network only a local source can be asked, and the cached file is used as it is.
  private func isStale(_ entry: Entry, record: CacheRecord) -> Bool {
    if configuration.isOffline, !entry.sources.contains(where: \.isLocal) { return false }
    if configuration.refreshesEverything { return true }
    if entry.hasStrongDigest { return false }
    switch entry.freshness {
    case .immutable: return false
    case .revalidate: return true
    case .maximumAge(let age):
      // The magnitude: a clock that was set back must not keep a file fresh for ever.
      return .seconds((now - record.verifiedAt).magnitude) > age
    }
  }
}

// MARK: - Bytes are fetched

extension Planner {
  private func download(_ entry: Entry, reason: Step.Reason) -> Step {
    Step(entry: entry, action: .download, reason: reason, byteCount: entry.size)
  }

  private func transfer(
    _ entry: Entry, reason: Step.Reason, partial: CacheSnapshot.Partial?
  ) -> Step {
    guard let partial, let source = entry.sources.first,
      let point = ResumeRule.point(of: partial, for: entry, from: source)
    else { return download(entry, reason: reason) }
    let total = entry.size ?? partial.record?.total
    var step = Step(entry: entry, action: .resume, reason: .partial, byteCount: total)
    step.resumedByteCount = point.offset
    return step
  }
}

// MARK: - What stands in the way, and what is worth a word

extension Planner {
  private func conflict(
    of step: Step, file: CacheSnapshot.File, place: DestinationSnapshot.Place
  ) -> Failure? {
    if let destination = step.entry.destination, let obstacle = place.obstacle {
      let isTouched = obstacle.isConflictWhenRight || needsPlacing(step, file: file, place: place)
      if isTouched {
        return obstacle.failure(at: "\(configuration.outputDirectory)/\(destination)")
      }
    }
    guard configuration.isOffline, step.isTransfer, !step.entry.sources.contains(where: \.isLocal)
    else { return nil }
    return Failure(
      .offline, "not in the cache, and no network may be used; run without `--offline` to fetch it")
  }

  private func needsPlacing(
    _ step: Step, file: CacheSnapshot.File, place: DestinationSnapshot.Place
  ) -> Bool {
    if step.isTransfer { return true }
    if step.adoptsDestination { return false }
    guard let record = step.record else { return place.observation == nil }
    return place.need(of: step.entry, for: content(record, file)) != nil
  }

  /// What a destination is compared with. Only symbolic links care where the cached file is.
  private func content(_ record: CacheRecord, _ file: CacheSnapshot.File) -> PlacedContent {
    let mode = configuration.linkMode
    let path =
      mode == .symlink
      ? CacheLayout(directory: configuration.cacheDirectory).path(of: record)
      : ""
    return PlacedContent(
      mode: mode, record: record, path: path, sharedInode: file.observation?.sharedInode ?? 0)
  }

  private func warnings(
    of step: Step, cached: CachedContent, file: CacheSnapshot.File
  ) -> [Notice] {
    var warnings: [Notice] = []
    if step.isTransfer, file.observation != nil, let record = step.record,
      !step.entry.hasSource(record.url)
    {
      warnings.append(.replacesOtherURL(record))
    }
    if cached == .unusable(.damaged) { warnings.append(.damagedCachedFile) }
    if let partial = file.partial, partial.record == nil,
      partial.byteCount >= ResumeRule.minimumByteCount
    {
      warnings.append(.damagedPartialRecord)
    }
    return warnings
  }
}

extension Notice {
  fileprivate static func replacesOtherURL(_ record: CacheRecord) -> Notice {
    Notice(
      code: "replaces-other-url",
      message: """
        the cached file of this id was fetched from `\(record.url)` and is replaced; if other manifests use the same \
        id for it, give each manifest a `namespace` of its own
        """)
  }

  fileprivate static let damagedCachedFile = Notice(
    code: "damaged", message: "the cached file was damaged and is replaced")

  fileprivate static let damagedPartialRecord = Notice(
    code: "damaged-partial",
    message: """
      the record of an interrupted download is missing or damaged; its bytes count only where a digest proves them
      """)
}

/// The steps of some consecutive entries of one manifest.
struct PlannedPart: Sendable {
  var manifest: Int
  var steps: [Step]
}
