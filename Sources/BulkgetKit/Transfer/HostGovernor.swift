/// How many downloads each host gets at once, and when none: pure, told what happens and asked before each start.
///
/// A host that answers 429 or 503 rests, all its downloads with it, and then gets half of what it had; each success
/// gives some of it back, as congestion control does (RFC 5681 §3.1).
struct HostGovernor: Sendable {
  private struct Host: Sendable {
    var runningCount = 0
    /// How many downloads a calmed host gets for now; nil where only its limit counts.
    var allowance: Double?
    var restsUntil: ContinuousClock.Instant?

    /// Whether there is nothing to remember.
    var isForgettable: Bool { runningCount == 0 && allowance == nil && restsUntil == nil }
  }

  private var hosts: [String: Host] = [:]
  private let jobs: Int
  private let limit: Int
  private let limits: [String: Int]

  /// `jobs` is how many downloads run at once in all, `limit` how many at each host (nil for no limit), and `limits` are
  /// those of single hosts.
  init(jobs: Int, limit: Int? = nil, limits: [String: Int] = [:]) {
    self.jobs = jobs
    self.limit = limit ?? .max
    self.limits = limits
  }

  /// Takes a place at the host, where it has one at `now`.
  mutating func takePlace(at host: String, now: ContinuousClock.Instant) -> Bool {
    if isResting(host, at: now) { return false }
    guard hosts[host]?.runningCount ?? 0 < places(at: host) else { return false }
    hosts[host, default: Host()].runningCount += 1
    return true
  }

  /// Gives a place back.
  mutating func givePlaceBack(at host: String) {
    change(host) { $0.runningCount -= 1 }
  }

  /// Whether nothing may be asked of the host at `now`.
  func isResting(_ host: String, at now: ContinuousClock.Instant) -> Bool {
    hosts[host]?.restsUntil.map { now < $0 } ?? false
  }

  /// A download from the host went well.
  mutating func noteSuccess(at host: String) {
    guard let allowance = hosts[host]?.allowance else { return }
    // As many successes as there are places make one place more.
    let more = allowance + 1 / allowance
    let isRestored = Int(more) >= min(limit(of: host), jobs)
    change(host) { $0.allowance = isRestored ? nil : more }
  }

  /// The host has said that it is too much.
  mutating func calm(
    _ host: String, until end: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) {
    // What was under way when the first answer came says the same once more, which must not halve the host to nothing.
    let isNews = !isResting(host, at: now)
    let most = min(places(at: host), jobs)
    change(host) { state in
      if isNews { state.allowance = Double(max(1, min(most, state.runningCount) / 2)) }
      state.restsUntil = max(end, state.restsUntil ?? end)
    }
  }

  /// The host's rest is over, if it is.
  mutating func endRest(of host: String, now: ContinuousClock.Instant) {
    if !isResting(host, at: now) { change(host) { $0.restsUntil = nil } }
  }

  /// How many downloads the host gets at once.
  func places(at host: String) -> Int {
    let limit = limit(of: host)
    return hosts[host]?.allowance.map { max(1, min(Int($0), limit)) } ?? limit
  }

  private func limit(of host: String) -> Int { min(limits[host] ?? limit, limit) }

  private mutating func change(_ name: String, _ body: (inout Host) -> Void) {
    var host = hosts[name] ?? Host()
    body(&host)
    hosts[name] = host.isForgettable ? nil : host
  }
}

extension HostGovernor {
  /// The bounds of a configuration, and of the hosts in manifests: the smallest holds.
  init(_ configuration: Configuration, hosts manifests: [[String: HostSettings]]) {
    var limits: [String: Int] = [:]
    for hosts in manifests {
      for (host, settings) in hosts {
        guard let connections = settings.connections else { continue }
        limits[host] = min(connections, limits[host] ?? .max)
      }
    }
    self.init(
      jobs: configuration.jobs, limit: configuration.connectionsPerHost, limits: limits)
  }
}

extension ResourceURL {
  /// The server as `hosts` of a manifest names it: with the port unless that is the scheme's own.
  var hostName: String { port == scheme.defaultPort ? host : "\(host):\(port)" }
}
