import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// What is written into a lock file, and what is not taken for one.
@Suite(.blocking) struct LockFileCases {
  private static let body = Body.pseudoRandom(10_000)

  private func site() throws -> CaseSite { try CaseSite(["*": [.file(Resource(Self.body))]]) }

  @Test func secretsAreNeitherRecordedNorCompared() throws {
    let site = try site()
    let address = site.server.url("/a.bin").replacing("http://", with: "http://user:${env:WORD}@")
    let url = "\(address)?part=1&key=${env:WORD}&token=sesame#end"
    let entries = [CaseSite.entry("a", ["url: \"\(url)\"", "headers: {X-Word: \"${env:WORD}\"}"])]
    let locked = try site.ended(
      ChildProcess.run(site.lockLaunch(entries, environment: ["WORD": "opensesame"])))
    #expect(locked.exitStatus == 0, "\(locked)")
    let text = try site.lockText()
    #expect(text.contains("/a.bin?part=1"), "\(text)")
    for secret in ["sesame", "user", "end", "X-Word"] { #expect(!text.contains(secret), "\(text)") }
    let run = try site.run(
      site.launch("run", entries, ["--locked"], cache: "new").with {
        $0.environment["WORD"] = "signed-anew"
      })
    #expect(run.exitStatus == 0, "\(run)")
  }

  @Test func everyIDThatAManifestCanHaveIsReadBack() throws {
    let site = try site()
    let address = "url: \"\(site.server.url("/a.bin"))\""
    let ids = [
      #"\uFFFE"#, #"\uFFFF"#, #"\uFEFF"#, #"\u2028"#, #"\u202E"#, #"\uD83D\uDE00"#, #"\"\\"#, "007",
      "no", "e\u{301}", "\u{E9}", ": # ,]}", String(repeating: "x", count: 1024),
    ]
    let entries = ids.map { CaseSite.entry($0, [address]) }
    let locked = try site.lock(entries)
    #expect(locked.exitStatus == 0, "\(locked)")
    #expect(try site.lockText().contains(#""id": "\u202e""#), "a review has to see it")
    let plan = try ChildProcess.run(site.launch("plan", entries, ["--locked"]))
    #expect(plan.exitStatus == 0, "\(plan)")
    // They share a URL, and so a transfer.
    #expect(site.server.requests.count == 1)
  }

  @Test func aFileInAnotherOrderIsPutInOrder() throws {
    let site = try site()
    let entries = [site.entry("a"), site.entry("b")]
    #expect(try site.lock(entries).exitStatus == 0)
    let text = try site.lockText()
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines[3].dropLast()
    lines[3] = lines[4] + ","
    lines[4] = first
    try site.directory.write(lines.joined(separator: "\n"), to: "manifest.lock")
    #expect(try site.run(site.launch("run", entries, ["--locked"])).exitStatus == 0)
    let again = try site.lock(entries, "--offline")
    #expect(again.exitStatus == 0 && !again.errorText.contains("unchanged"), "\(again)")
    #expect(try site.lockText() == text)
  }

  @Test func whatIsRightIsNotWrittenAgain() throws {
    let site = try site()
    #expect(try site.lock([site.entry()]).exitStatus == 0)
    let status = try FileSystem.status(of: site.directory.path("manifest.lock"))
    #expect(try site.lock([site.entry()], "--force").exitStatus == 0)
    #expect(site.server.requests.count == 2)
    #expect(try FileSystem.status(of: site.directory.path("manifest.lock")) == status)
  }

  @Test func entriesThatAreNotChosenKeepTheirRecords() throws {
    let site = try site()
    #expect(try site.lock([site.entry("a"), site.entry("b")]).exitStatus == 0)
    let before = try site.lockText()
    site.server.route("*", .file(Resource(.pseudoRandom(500))))
    let moved = [site.entry("a", path: "/new.bin"), site.entry("b", path: "/new.bin")]
    #expect(try site.lock(moved, "--only", "a").exitStatus == 0)
    let after = try site.lockText()
    let (old, new) = (before.split(separator: "\n"), after.split(separator: "\n"))
    #expect(old.count == new.count)
    #expect(zip(old, new).map { $0 == $1 } == [true, true, true, false, true, true, true])
    #expect(new[3].contains("/new.bin") && new[3].contains("\"size\": 500"), "\(after)")
  }

  @Test func itHasThePermissionsThatTheUmaskLeaves() throws {
    let site = try site()
    let launch = try site.lockLaunch([site.entry()]).with { $0.prelude = "umask 027" }
    #expect(try ChildProcess.run(launch).exitStatus == 0)
    let status = try FileSystem.status(of: site.directory.path("manifest.lock"))
    #expect(status?.permissions == 0o640)
  }

  @Test func whatWasFetchedBeforeASignalIsLocked() throws {
    let gate = try Gate()
    let site = try site()
    site.server.route("/b.bin", .respond(Response(body: "x").held(by: gate)))
    let process = try ChildProcess(
      site.lockLaunch([site.entry("a"), site.entry("b"), site.entry("c")], ["-j", "1"]))
    try site.server.waitForRequests(1, to: "/b.bin")
    process.send(SIGINT)
    let ended = try process.wait()
    #expect(ended.exitStatus == 130, "\(ended)")
    let text = try site.lockText()
    #expect(text.contains("\"a\"") && !text.contains("\"b\"") && !text.contains("\"c\""), "\(text)")
  }

  @Test func aPipeInItsPlaceIsNotWaitedFor() throws {
    let site = try site()
    try #require(mkfifo(site.directory.path("manifest.lock"), 0o600) == 0)
    for run in [try site.run(site.entry()), try site.lock([site.entry()])] {
      #expect(run.exitStatus == 2, "\(run)")
      #expect(run.errorText.contains("manifest.lock: the lock file is no regular file"))
    }
    #expect(site.server.requests.isEmpty)
  }

  @Test func whatIsHostileIsRefusedAndNeverReachesTheTerminal() throws {
    let site = try site()
    let record =
      "\"namespace\": \"default\", \"id\": \"a\", \"urls\": [], \"sha256\": \"\\u001b[2J\""
    for text in [
      "{\"version\": 1, \"files\": [{\(record), \"size\": 1}]}",
      "{\"version\": 1, \"\\u001b[2J\": [], \"files\": []}",
      "{\"version\": \"\u{1B}[2J\", \"files\": []}",
      String(repeating: "[", count: 100_000),
      "{\"version\": 1, \"files\": []} {\"version\": 1}\n--- {}\n",
    ] {
      try site.directory.write(text, to: "manifest.lock")
      let run = try site.run(site.entry())
      #expect(run.exitStatus == 2, "\(run)")
      #expect(run.errorText.contains("manifest.lock:") && !run.errorText.contains("\u{1B}"))
    }
    #expect(site.server.requests.isEmpty)
  }
}
