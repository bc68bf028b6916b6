import BulkgetSystem
import Foundation
import TestSupport
import Testing

@testable import BulkgetKit

/// A run through the library against a loopback server.
struct RunTests {
  @Test func downloadsPlacesAndThenKeeps() async throws {
    let site = try Site()
    let content = try site.serve("/a.bin", count: 3_000_000)
    var entry = try site.entry("a", "/a.bin")
    entry.destination = try DestinationPath("x/a.bin")
    entry.digests = [content.sha256]
    let first = try await site.run([entry])
    #expect(first.verdict == RunVerdict(status: .succeeded, exitStatus: 0))
    #expect(first.outcomes[0].status == .downloaded)
    #expect(first.outcomes[0].failure == nil)
    #expect(try site.directory.read("out/x/a.bin") == content.bytes)
    let second = try await site.run([entry])
    #expect(second.outcomes[0].status == .cached)
    #expect(site.server.requests.count == 1)
  }

  @Test func anOptionalFailureDoesNotFailTheRun() async throws {
    let site = try Site()
    try site.serve("/a.bin", count: 10)
    var optional = try site.entry("missing", "/none.bin")
    optional.isOptional = true
    let result = try await site.run([optional, try site.entry("a", "/a.bin")])
    #expect(result.verdict == RunVerdict(status: .succeeded, exitStatus: 0))
    #expect(result.outcomes.map(\.status) == [.failed, .downloaded])
    #expect(result.outcomes[0].failure?.code == .httpStatus)
  }

  @Test func mirrorsAreTriedInOrder() async throws {
    let site = try Site()
    let content = try site.serve("/c.bin", count: 5000)
    site.server.route("/b.bin", .respond(Response.text("something else")))
    var entry = try site.entry("a", "/a.bin", "/b.bin", "/c.bin")
    entry.digests = [content.sha256]
    let result = try await site.run([entry])
    let outcome = result.outcomes[0]
    #expect(outcome.status == .downloaded)
    #expect(outcome.attempts.map(\.failure?.code) == [.httpStatus, .checksumMismatch, nil])
    #expect(site.server.requests.map(\.target) == ["/a.bin", "/b.bin", "/c.bin"])
    #expect(outcome.url == site.server.url("/c.bin"))
  }

  @Test func theFirstFailureStopsARunThatFailsFast() async throws {
    let site = try Site()
    let gate = try Gate()
    site.server.route(
      "/slow.bin",
      .respond(Response(200, body: .repeating(1, count: 1000)).held(after: 10, by: gate)))
    let entries = [
      try site.entry("slow", "/slow.bin"), try site.entry("missing", "/none.bin"),
      try site.entry("later", "/later.bin"),
    ]
    let result = try await site.run(entries) {
      $0.stopsAtFirstFailure = true
      $0.jobs = 2
    }
    #expect(result.outcomes[0].status == .cancelled)
    #expect(result.outcomes[1].failure?.code == .httpStatus)
    #expect(result.verdict.exitStatus == 1)
    #expect(result.verdict.status == .failed)
  }

  @Test func theTimeForTheWholeRunCancelsWhatIsLeft() async throws {
    let site = try Site()
    let gate = try Gate()
    site.server.route(
      "/slow.bin",
      .respond(Response(200, body: .repeating(1, count: 1000)).held(after: 10, by: gate)))
    let result = try await site.run([try site.entry("slow", "/slow.bin")]) {
      $0.maximumTime = .milliseconds(200)
    }
    #expect(result.outcomes[0].status == .cancelled)
    #expect(result.outcomes[0].failure?.code == .cancelled)
    #expect(result.verdict == RunVerdict(status: .cancelled, exitStatus: 1))
  }

  @Test func aWaitingRetryHoldsNoSlot() async throws {
    let site = try Site()
    try site.serve("/b.bin", count: 10)
    let content = try Site.content(10)
    site.server.route("/a.bin", .respond(Response(500)), .file(Resource(content.body)))
    let entries = [try site.entry("a", "/a.bin"), try site.entry("b", "/b.bin")]
    let result = try await site.run(entries) {
      $0.jobs = 1
      $0.maximumRetryWait = .seconds(2)
    }
    #expect(result.outcomes.map(\.status) == [.downloaded, .downloaded])
    #expect(result.outcomes[0].attempts.count == 2)
    #expect(site.server.requests.map(\.target) == ["/a.bin", "/b.bin", "/a.bin"])
    #expect(site.server.log.maximumInFlight == 1)
  }

  @Test func aStoppedRunKeepsItsPartialAndTheNextOneResumesIt() async throws {
    let site = try Site()
    let content = try Site.content(4_000_000)
    let gate = try Gate()
    let resource = Resource(content.body, etag: "\"v1\"")
    // Bursts further apart than progress is told, so that each is told of.
    site.server.route(
      "/a.bin",
      .file(resource) {
        $0.dripping(600_000, every: .milliseconds(220)).held(after: 3_000_000, by: gate)
      }, .file(resource))
    let entry = try site.entry("a", "/a.bin")
    let run = try site.prepare([entry]) {
      // The held body must not be given up where a busy machine stops the run late.
      $0.stallTimeout = .seconds(600)
    }
    async let result = run.result()
    try await site.waitForPartial(atLeast: 2_000_000)
    run.stop(signal: 2)
    let stopped = await result
    #expect(stopped.verdict == RunVerdict(status: .cancelled, exitStatus: 130))
    #expect(stopped.outcomes[0].status == .cancelled)
    let second = try await site.run([entry])
    #expect(second.outcomes[0].status == .downloaded)
    #expect(second.outcomes[0].resumedByteCount >= 2_000_000)
    let last = try #require(site.server.requests.last)
    #expect(last["If-Range"] == "\"v1\"")
    let path = try #require(second.outcomes[0].path)
    #expect(try FileDescriptor.reading(path).readAll(limit: .max) == content.bytes)
  }

