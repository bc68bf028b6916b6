import BulkgetSystem
import TestSupport
import Testing

/// `bulkget lock` and `--locked`.
@Suite(.blocking) struct LockCases {
  private static let empty = "{\"version\": 1, \"files\": []}\n"
  private static let body = Body.pseudoRandom(10_000)

  private func site() throws -> CaseSite { try CaseSite(["*": [.file(Resource(Self.body))]]) }

  @Test func whatIsLockedNeedsNoNetworkAndNothingElseIsAccepted() throws {
    let site = try site()
    let entries = [site.entry("b"), site.entry("a"), site.entry("strong", Self.body.sha256)]
    let gaps = try site.run(site.launch("run", entries, ["--locked"]))
    #expect(gaps.exitStatus == 2 && site.server.requests.isEmpty, "\(gaps)")
    #expect(gaps.errorText.contains("manifest.yaml:2:5: `b` has no digest of sha256 or stronger"))
    #expect(gaps.errorText.contains("  2 |   - id: \"b\"\n    |     ^\n"), "\(gaps)")
    #expect(gaps.errorText.contains("2 problems"))
    #expect(try gaps.report.problems?.map(\.line) == [2, 5])

    let locked = try site.lock(entries)
    #expect(locked.exitStatus == 0, "\(locked)")
    #expect(locked.errorText.contains("manifest.lock: 2 entries"))
    #expect(try !site.exists("out") && !site.exists("bulkget-report.json"))
    let digest = Self.body.hexadecimalDigest()
    #expect(
      try site.lockText().hasSuffix(
        """
          "files": [
            {"namespace": "default", "id": "a", "urls": ["\(site.server.url("/a.bin"))"], "sha256": "\(digest)", "size": 10000},
            {"namespace": "default", "id": "b", "urls": ["\(site.server.url("/b.bin"))"], "sha256": "\(digest)", "size": 10000}
          ]
        }

        """))
    let run = try site.run(site.launch("run", entries, ["--locked", "--offline"]))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(try site.holds(Self.body))
    let again = try site.lock(entries, "--offline")
    #expect(again.exitStatus == 0 && again.errorText.contains("2 entries, unchanged"), "\(again)")
  }

  @Test func whatTheServerSendsInsteadIsRefused() throws {
    let site = try site()
    #expect(try site.lock([site.entry()]).exitStatus == 0)
    site.server.route("/a.bin", .file(Resource(.pseudoRandom(10_000, seed: 9))))
    let run = try site.run(site.launch("run", [site.entry()], ["--retries", "0"], cache: "new"))
    #expect(run.exitStatus == 1, "\(run)")
    #expect(try run.file.error?.code == "checksum-mismatch")
    let digest = Self.body.hexadecimalDigest()
    #expect(try run.file.error?.message.contains("the lock file's sha256 \(digest)") == true)
    #expect(run.errorText.contains("`bulkget lock --refresh` records it"), "\(run)")
    #expect(try !site.exists("out/a.bin"))

    site.server.route("/a.bin", .file(Resource(.pseudoRandom(10))))
    let shorter = try site.run(site.launch("run", [site.entry()], cache: "new"))
    #expect(try shorter.file.error?.code == "size-mismatch")
    #expect(try shorter.file.error?.message.contains("the lock file gives 10000") == true)
    #expect(try site.lock([site.entry()], "--refresh").exitStatus == 0)
    #expect(try site.run(site.entry(), options: ["--locked"]).exitStatus == 0)
  }

  @Test func changedURLsAreLockedAnewAndWhatIsGoneIsDropped() throws {
    let site = try site()
    #expect(try site.lock([site.entry("a"), site.entry("b"), site.entry("c")]).exitStatus == 0)
    site.server.route("/new.bin", .file(Resource(.pseudoRandom(500))))
    let moved = [site.entry("a", path: "/new.bin"), site.entry("b")]
    let plan = try ChildProcess.run(site.launch("plan", moved, ["--locked"]))
    #expect(plan.exitStatus == 2 && plan.output.errorText.contains("`a` has no digest"), "\(plan)")
    let count = site.server.requests.count
    #expect(try site.lock(moved).exitStatus == 0)
    #expect(site.server.requests.count == count + 1)
    #expect(try site.lockText().contains("/new.bin") && !site.lockText().contains("\"c\""))
  }

  @Test func whatFailsIsNotLockedAndTheRestIs() throws {
    let site = try site()
    site.server.route("/b.bin", .respond(Response(404)))
    let locked = try site.lock([site.entry("a"), site.entry("b")], "--report", "report.json")
    #expect(locked.exitStatus == 1, "\(locked)")
    #expect(try locked.statuses == ["downloaded", "failed"])
    #expect(try site.lockText().contains("\"a\"") && !site.lockText().contains("\"b\""))
  }

  @Test func aLockFileThatContradictsOrIsBrokenIsAnError() throws {
    let site = try site()
    #expect(try site.lock([site.entry()]).exitStatus == 0)
    let other = try site.run(site.entry("a", Body.pseudoRandom(3).sha256))
    #expect(other.exitStatus == 2)
    #expect(
      other.errorText.contains("manifest.lock:4:5: the sha256 of `a` is not the manifest's"))
    #expect(
      other.errorText.contains("  4 |     {\"namespace\": \"default\", \"id\": \"a\""), "\(other)")
    try site.directory.write("{\"files\": [", to: "manifest.lock")
    let broken = try site.run(site.entry())
    #expect(broken.exitStatus == 2 && broken.errorText.contains("manifest.lock:1:"), "\(broken)")
    #expect(try site.lock([site.entry()]).exitStatus == 2)
  }

  @Test func aLockFileThatCannotBeWrittenStopsBeforeAnyRequest() throws {
    let site = try site()
    // No file can be made beside it, whoever runs this.
    let words = ["lock", "/dev/fd/0", "--cache", "cache"]
    let launch = Launch(try BuiltProducts.path(of: "bulkget"), words).with {
      $0.workingDirectory = site.directory.path
      $0.input = .bytes(Array(CaseSite.manifest([site.entry()]).utf8))
    }
    let locked = try ChildProcess.run(launch)
    #expect(locked.exitStatus == 4, "\(locked)")
    #expect(locked.output.errorText.contains("cannot write the lock file `/dev/fd/0.lock`"))
    #expect(site.server.requests.isEmpty)
  }

  @Test func whereNothingHasToBeLockedNothingHasToBeWritable() throws {
    let site = try site()
    let words = ["lock", "/dev/fd/0", "--cache", "cache"]
    let launch = Launch(try BuiltProducts.path(of: "bulkget"), words).with {
      $0.workingDirectory = site.directory.path
      $0.input = .bytes(Array(CaseSite.manifest([site.entry("a", Self.body.sha256)]).utf8))
    }
    let locked = try ChildProcess.run(launch)
    #expect(locked.exitStatus == 0, "\(locked)")
    #expect(locked.output.errorText.contains("0 entries, unchanged"))
  }

  @Test func aDirectoryInPlaceOfTheLockFileIsAnError() throws {
    let site = try site()
    try FileSystem.makeDirectories(site.directory.path("manifest.lock"))
    #expect(try site.lock([site.entry()]).exitStatus == 2)
    #expect(try site.run(site.entry()).exitStatus == 2)
    #expect(site.server.requests.isEmpty)
  }

  @Test func theFileBehindASymbolicLinkIsReplaced() throws {
    let site = try site()
    try site.directory.write(Self.empty, to: "shared/m.lock")
    try FileSystem.makeSymbolicLink(site.directory.path("manifest.lock"), to: "shared/m.lock")
    #expect(try site.lock([site.entry()]).exitStatus == 0)
    #expect(
      try FileSystem.status(of: site.directory.path("manifest.lock"))?.kind == .symbolicLink)
    #expect(
      try String(decoding: site.directory.read("shared/m.lock"), as: UTF8.self).contains("\"a\""))
    #expect(try site.files(below: "shared") == ["shared/m.lock"])
  }

  @Test func aSizeThatChangedInTheManifestIsLockedAnew() throws {
    let site = try site()
    #expect(try site.lock([site.entry()]).exitStatus == 0)
    let body = Body.pseudoRandom(500)
    site.server.route("/a.bin", .file(Resource(body)))
    let resized = site.entry("a", path: nil, dest: nil, "size: 500")
    #expect(try site.run(resized).errorText.contains("the size of `a` is not the manifest's"))
    let locked = try site.lock([resized])
    #expect(locked.exitStatus == 0, "\(locked)")
    #expect(try site.run(resized, options: ["--locked"]).exitStatus == 0)
    #expect(try site.holds(body))
  }

  @Test func aLockFileGoesWithItsManifest() throws {
    let site = try site()
    let entry = CaseSite.entry("a", ["url: f.bin"])
    try site.directory.write("content", to: "f.bin")
    #expect(try site.lock([entry]).exitStatus == 0)
    #expect(try site.lockText().contains("\"urls\": [\"./f.bin\"]"))
    for name in ["f.bin", "manifest.yaml", "manifest.lock"] {
      try site.directory.write(site.directory.read(name), to: "elsewhere/" + name)
    }
    let words = ["run", "elsewhere/manifest.yaml", "--locked", "--cache", "new", "--no-report"]
    let run = try ChildProcess.run(
      Launch(try BuiltProducts.path(of: "bulkget"), words).with {
        $0.workingDirectory = site.directory.path
      })
    #expect(run.exitStatus == 0, "\(run)")
  }

  @Test func anEntryOfTwoManifestsIsLockedByOneOfThem() throws {
    let site = try site()
    let entry = CaseSite.entry("a", ["url: \"\(site.server.url("/a.bin"))\""])
    #expect(try site.lock([entry]).exitStatus == 0)
    try site.directory.write(CaseSite.manifest([entry]), to: "second.yaml")
    let run = try site.run(site.launch("run", [entry], ["second.yaml", "--locked"]))
    #expect(run.exitStatus == 0, "\(run)")
    #expect(site.server.requests.count == 1)
  }

  @Test func standardInputIsNotToldToLock() throws {
    let site = try site()
    let words = ["run", "-", "--locked", "--cache", "cache", "--no-report"]
    let launch = Launch(try BuiltProducts.path(of: "bulkget"), words).with {
      $0.workingDirectory = site.directory.path
      $0.input = .bytes(Array(CaseSite.manifest([site.entry()]).utf8))
    }
    let run = try ChildProcess.run(launch)
    #expect(run.exitStatus == 2)
    #expect(run.output.errorText.contains("hint: give it in the manifest"), "\(run)")
  }

  @Test func theLockFileIsNoDestination() throws {
    let site = try site()
    let entry = site.entry("a", dest: "../manifest.lock")
    #expect(try site.run(entry).exitStatus == 2)
    let run = try site.run(
      site.launch("run", [site.entry("a", dest: "manifest.lock")], output: "."))
    #expect(try run.file.error?.code == "destination-conflict", "\(run)")
  }
}
