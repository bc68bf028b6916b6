import Foundation
import Testing

@testable import BulkgetKit

/// What a download says about hosts, credentials and proxies, without any network.
struct DownloadNetworkTests {
  private let moment = Download.Moment(date: Date(), instant: .now, jitter: 0.5)

  private func download(
    _ urls: [String], _ change: (inout Download.Order) -> Void = { _ in }
  ) throws -> Download {
    let sources = try urls.map { Source.remote(try ResourceURL($0)) }
    var order = Download.Order(
      entry: Entry(key: FileKey(namespace: "default", id: "a"), sources: sources))
    change(&order)
    return Download(order)
  }

  private func request(_ actions: [Download.Action]) throws -> TransferRequest {
    guard case .send(let request) = try #require(actions.first) else {
      throw ResourceURL.Refusal.relative
    }
    return request
  }

  /// The hosts that a download wants calmed after these answers.
  private func calmedHosts(_ download: inout Download, _ heads: [ResponseHead]) -> [String]? {
    _ = download.handle(.start(nil), at: moment)
    var actions: [Download.Action] = []
    for head in heads {
      _ = download.handle(.head(head), at: moment)
      actions = download.handle(.ended(nil, byteCount: 0), at: moment)
    }
    for case .wait(_, _, let hosts) in actions { return hosts }
    return nil
  }

  @Test(arguments: [
    (429, ["a.example"]), (503, ["a.example"]), (500, []), (502, []), (504, []), (408, []),
  ])
  func onlyAnOverloadCalmsTheHost(status: Int, hosts: [String]) throws {
    var download = try download(["https://a.example/x"])
    #expect(calmedHosts(&download, [ResponseHead(status: status)]) == hosts)
  }

  @Test func aHostHasItsPortUnlessThatIsTheSchemesOwn() throws {
    var download = try download(["http://a.example:8080/x"])
    #expect(calmedHosts(&download, [ResponseHead(status: 429)]) == ["a.example:8080"])
  }

  @Test func afterARedirectBothHostsAreCalmed() throws {
    var download = try download(["https://a.example/x"])
    let redirect = ResponseHead(
      status: 302, fields: [HeaderField(name: "Location", value: "https://b.example/y")])
    #expect(
      calmedHosts(&download, [redirect, ResponseHead(status: 503)]) == ["a.example", "b.example"])
  }

  @Test func theProxyIsChosenForEachRequest() throws {
    let environment = ["https_proxy": "p:1", "no_proxy": "b.example"]
    let proxies = try ProxySettings(environment: environment)
    var download = try download(["https://a.example/x"]) { $0.proxies = proxies }
    let first = try request(download.handle(.start(nil), at: moment))
    #expect(first.proxy?.description == "http://p:1")
    let redirect = ResponseHead(
      status: 302, fields: [HeaderField(name: "Location", value: "https://b.example/y")])
    _ = download.handle(.head(redirect), at: moment)
    let second = try request(download.handle(.ended(nil, byteCount: 0), at: moment))
    #expect(second.proxy == nil)
  }

  @Test(arguments: [
    ("http://localhost./x", "localhost.:80:localhost:80"),
    ("http://a.localhost.:81/x", "a.localhost.:81:a.localhost:81"), ("http://localhost/x", nil),
    ("http://example.org./x", nil), ("http://127.0.0.1/x", nil),
  ])
  func onlyThisMachinesNamesWithADotAreLookedUpWithoutIt(url: String, connection: String?) throws {
    var download = try download([url])
    #expect(try request(download.handle(.start(nil), at: moment)).connection == connection)
  }

  @Test func aNetrcLineIsForTheEntrysOwnURLAndNotForARedirectToTheSameHost() throws {
    let netrc = Netrc("machine a.example login u password p")
    var download = try download(["https://a.example/x"]) { $0.netrc = netrc }
    let line = "Authorization: Basic dTpw"
    #expect(try request(download.handle(.start(nil), at: moment)).headerLines.contains(line))
    let redirect = ResponseHead(
      status: 302, fields: [HeaderField(name: "Location", value: "https://a.example/y")])
    _ = download.handle(.head(redirect), at: moment)
    let second = try request(download.handle(.ended(nil, byteCount: 0), at: moment))
    #expect(!second.headerLines.contains(line))
  }
}