  @Test func withoutNetworkOnlyWhatIsCachedSucceeds() async throws {
    let site = try Site()
    try site.serve("/a.bin", count: 10)
    let cached = try site.entry("a", "/a.bin")
    _ = try await site.run([cached])
    let result = try await site.run([cached, try site.entry("b", "/b.bin")]) { $0.isOffline = true }
    #expect(result.outcomes.map(\.status) == [.cached, .failed])
    #expect(result.outcomes[1].failure?.code == .offline)
    #expect(site.server.requests.count == 1)
  }

  @Test func anotherHoldersDownloadIsWaitedFor() async throws {
    let site = try Site()
    let content = try site.serve("/a.bin", count: 1000)
    let entry = try site.entry("a", "/a.bin")
    let holder = try Holder(of: entry, in: site)
    let run = try site.prepare([entry]) { _ in }
    async let result = run.result()
    try await site.waitForEvent { if case .waiting = $0 { true } else { false } }
    #expect(site.server.requests.isEmpty)
    try holder.publish(content, url: site.server.url("/a.bin"))
    let outcome = await result.outcomes[0]
    #expect(outcome.status == .cached)
    #expect(outcome.sha256 == content.sha256)
    #expect(site.server.requests.isEmpty)
  }

  @Test func oneDigestUnderTwoIdsIsOneTransfer() async throws {
    let site = try Site()
    let content = try site.serve("/a.bin", count: 2000)
    try site.serve("/b.bin", count: 2000)
    var (first, second) = (try site.entry("a", "/a.bin"), try site.entry("b", "/b.bin"))
    first.digests = [content.sha256]
    second.digests = [content.sha256]
    let result = try await site.run([first, second])
    #expect(result.outcomes.map(\.status) == [.downloaded, .cached])
    #expect(site.server.requests.count == 1)
    #expect(result.outcomes.compactMap(\.path).count == 2)
  }

  @Test func aFollowerWithItsOwnSourceTriesItWhenItsLeaderFails() async throws {
    let site = try Site()
    let content = try site.serve("/b.bin", count: 2000)
    var (first, second) = (try site.entry("a", "/none.bin"), try site.entry("b", "/b.bin"))
    first.digests = [content.sha256]
    second.digests = [content.sha256]
    let result = try await site.run([first, second])
    #expect(result.outcomes.map(\.status) == [.failed, .downloaded])
  }

  @Test func damageIsFoundAndRepaired() async throws {
    let site = try Site()
    let content = try site.serve("/a.bin", count: 2000)
    var entry = try site.entry("a", "/a.bin")
    entry.digests = [content.sha256]
    let path = try #require(try await site.run([entry]).outcomes[0].path)
    try FileSystem.setPermissions(0o644, of: path)
    try FileDescriptor(opening: path, O_WRONLY).write([0, 1, 2])
    let result = try await site.run([entry])
    #expect(result.plan.steps[0].action == .download)
    #expect(result.plan.steps[0].reason == .damaged)
    #expect(result.outcomes[0].status == .downloaded)
    #expect(result.plan.steps[0].warnings.map(\.code) == ["damaged"])
    #expect(try FileDescriptor.reading(path).readAll(limit: .max) == content.bytes)
  }

  @Test func aLocalSourceIsCopiedAndVerified() async throws {
    let site = try Site()
    let content = try Site.content(100_000)
    let path = try site.directory.write(content.bytes, to: "source.bin")
    var entry = Entry(
      key: FileKey(namespace: "default", id: "a"), sources: [.local(path: path)],
      type: FileType("bin"))
    entry.digests = [content.sha256]
    let result = try await site.run([entry])
    #expect(result.outcomes[0].status == .downloaded)
    #expect(result.outcomes[0].byteCount == 100_000)
    entry.sources = [.local(path: path + ".none")]
    entry.key = FileKey(namespace: "other", id: "a")
    entry.digests = []
    let missing = try await site.run([entry])
    #expect(missing.outcomes[0].failure?.code == .io)
  }
}

/// Another process that downloads a file, as far as locks can tell.
private final class Holder {
  private let cache: DiskCache
  private let entry: Entry
  private var lock: FileLock?

  init(of entry: Entry, in site: Site) throws {
    self.entry = entry
    cache = try DiskCache.open(at: site.configuration.cacheDirectory, access: .writing())
    if case .acquired(let lock) = try cache.lock(entry.key) { self.lock = lock }
    try #require(lock != nil)
  }

  func publish(_ content: Site.Content, url: String) throws {
    let file = try cache.stage(entry.key, under: lock)
    try file.descriptor.write(content.bytes)
    let record = CacheRecord(
      key: entry.key, type: entry.type, url: url, finalURL: url, digests: [content.sha256], size: 0,
      modificationTime: 0, now: 1)
    _ = try cache.publish(file, as: record, replacing: nil, under: lock)
    lock = nil
    try cache.flush()
  }
}
