import Testing

@testable import BulkgetKit

@Suite struct SourceIdentityTests {
  @Test(arguments: [
    "https://example.org/a.bin", "http://example.org:8080/a/./b/../c%20d", "https://[::1]:1/x",
    "https://u:p@example.org/x", "https://example.org/x?v=1", "https://example.org/x?token=1",
    "https://example.org?sig=1&se=2&v=3", "https://example.org/x?",
  ])
  func theShortWayGivesWhatTheLongOneGives(text: String) throws {
    let url = try ResourceURL(text)
    #expect(Source.remote(url).identity == url.identity)
    #expect(Source.remote(url).redacted == url.redacted)
  }

  @Test func aLocalPathIsItself() {
    #expect(Source.local(path: "/srv/a?token=b").identity == "/srv/a?token=b")
    #expect(Source.local(path: "/srv/a?token=b").redacted == "/srv/a?token=b")
    #expect(Source.local(path: "/srv/a").isLocal)
  }
}
