import BulkgetSystem

/// A step that works on files alone: hashes what is there, links it under its id, and places it.
struct DiskStep {
  /// What came of it.
  enum Ending {
    case done(Outcome)
    /// The bytes were not what was hoped for, or a server has to be asked.
    case becomes(Step)
  }

  private let step: Step
  private let context: RunContext
  private var entry: Entry { step.entry }
  private var layout: CacheLayout { context.cache.layout }

  init(_ step: Step, _ context: RunContext) {
    self.step = step
    self.context = context
  }

  /// Does the work. Takes as long as hashing and copying take.
  func perform() -> Ending {
    let start = context.moment().instant
    do throws(Failure) {
      var ending = try step.action == .rehash ? rehash() : use(step.record)
      if case .done(var outcome) = ending {
        outcome.duration = context.moment().instant - start
        ending = .done(outcome)
      }
      return ending
    } catch {
      return .done(Outcome(status: error.code == .cancelled ? .cancelled : .failed, failure: error))
    }
  }

  // MARK: Hashing

  private func rehash() throws(Failure) -> Ending {
    if step.adoptsDestination { return try adoptDestination() }
    let path = step.record.map(layout.path) ?? layout.path(of: entry.key, type: entry.type)
    let hashed: DiskCache.HashedFile
    do throws(CacheError) {
      hashed = try DiskCache.hash(path, algorithms, isCancelled: context.isCancelled)
    } catch .cancelled {
      throw Failure(CacheError.cancelled)
    } catch {
      return download(because: .damaged, "cannot be read: \(error)")
    }
    guard isRight(hashed.digests) else {
      return download(because: .damaged, "does not have the digest that it should have")
    }
    let record = record(hashed)
    context.cache.record(record, replacing: step.record)
    if step.isStale {
      var next = step
      next.action = .revalidate
      next.reason = .stale
      next.record = record
      return .becomes(next)
    }
    return try use(record)
  }

  private var algorithms: Set<DigestAlgorithm> {
    Set(entry.digests.map(\.algorithm) + (step.record?.digests ?? []).map(\.algorithm) + [.sha256])
  }

  /// The manifest's digests decide, and where it has none the recorded ones.
  private func isRight(_ digests: [Digest]) -> Bool {
    let wanted = entry.digests.isEmpty ? step.record?.digests ?? [] : entry.digests
    return wanted.allSatisfy(digests.contains)
  }

  private func record(_ hashed: DiskCache.HashedFile) -> CacheRecord {
    guard var record = step.record else {
      // Nobody knows where the bytes came from, but the digest says that they are right.
      let source = entry.sources.first?.identity ?? ""
      return CacheRecord(
        key: entry.key, type: entry.type, url: source, finalURL: source, digests: hashed.digests,
        size: hashed.observation.size, modificationTime: hashed.observation.modificationTime,
        now: context.now)
    }
    record.digests = hashed.digests
    record.size = hashed.observation.size
    record.modificationTime = hashed.observation.modificationTime
    record.usedAt = context.now
    return record
  }

  private func download(because reason: Step.Reason, _ finding: String) -> Ending {
    var next = Step(entry: entry, action: .download, reason: reason, byteCount: entry.size)
    next.warnings = step.warnings
    if step.record?.readCache != nil {
      next.reason = .missing
      next.warnings.append(
        Notice(code: "damaged", message: "the read cache's file \(finding), and is not used"))
      return .becomes(next)
    }
    next.record = step.record?.key == entry.key ? step.record : nil
    if reason == .damaged {
      next.warnings.append(
        Notice(code: "damaged", message: "the cached file \(finding) and is replaced"))
    }
    return .becomes(next)
  }

  // MARK: Adopting

