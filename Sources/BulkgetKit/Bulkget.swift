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

  private func plan(_ manifests: [Manifest], _ cache: DiskCache) throws(CacheError) -> Plan {
    let entries = manifests.flatMap(\.entries)
    let destinations = DestinationSnapshot.observing(
      entries, by: DestinationObserver(configuration))
    let now = Int64(Date().timeIntervalSince1970)
    return Planner(configuration: configuration, now: now)
      .plan(
        manifests: manifests, cache: try snapshot(of: entries, cache), destinations: destinations)
  }

  /// What the cache has of the entries, and the read caches of those that it doesn't serve. A read cache that can't be read
  /// is as good as none, and worth a warning.
  func snapshot(of entries: [Entry], _ cache: DiskCache) throws(CacheError) -> CacheSnapshot {
    var snapshot = try cache.snapshot(of: entries)
    for directory in configuration.readCaches {
      let wanted = snapshot.unserved(entries)
      do throws(CacheError) {
        guard FileSystem.isDirectory(directory) else {
          throw .unusable(directory: directory, reason: "there is no such directory")
        }
        let other = try DiskCache.open(at: directory, access: .reading)
        snapshot.add(try other.snapshot(of: wanted), of: wanted, from: directory)
      } catch {
        snapshot.warnings.append(
          Notice(code: "read-cache-unusable", message: "\(error); going on without it"))
      }
    }
    return snapshot
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
