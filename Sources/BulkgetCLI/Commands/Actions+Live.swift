import BulkgetKit
import BulkgetSystem

extension Actions {
  /// The library itself.
  static func live(environment: [String: String]) -> Actions {
    Actions(
      plan: { paths, configuration throws(CommandFailure) in
        let manifests = try read(paths, configuration, environment)
        return try cacheCall { () throws(CacheError) in try Bulkget(configuration).plan(manifests) }
      },
      probe: { plan, configuration throws(CommandFailure) in
        do throws(RunError) { return try await Bulkget(configuration).probed(plan) } catch {
          throw CommandFailure(error)
        }
      },
      prepare: { paths, configuration throws(CommandFailure) in
        try runCall { () throws(RunError) in try Bulkget.checkDescriptors() }
        return try prepare(try read(paths, configuration, environment), configuration)
      },
      prepareLock: { paths, configuration throws(CommandFailure) in
        try runCall { () throws(RunError) in try Bulkget.checkDescriptors() }
        return try prepareLock(paths.first ?? "-", configuration, environment)
      },
      verify: { paths, configuration, progress throws(CommandFailure) in
        let bulkget = Bulkget(configuration)
        if paths.isEmpty {
          return try cacheCall { () throws(CacheError) in
            try bulkget.verifyCache(progress: progress)
          }
        }
        let manifests = try read(paths, configuration, environment)
        return try cacheCall { () throws(CacheError) in
          try bulkget.verify(manifests, progress: progress)
        }
      },
      checkCertificates: { certificates throws(CommandFailure) in try certificates.check() },
      cachedFiles: { directory throws(CommandFailure) in
        try cacheCall { () throws(CacheError) in try cachedFiles(try open(directory)) }
      },
      cachedFile: { directory, key throws(CommandFailure) in
        try cacheCall { () throws(CacheError) in
          let cache = try open(directory)
          return try cache.record(of: key).map { CachedFile($0, in: cache) }
        }
      },
      cacheSize: { directory throws(CommandFailure) in
        try cacheCall { () throws(CacheError) in try open(directory).size() }
      },
      pruneCache: { directory, rule, paths, isRehearsal throws(CommandFailure) in
        var rule = rule
        if !paths.isEmpty {
          rule.keptKeys = Set(try read(paths, environment).flatMap(\.entries).map(\.key))
        }
        return try cacheCall { () throws(CacheError) in
          let cache = try DiskCache.open(
            at: directory, access: isRehearsal ? .reading : .writing())
          return try cache.prune(rule, isRehearsal: isRehearsal)
        }
      },
      removeCached: { directory, key throws(CommandFailure) in
        try cacheCall { () throws(CacheError) in
          // A cache that is not there is not made for this.
          guard try open(directory).has(key) else { return .missing }
          return try DiskCache.open(at: directory, access: .writing()).remove(key)
        }
      },
      write: { document, sink throws(StreamError) in try document.write(to: sink) },
      checkReport: { path throws(CommandFailure) in
        try reportCall { () throws(ReportError) in try ReportFile(path: path).checkWritable() }
      },
      writeReport: { record, path throws(CommandFailure) in
        try reportCall { () throws(ReportError) in try ReportFile(path: path).write(record.report) }
      })
  }

  private static func open(_ directory: String) throws(CacheError) -> DiskCache {
    try DiskCache.open(at: directory, access: .reading)
  }

  private static func cachedFiles(_ cache: DiskCache) throws(CacheError) -> [CachedFile] {
    var files: [CachedFile] = []
    try cache.forEachRecord { files.append(CachedFile($0, in: cache)) }
    return files
  }

  /// Reads the manifests, and checks that the options choose something of them.
  private static func read(
    _ paths: [String], _ configuration: Configuration, _ environment: [String: String]
  ) throws(CommandFailure) -> [Manifest] {
    let manifests = try read(paths, environment, isLocked: true)
    do throws(ManifestError) {
      let combination = try Manifest.combined(manifests)
      try combination.checkDestinations(of: manifests, in: configuration.outputDirectory)
      try checkSelection(configuration.selection, manifests)
      if configuration.requiresStrongDigests { try configuration.selection.checkLocked(manifests) }
      return manifests.adding(combination.warnings)
    } catch {
      throw .problems(error.showingLines(of: manifests).problems.map(Problem.init))
    }
  }

  private static func read(
    _ paths: [String], _ environment: [String: String], isLocked: Bool = false
  ) throws(CommandFailure) -> [Manifest] {
    do {
      return isLocked
        ? try Manifest.readingLocked(paths, environment: environment)
        : try Manifest.reading(paths, environment: environment)
    } catch {
      throw .problems(error.problems.map(Problem.init))
    }
  }

