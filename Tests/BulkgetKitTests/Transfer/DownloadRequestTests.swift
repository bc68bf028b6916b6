import Testing

@testable import BulkgetKit

/// What a request carries: conditions, the entry's own fields, and credentials, each only where it belongs.
@Suite struct DownloadRequestTests {
  typealias Answer = DownloadPlay.Answer
  private static let url = "https://example.org/a.bin"

  private func conditional(
    _ url: String = url, tag: String? = nil, modified: String? = nil
  ) throws -> Download.Order {
    var record = CacheRecord(
      key: FileKey(namespace: "default", id: "a"), type: nil, url: url, finalURL: url, digests: [],
      size: 1, modificationTime: 1, now: 1)
    (record.entityTag, record.lastModified) = (tag, modified)
    return try .sample { $0.condition = record }
  }

  @Test func B040_anUnchangedFileIsRevalidated() throws {
    let play = DownloadPlay(try conditional(tag: "\"v1\"", modified: "yesterday"), [.status(304)])
    #expect(play.result == "not-modified")
    #expect(play.sent("If-None-Match") == ["\"v1\""])
    #expect(play.sent("If-Modified-Since") == [nil])
    #expect(play.tries == ["-"])
  }

  @Test func withoutATagTheDateIsAskedAbout() throws {
    let play = DownloadPlay(try conditional(modified: "yesterday"), [.status(200, bytes: 5)])
    #expect(play.result == "complete")
    #expect(play.sent("If-Modified-Since") == ["yesterday"])
  }

  @Test(arguments: [true, false])
  func B040_notModifiedUnaskedIsAStatus(hasRecordWithoutValidators: Bool) throws {
    let order = hasRecordWithoutValidators ? try conditional() : try .sample()
    #expect(DownloadPlay(order, [.status(304)]).result == "http-status")
  }

  @Test func validatorsOfAMirrorAreNotSent() throws {
    let order = try conditional("https://mirror.example/a.bin", tag: "\"v1\"")
    let play = DownloadPlay(order, [.status(304)])
    #expect(play.sent("If-None-Match") == [nil])
    #expect(play.result == "http-status")
  }

  private func with(
    _ credential: HostSettings.Credential, for host: String, allowsHTTP: Bool = false,
    url: String = "https://example.org/a.bin", headers: [HeaderField] = []
  ) throws -> Download.Order {
    try .sample(url) { order in
      var settings = HostSettings()
      settings.credential = credential
      settings.allowsHTTP = allowsHTTP
      order.hosts = [host: settings]
      order.entry.headers = headers
    }
  }

  @Test(arguments: [
    (HostSettings.Credential.bearer("T"), "Authorization", "Bearer T"),
    (.basic(user: "u", password: "p"), "Authorization", "Basic dTpw"),
    (.header(HeaderField(name: "X-Key", value: "K")), "X-Key", "K"),
  ])
  func aHostsCredentialIsSent(credential: HostSettings.Credential, name: String, value: String)
    throws
  {
    let play = DownloadPlay(try with(credential, for: "example.org"), [.status(200, bytes: 1)])
    #expect(play.sent(name) == [value])
  }

  @Test(arguments: [
    ("https://example.org:8443/a", "example.org"), ("https://example.org/a", "example.org:8443"),
    ("https://sub.example.org/a", "example.org"),
  ])
  func noOtherHostSeesIt(url: String, host: String) throws {
    let play = DownloadPlay(try with(.bearer("T"), for: host, url: url), [.status(200, bytes: 1)])
    #expect(play.sent("Authorization") == [nil])
    #expect(play.machine.warnings.isEmpty)
  }

  @Test(arguments: [
    ("http://example.org/a", false, false), ("http://example.org/a", true, true),
    ("http://127.0.0.1/a", false, true), ("http://localhost/a", false, true),
  ])
  func withoutTLSItStaysAtHome(url: String, allowsHTTP: Bool, isSent: Bool) throws {
    let host = try ResourceURL(url).host
    let play = DownloadPlay(
      try with(.bearer("T"), for: host, allowsHTTP: allowsHTTP, url: url), [.status(200, bytes: 1)])
    #expect(play.sent("Authorization") == [isSent ? "Bearer T" : nil])
    #expect(play.machine.warnings.map(\.code) == (isSent ? [] : ["insecure-auth"]))
  }

  @Test func theWarningComesOnceHoweverManyTries() throws {
    var order = try with(.bearer("T"), for: "example.org", url: "http://example.org/a")
    order.policy.retries = 1
    let play = DownloadPlay(order, [.status(503), .status(200, bytes: 1)])
    #expect(play.machine.warnings.count == 1)
  }

  @Test func B041_credentialsStayWithTheirOrigin() throws {
    let order = try with(
      .bearer("T"), for: "example.org", headers: [HeaderField(name: "X-Own", value: "1")])
    let play = DownloadPlay(
      order,
      [
        .status(302, ["Location": "https://other.example/x"]),
        .status(302, ["Location": "https://example.org/back"]), .status(200, bytes: 1),
      ])
    #expect(play.sent("Authorization") == ["Bearer T", nil, "Bearer T"])
    #expect(play.sent("X-Own") == ["1", nil, "1"])
  }

  @Test func userInfoIsSentAsAFieldAndNeverInTheURL() throws {
    let play = DownloadPlay(
      try .sample("https://u:p@example.org/a"),
      [
        .status(302, ["Location": "https://other.example/x"]),
        .status(302, ["Location": "https://example.org/back"]), .status(200, bytes: 1),
      ])
    #expect(play.urls.first == "https://example.org/a")
    #expect(play.sent("Authorization") == ["Basic dTpw", nil, "Basic dTpw"])
  }

  @Test func theEntrysOwnFieldComesFirst() throws {
    let own = HeaderField(name: "authorization", value: "Own")
    let play = DownloadPlay(
      try with(.bearer("T"), for: "example.org", headers: [own]), [.status(200, bytes: 1)])
    #expect(play.sent("authorization") == ["Own"])
    #expect(play.sent("Authorization") == [nil])
    let key = HeaderField(name: "x-key", value: "own")
    let credential = HostSettings.Credential.header(HeaderField(name: "X-Key", value: "host"))
    let keyed = DownloadPlay(
      try with(credential, for: "example.org", headers: [key]), [.status(200, bytes: 1)])
    #expect(keyed.sent("X-Key") == [nil])
  }
}
