import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetKit

/// A server, a cache and an output directory for one test.
final class Site: Sendable {
  /// Bytes that a path serves.
  struct Content: Sendable {
    var body: Body
    var sha256: Digest
    var bytes: [UInt8] { body.bytes(0..<body.count) }
  }

  let server: TestServer
  let directory: TemporaryDirectory
  private let events = Monitor<[RunEvent]>([])

  init(options: TestServer.Options = TestServer.Options()) throws {
    server = try TestServer(options: options)
    directory = try TemporaryDirectory()
  }

  var configuration: Configuration {
    var configuration = Configuration(
      cacheDirectory: directory.path("cache"), outputDirectory: directory.path("out"))
    configuration.maximumRetryWait = .milliseconds(20)
    return configuration
  }

  /// What the last runs told.
  var told: [RunEvent] { events.withLock { $0 } }

  func entry(_ id: String, _ paths: String...) throws -> Entry {
    let sources = try paths.map { Source.remote(try ResourceURL(server.url($0))) }
    return Entry(
      key: FileKey(namespace: "default", id: id), sources: sources, type: FileType("bin"))
  }

  /// Serves so many bytes at a path, with ranges and a strong entity tag.
  @discardableResult
  func serve(_ path: String, count: Int) throws -> Content {
    let content = try Self.content(count)
    server.route(path, .file(Resource(content.body, etag: "\"v1\"")))
    return content
  }

  static func content(_ count: Int) throws -> Content {
    let body = Body.pseudoRandom(Int64(count))
    let sha256 = try #require(Digest(.sha256, hexadecimal: body.hexadecimalDigest()))
    return Content(body: body, sha256: sha256)
  }

  func prepare(_ entries: [Entry], _ change: (inout Configuration) -> Void) throws -> Run {
    var configuration = configuration
    change(&configuration)
    let manifest = Manifest(path: "manifest.yaml", entries: entries)
    return try Bulkget(configuration).run([manifest]) { [events] event in
      events.withLock { $0.append(event) }
    }
  }

  func run(
    _ entries: [Entry], _ change: (inout Configuration) -> Void = { _ in }
  ) async throws -> RunResult {
    try await prepare(entries, change).result()
  }

  /// Waits until a run has told of such an event.
  func waitForEvent(_ matches: @escaping @Sendable (RunEvent) -> Bool) async throws {
    let events = events
    // Other tests may keep the threads that the run needs for a while.
    let isFound = try await onThread {
      events.wait(atMost: .seconds(300)) { $0.contains(where: matches) ? true : nil }
    }
    if isFound == nil { throw HangError("the event did not come") }
  }

  /// Waits until so many bytes of a body have been told of.
  func waitForPartial(atLeast count: Int64) async throws {
    try await waitForEvent { event in
      if case .received(_, let byteCount, _) = event { byteCount >= count } else { false }
    }
  }
}