  /// A file at the destination with the wanted digest goes into the cache instead of being fetched.
  private func adoptDestination() throws(Failure) -> Ending {
    guard let destination = entry.destination else { return download(because: .missing, "") }
    let path = context.placement.path(of: destination)
    let adopted: CacheRecord
    do throws(CacheError) {
      let hashed = try DiskCache.hash(path, algorithms, isCancelled: context.isCancelled)
      guard isRight(hashed.digests) else { return download(because: .missing, "") }
      adopted = try context.cache.adoptFile(at: path, as: record(hashed))
    } catch .cancelled {
      throw Failure(CacheError.cancelled)
    } catch {
      // Whatever is wrong with what somebody else put there, the file can still be fetched.
      return download(because: .missing, "")
    }
    return try use(adopted)
  }

  // MARK: Using

  /// Links the file under this id where it is another's, and places it.
  private func use(_ record: CacheRecord?) throws(Failure) -> Ending {
    guard let record else { return download(because: .missing, "") }
    if record.readCache != nil, !isThere(record) {
      return download(because: .missing, "is gone, or is not what was recorded")
    }
    var outcome = Outcome(status: .cached)
    do throws(CacheError) {
      let own = try linked(record)
      context.cache.noteUse(of: own, now: context.now)
      outcome.describe(own, at: layout.path(of: own))
    } catch {
      if case .changed = error { return download(because: .damaged, "is not what was recorded") }
      throw Failure(error)
    }
    if let destination = entry.destination {
      outcome.isPlaced = try place(record, at: destination)
      outcome.destination = context.placement.path(of: destination)
    }
    return .done(outcome)
  }

  /// Nobody keeps others from pruning a read cache while this runs.
  private func isThere(_ record: CacheRecord) -> Bool {
    let status = try? FileSystem.status(of: layout.path(of: record))
    return status.map { FileObservation($0, isReadable: true).matches(record) } ?? false
  }

  /// The record under this entry's id and type. A cache that may not be written serves the other one's file as it is, and so
  /// is a read cache's served.
  private func linked(_ record: CacheRecord) throws(CacheError) -> CacheRecord {
    guard record.key != entry.key || record.type != entry.type, context.cache.isWritable,
      record.readCache == nil
    else { return record }
    return try context.cache.adoptContent(of: record, as: entry.key, type: entry.type, under: nil)
  }

  /// Places the file unless the right one is there. False where nothing had to be done.
  private func place(_ record: CacheRecord, at destination: DestinationPath) throws(Failure) -> Bool
  {
    let place = context.observe(entry)
    if let obstacle = place.obstacle, obstacle.isConflictWhenRight {
      throw obstacle.failure(at: context.placement.path(of: destination))
    }
    let content = try content(record)
    if place.need(of: entry, for: content) == nil, try !isPlacedFileDamaged(record, destination) {
      return false
    }
    try context.placement.place(content.path, at: destination, of: entry)
    return true
  }

  /// What the destination is compared with.
  private func content(_ record: CacheRecord) throws(Failure) -> PlacedContent {
    let path = layout.path(of: record)
    do throws(SystemError) {
      let status = try FileSystem.status(of: path)
      let inode = status.map { FileObservation($0, isReadable: true).sharedInode } ?? 0
      return PlacedContent(
        mode: context.configuration.linkMode, record: record, path: path, sharedInode: inode)
    } catch {
      throw Failure(error)
    }
  }

  /// With `--verify` size and time are not enough for placed files either.
  private func isPlacedFileDamaged(
    _ record: CacheRecord, _ destination: DestinationPath
  ) throws(Failure) -> Bool {
    guard context.configuration.verifiesCachedFiles else { return false }
    do throws(CacheError) {
      let path = context.placement.path(of: destination)
      let hashed = try DiskCache.hash(path, [.sha256], isCancelled: context.isCancelled)
      return !hashed.digests.allSatisfy(record.digests.contains)
    } catch {
      throw Failure(error)
    }
  }
}

extension Outcome {
  /// Tells about the cached file.
  mutating func describe(_ record: CacheRecord, at path: String) {
    self.path = path
    finalURL = record.finalURL
    byteCount = record.size
    sha256 = record.digests.first { $0.algorithm == .sha256 }
  }
}
