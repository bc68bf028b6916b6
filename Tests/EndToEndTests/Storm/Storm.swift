import TestSupport

/// 500 files on four servers under a weather that depends on nothing but a seed and how often a file was asked for.
///
/// A file's version changes only between two requests, so whoever asked last must have got the last version whole.
final class Storm: Sendable {
  /// What has happened so far.
  struct Sky: Sendable {
    var requestCounts: [Int: Int] = [:]
    /// The version of each file that was changed, from 0.
    var versions: [Int: Int] = [:]
    var weather: [Weather: Int] = [:]
    /// Requests whose answers can't have brought the file, by server and number there.
    var fruitless: Set<[Int]> = []
    /// How often a part was continued: asked for with If-Range, and sent with the same tag.
    var resumptionCount = 0
    /// How often what was continued was what an earlier process had left.
    var inheritedCount = 0
    /// How often a part of another version was sent.
    var otherPartCount = 0
    /// The number of the process that asks, and of the one that last asked for each file.
    var process = 0
    var lastProcess: [Int: Int] = [:]

    var requestCount: Int { requestCounts.values.reduce(0, +) }

    mutating func noteResumption(of file: Int) {
      resumptionCount += 1
      if lastProcess[file] != process { inheritedCount += 1 }
    }
  }

  let files: [StormFile]
  private let seed: UInt64
  private let servers: [TestServer]
  private let state: Monitor<Sky>

  init(seed: UInt64) throws {
    let files = (0..<500).map { StormFile($0, seed: seed) }
    let (state, addresses) = (Monitor(Sky()), Monitor<[String]>([]))
    let never = try Gate()
    servers = try (0..<4).map { server in
      try TestServer { request in
        let number = Self.number(of: request)
        let count = state.withLock { sky in
          sky.requestCounts[number, default: 0] += 1
          return sky.requestCounts[number, default: 0]
        }
        var generator = SeededGenerator(seed: seed ^ UInt64(number) << 32 ^ UInt64(count))
        let weather = Weather(request: count, continues: request["Range"] != nil, &generator)
        let version = state.withLock { sky in
          sky.weather[weather, default: 0] += 1
          if weather == .change { sky.versions[number, default: 0] += 1 }
          return sky.versions[number, default: 0]
        }
        let file = files[number]
        // Some servers send a part of whatever they have now, though If-Range asks for another version's.
        let ignoresIfRange = weather == .change && generator.draw(4) > 0
        let resource = file.resource(version).with { $0.honoursIfRange = !ignoresIfRange }
        let answer = resource.response(to: request)
        let isPart = answer.status == 206
        let isOtherPart = isPart && request["If-Range"].map { $0 != resource.etag } ?? false
        state.withLock { sky in
          if isPart, request["If-Range"] == resource.etag { sky.noteResumption(of: number) }
          sky.lastProcess[number] = sky.process
          if (weather != .calm && weather != .change) || isOtherPart {
            sky.fruitless.insert([server, request.number])
          }
          if isOtherPart { sky.otherPartCount += 1 }
        }
        let elsewhere = addresses.withLock { $0[(server + 1) % $0.count] } + request.path
        return (file.isLarge ? answer.dripping(131_072, every: .milliseconds(2)) : answer)
          .through(weather, elsewhere: elsewhere, never: never, &generator)
      }
    }
    addresses.withLock { [servers] in $0 = servers.map { $0.url("") } }
    (self.files, self.seed, self.state) = (files, seed, state)
  }

  var sky: Sky { state.withLock { $0 } }

  /// The manifest of all files, each at one of the servers.
  var manifest: String {
    "files:\n"
      + files.map { $0.entry(servers[$0.number % 4].url($0.path)) }.joined(separator: "\n")
  }

  /// How many requests there may be to files for which `condition` holds: one for each file, and one more for each answer
  /// that can't have brought it. The script's faults are such answers, and what the client gave up because this machine
  /// was too slow.
  func justifiedCount(where condition: (StormFile) -> Bool = { _ in true }) -> Int {
    let fruitless = sky.fruitless
    var count = files.count(where: condition)
    for (server, log) in servers.map(\.log).enumerated() {
      for exchange in log.exchanges where condition(files[Self.number(of: exchange.request)]) {
        let isComplete = if case .complete? = exchange.ending { true } else { false }
        if !isComplete || fruitless.contains([server, exchange.request.number]) { count += 1 }
      }
    }
    return count
  }

  private static func number(of request: Request) -> Int {
    Int(request.path.dropFirst().dropLast(4)) ?? 0
  }

  /// Another process asks from now on.
  func beginProcess() {
    state.withLock { $0.process += 1 }
  }

  /// Waits until so many more requests have come than when `earlier` was taken.
  func wait(forRequests count: Int, since earlier: Sky) throws {
    let wanted = earlier.requestCount + count
    guard state.wait(until: { $0.requestCount >= wanted ? () : nil }) != nil else {
      throw HangError("\(sky.requestCount) requests came, not \(wanted)")
    }
  }

  /// Waits until nobody is connected.
  func waitUntilIdle() throws {
    for server in servers { try server.waitUntilIdle() }
  }
}
