import BulkgetKit
import BulkgetSystem

/// What the commands ask of the library: the only way from words to work.
///
/// A value of closures, so that tests run the commands without cache, network or time.
struct Actions: Sendable {
  /// Takes the next piece of a document.
  typealias Sink = (borrowing [UInt8]) throws(StreamError) -> Void

  /// Reads the manifests (`-` is standard input), looks at the cache and plans. Touches nothing.
  var plan: @Sendable ([String], Configuration) throws(CommandFailure) -> Plan
  /// Asks servers for the sizes that a plan lacks.
  var probe: @Sendable (Plan, Configuration) async throws(CommandFailure) -> Plan
  /// Plans likewise, in a cache that is made ready to be written.
  var prepare: @Sendable ([String], Configuration) throws(CommandFailure) -> PreparedRun
  /// Prepares to fetch what the lock file of one manifest lacks.
  var prepareLock: @Sendable ([String], Configuration) throws(CommandFailure) -> PreparedRun
  /// Hashes what is cached and placed of the manifests, or without any the whole cache, again.
  var verify:
    @Sendable ([String], Configuration, @escaping @Sendable (VerificationProgress) -> Void)
      throws(CommandFailure) -> VerificationResult
  /// Finds out whether named certificates can be used.
  var checkCertificates: @Sendable (TrustedCertificates) throws(CommandFailure) -> Void
  /// The files of the cache in this directory, by namespace and id; none where there is no directory.
  var cachedFiles: @Sendable (String) throws(CommandFailure) -> [CachedFile]
  /// One file of the cache in this directory.
  var cachedFile: @Sendable (String, FileKey) throws(CommandFailure) -> CachedFile?
  /// Counts what lies in this directory.
  var cacheSize: @Sendable (String) throws(CommandFailure) -> CacheSize
  /// Prunes the cache in this directory by a rule, keeping what the manifests list; only says what would go where that is
  /// wanted.
  var pruneCache:
    @Sendable (String, PruneRule, [String], Bool) throws(CommandFailure) -> PruneResult
  /// Removes one file of the cache in this directory.
  var removeCached: @Sendable (String, FileKey) throws(CommandFailure) -> DiskCache.Removal
  /// Writes the JSON of a report, a plan or a listing piece by piece, with a line feed at its end.
  var write: @Sendable (Document, @escaping Sink) throws(StreamError) -> Void
  /// Finds out whether a report can be written to the path, and changes nothing there.
  var checkReport: @Sendable (String) throws(CommandFailure) -> Void
  /// Writes the report of a run to the path: complete or not at all.
  var writeReport: @Sendable (RunRecord, String) throws(CommandFailure) -> Void
}

/// A plan that can be carried out.
struct PreparedRun: Sendable {
  var plan: Plan
  /// Carries the plan out. Ends early, with what is left `cancelled`, when its task is cancelled. Calls the closure in the
  /// order in which things happen for each step.
  var perform: @Sendable (@escaping @Sendable (RunEvent) -> Void) async -> RunResult
  /// What is left to do with the result; gives a line to be said.
  var conclude: @Sendable (RunResult) throws(CommandFailure) -> String? = { _ in nil }
}

/// What is printed as JSON.
enum Document: Sendable {
  case run(RunRecord)
  /// `plan --json`; without a plan where there are problems instead. Destinations lie below the directory.
  case plan(RunRecord, outputDirectory: String)
  /// `cache list`, and `cache path` with the one file.
  case cacheList([CachedFile])
  case cacheSize(CacheSize)
  case cachePrune(PruneResult)
  case verification(VerificationResult)
  case schema(SchemaName)
}

/// The schemas that `bulkget schema` prints.
enum SchemaName: String, CaseIterable, Sendable {
  case manifest, plan, report
}

/// A complete file of the cache.
struct CachedFile: Sendable {
  var record: CacheRecord
  /// The absolute path.
  var path: String
}