  private static func checkSelection(
    _ selection: Selection, _ manifests: [Manifest]
  ) throws(ManifestError) {
    let summary = selection.summary(of: manifests)
    guard summary.selectedCount == 0, summary.entryCount > 0, selection.hasCriteria else { return }
    var reason = "the options choose none of the \(summary.entryCount) entries"
    let unmatched = summary.unmatchedPatterns + summary.unmatchedTags
    if !unmatched.isEmpty { reason += ": nothing matches \(Wording.list(unmatched))" }
    let text = (reason, hint: "`bulkget plan -v` without them shows every entry" as String?)
    throw ManifestError(problems: [ManifestError.Problem(file: manifests[0].path, text)])
  }

  private static func prepare(
    _ manifests: [Manifest], _ configuration: Configuration
  ) throws(CommandFailure) -> PreparedRun {
    let events = EventRelay()
    let run = try runCall { () throws(RunError) in
      try Bulkget(configuration).run(manifests) { events.tell($0) }
    }
    return PreparedRun(plan: run.plan) { listener in
      events.listen(listener)
      return await withTaskCancellationHandler {
        await run.result()
      } onCancel: {
        run.stop()
      }
    }
  }

  private static func prepareLock(
    _ path: String, _ configuration: Configuration, _ environment: [String: String]
  ) throws(CommandFailure) -> PreparedRun {
    guard let lockPath = LockFile.path(of: path) else {
      throw .problems([
        Problem(
          message: "standard input has no lock file", hint: "give the manifest as a file")
      ])
    }
    let update: LockUpdate
    do throws(ManifestError) {
      let manifest = try Manifest(reading: path, environment: environment)
      try checkSelection(configuration.selection, [manifest])
      update = LockUpdate(
        of: manifest, try LockFile(ofManifest: path), selection: configuration.selection,
        renewsAll: configuration.refreshesEverything || configuration.downloadsEverything)
    } catch {
      throw .problems(error.problems.map(Problem.init))
    }
    // Found out before anything is fetched; a lock file that is right as it is may be read-only.
    if update.isNeeded {
      try lockCall { () throws(LockError) in try LockFile.checkWritable(lockPath) }
    }
    var prepared = try prepare([update.manifest], configuration)
    prepared.conclude = { result throws(CommandFailure) in
      let lock = update.lockFile(after: result)
      let isChanged = try lockCall { () throws(LockError) in try lock.update(lockPath) }
      let count = lock.records.count
      return "\(lockPath): \(count) \(count == 1 ? "entry" : "entries")"
        + (isChanged ? "" : ", unchanged")
    }
    return prepared
  }

  private static func cacheCall<Result>(
    _ body: () throws(CacheError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }

  private static func runCall<Result>(
    _ body: () throws(RunError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }

  private static func lockCall<Result>(
    _ body: () throws(LockError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }

  private static func reportCall(_ body: () throws(ReportError) -> Void) throws(CommandFailure) {
    do { try body() } catch { throw CommandFailure(error) }
  }
}

extension [Manifest] {
  /// Warnings about several manifests stand with the last one.
  fileprivate func adding(_ warnings: [Notice]) -> [Manifest] {
    var manifests = self
    let known = Set(flatMap(\.warnings))
    manifests.indices.last.map { manifests[$0].warnings += warnings.filter { !known.contains($0) } }
    return manifests
  }
}

extension CachedFile {
  init(_ record: CacheRecord, in cache: DiskCache) {
    self.init(record: record, path: cache.layout.path(of: record))
  }
}

extension CommandFailure {
  init(_ error: CacheError) {
    self = .surroundings(Failure(error), hint: error.hint)
  }

  init(_ error: RunError) {
    switch error {
    case .cache(let error): self.init(error)
    case .tooFewDescriptors:
      self = .surroundings(Failure(.tooManyOpenFiles, error.description), hint: nil)
    case .transport: self = .surroundings(Failure(.io, error.description), hint: nil)
    }
  }

  init(_ error: LockError) {
    self = .surroundings(Failure(.io, error.description), hint: nil)
  }

  init(_ error: ReportError) {
    self = .surroundings(Failure(.io, error.description), hint: nil)
  }
}

extension Problem {
  fileprivate init(_ problem: ManifestError.Problem) {
    self.init(
      file: problem.file, line: problem.line, column: problem.column, message: problem.message)
    hint = problem.hint
    excerpt = problem.excerpt.map { Excerpt(text: $0.text, caretColumnCount: $0.caretColumnCount) }
  }
}
