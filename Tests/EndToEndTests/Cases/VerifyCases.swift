import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// `bulkget verify`: finds what is damaged, repairs nothing, and has the next run repair it.
@Suite(.blocking) struct VerifyCases {
  private static let body = Body.pseudoRandom(300_000)
  private static let ids = ["a", "b", "c"]

  private func site() throws -> CaseSite {
    let site = try CaseSite(["*": [.file(Resource(Self.body))]])
    #expect(try site.run(site.launch("run", entries(site))).exitStatus == 0)
    return site
  }

  private func entries(_ site: CaseSite) -> [String] { Self.ids.map { site.entry($0) } }

  private func verify(_ site: CaseSite, _ words: String...) throws -> EndedProcess {
    let words = ["verify", "--cache", "cache", "--out", "out"] + words
    return try ChildProcess.run(
      Launch(try BuiltProducts.path(of: "bulkget"), words).with {
        $0.workingDirectory = site.directory.path
      })
  }

  private func result(_ ended: EndedProcess) throws -> Result {
    try JSONDecoder().decode(Result.self, from: Data(ended.output.standardOutput))
  }

  private struct Result: Decodable {
    struct File: Decodable {
      var id: String
      var place: String
      var status: String
      var path: String
    }
    var kind: String
    var totals: [String: Int64]
    var files: [File]

    var damaged: [String] {
      files.filter { $0.status != "right" }.map { "\($0.status) \($0.place) \($0.id)" }
    }
  }

  /// Changes one byte and puts the time back, as a failing disk would.
  private func rot(_ site: CaseSite, _ name: String) throws {
    let path = site.directory.path(name)
    let status = try #require(try FileSystem.status(of: path))
    try site.overwrite(name, [0x5A, 0x5A, 0x5A, 0x5A], at: 1000)
    try FileDescriptor.reading(path).setModificationTime(status.modificationTime)
  }

  private func cached(_ site: CaseSite) throws -> [String] { try site.files(below: "cache/files") }

  @Test func whatIsRightIsClean() throws {
    let site = try site()
    let text = try verify(site)
    #expect(text.exitStatus == 0, "\(text)")
    #expect(text.output.text.hasPrefix("verified 3 files (900.0 kB): 3 right, 0 damaged in "))
    let ended = try verify(site, "manifest.yaml", "--json")
    let result = try result(ended)
    #expect(result.kind == "verify" && result.damaged == [])
    #expect(result.totals["files"] == 6 && result.totals["right"] == 6)
    #expect(site.server.requests.count == 3)
  }

  @Test func B035_rotInTheCacheIsFoundAndTheNextRunFetchesAgain() throws {
    let site = try site()
    try rot(site, try cached(site)[1])
    let before = try site.directory.contents().filter { $0.key.hasPrefix("cache/files") }
    let ended = try verify(site, "--json")
    #expect(ended.exitStatus == 1, "\(ended)")
    let damaged = try #require(try result(ended).files.first { $0.status == "damaged" })
    #expect(try site.directory.contents().filter { $0.key.hasPrefix("cache/files") } == before)
    let run = try site.run(site.launch("run", entries(site)))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try run.file(damaged.id).status == "downloaded")
    #expect(try run.report.files.filter { $0.status == "cached" }.count == 2)
    #expect(try verify(site).exitStatus == 0)
  }

  @Test func rotAtADestinationIsFoundAndPlacedAgain() throws {
    let site = try site()
    try rot(site, "out/b.bin")
    #expect(try result(verify(site, "--json")).damaged == [])
    let ended = try verify(site, "manifest.yaml", "--json")
    #expect(ended.exitStatus == 1, "\(ended)")
    #expect(try result(ended).damaged == ["damaged placed b"])
    let text = try verify(site, "manifest.yaml")
    #expect(text.output.text.contains("damaged  b  placed  "), "\(text)")
    #expect(text.output.text.contains(": expected sha256 "))
    let run = try site.run(site.launch("run", entries(site)))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.holds(Self.body, at: "out/b.bin"))
    #expect(site.server.requests.count == 3)
  }

  @Test func whatIsGoneIsMissingAndWhatNeverWasIsNot() throws {
    let site = try site()
    try FileSystem.remove(site.directory.path(try cached(site)[0]))
    try FileSystem.remove(site.directory.path("out/c.bin"))
    try site.directory.write(
      CaseSite.manifest(entries(site) + [site.entry("new")]), to: "manifest.yaml")
    let ended = try verify(site, "manifest.yaml", "--json")
    #expect(ended.exitStatus == 1)
    let found = try result(ended).damaged
    #expect(found.filter { $0.hasPrefix("missing cached") }.count == 1)
    #expect(
      found.filter { $0.hasPrefix("absent") } == [
        "absent placed c", "absent cached new", "absent placed new",
      ])
  }

  @Test func aCacheThatIsNotThereIsCleanAndStaysAway() throws {
    let site = try CaseSite()
    let ended = try verify(site)
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(ended.output.text.hasPrefix("verified 0 files (0 B): 0 right, 0 damaged"))
    #expect(try !site.exists("cache"))
  }
}
