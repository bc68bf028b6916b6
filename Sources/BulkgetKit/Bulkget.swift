import BulkgetSystem
import Foundation

/// Everything that the command line does, for a program: reads a cache, plans, and runs plans.
///
/// ```swift
/// let bulkget = Bulkget(configuration)
/// let run = try bulkget.run([manifest]) { event in … }
/// let result = await run.result()
/// ```
public struct Bulkget: Sendable {
  /// How plans are made and carried out.
  public let configuration: Configuration

  /// Makes a façade. Nothing is opened yet.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Compares what the manifests want with the cache and the output directory. Changes nothing, asks no server.
  ///
  /// - Throws: where the cache can't be read, or a later version wrote its index.
  public func plan(_ manifests: [Manifest]) throws(CacheError) -> Plan {
    try plan(manifests, DiskCache.open(at: configuration.cacheDirectory, access: .reading))
  }

  /// Plans, and makes the plan ready to be carried out. Nothing is asked of any server before ``Run/result()``.
  ///
  /// - Parameter events: called on many threads, one call at a time for each step.
  /// - Throws: ``RunError`` where the surroundings don't allow a run.
  public func run(
    _ manifests: [Manifest], events: @escaping @Sendable (RunEvent) -> Void
  ) throws(RunError) -> Run {
    let budget = DescriptorBudget.raised()
    guard let jobs = budget.jobs(atMost: configuration.jobs) else {
      throw .tooFewDescriptors(limit: budget.limit, needed: DescriptorBudget.minimum)
    }
    let cache: DiskCache
    var plan: Plan
    let claim: CacheClaim?
    do throws(CacheError) {
      cache = try DiskCache.open(
        at: configuration.cacheDirectory, access: .writing(durable: configuration.isDurable))
      (plan, claim) = try cache.claiming { () throws(CacheError) in try self.plan(manifests, cache)
      }
    } catch {
      throw .cache(error)
    }
    cache.removeLeftovers()
    var configuration = configuration
    if jobs < configuration.jobs {
      plan.warnings.append(budget.warning(jobs: jobs, wanted: configuration.jobs))
      configuration.jobs = jobs
    }
    plan.warnings += configuration.proxies.warnings
    let run = try Run(plan, cache, claim, configuration, events: events)
    if let shortage = try shortage(of: plan, cache) { run.refuse(shortage.failure(configuration)) }
    return run
  }

  /// What the plan has no room for; found out before the first request.
  private func shortage(of plan: Plan, _ cache: DiskCache) throws(RunError) -> SpaceDemand.Shortage?
  {
    do throws(SystemError) {
      return SpaceDemand(of: plan, configuration.linkMode).shortage(
        cache: try FileSystemSpace(at: configuration.cacheDirectory),
        output: try FileSystemSpace(at: configuration.outputDirectory),
        sharesBlocks: cache.sharesBlocks)
    } catch {
      throw .cache(CacheError(error))
    }
  }

  /// Each part of the entries is looked up and decided about by itself, so that all cores have work and no more of cache
  /// and output directory than a part's share is in memory at once.
  private func plan(_ manifests: [Manifest], _ cache: DiskCache) throws(CacheError) -> Plan {
    let caches = try CacheView(
      cache, readCaches: configuration.readCaches,
      entryCount: manifests.reduce(0) { $0 + $1.entries.count })
    let observer = DestinationObserver(configuration)
    let planner = Planner(configuration: configuration, now: Int64(Date().timeIntervalSince1970))
    let selection = SelectionMatcher(configuration.selection)
    var parts: [PlannedPart] = []
    for (manifest, entries) in Planner.distinctEntries(of: manifests).enumerated() {
      parts += try Parts.map(of: entries.count, size: 4096) { part throws(CacheError) in
        let wanted = entries[part].filter(selection.selects)
        let steps = planner.steps(
          for: entries[part], cache: try caches.snapshot(of: wanted),
          destinations: .observing(wanted, by: observer))
        return PlannedPart(manifest: manifest, steps: steps)
      }
    }
    return planner.plan(manifests, parts, warnings: caches.takeWarnings())
  }
}

/// Why a run can't begin.
public enum RunError: Error, Sendable, CustomStringConvertible {
  /// The cache can't be used.
  case cache(CacheError)
  /// The process may open too few files for even one download.
  case tooFewDescriptors(limit: Int, needed: Int)
  /// libcurl can't be set up.
  case transport(String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .cache(let error): error.description
    case .tooFewDescriptors(let limit, let needed):
      "only \(limit) files may be open at once, one download needs \(needed); raise `ulimit -n`"
    case .transport(let reason): "cannot set up libcurl: \(reason)"
    }
  }
}
