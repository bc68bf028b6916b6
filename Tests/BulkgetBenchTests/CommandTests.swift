import Testing

@testable import bulkget_bench

struct CommandTests {
  private func job(_ change: (inout Job) -> Void = { _ in }) -> Job {
    let files = ["a", "b"].map { ServedFile(name: $0, byteCount: 1, digest: "\($0)\($0)") }
    var job = Job(files: files, baseURL: "http://h/s", output: "/o", lists: "/l")
    change(&job)
    return job
  }

  @Test func bulkgetGetsAManifest() {
    let command = Tool.bulkget.command(for: job())
    #expect(
      command.lists == [
        "/l/manifest.yaml": """
        files:
          - id: a
            url: http://h/s/a
            type: bin
            sha256: aa
          - id: b
            url: http://h/s/b
            type: bin
            sha256: bb

        """
      ])
    #expect(
      command.arguments == [
        "run", "/l/manifest.yaml", "--cache", "/o", "--report", "/l/report.json", "--quiet",
        "--jobs", "8",
      ])
  }

  @Test func bulkgetSplitsOnlyWhereItCan() {
    let tuning = Tuning(jobs: 4, segments: 16)
    let old = Tool.bulkget.command(for: job { $0.tuning = tuning })
    let new = Tool.bulkget.command(
      for: job {
        $0.tuning = tuning
        $0.canSegment = true
      })
    #expect(!old.arguments.contains("--segments"))
    #expect(new.arguments == old.arguments + ["--segments", "16"])
  }

  @Test func aPlanFailsWhereSomethingIsToDo() {
    let command = Tool.bulkget.command(for: job { $0.start = .plan })
    #expect(command.arguments == ["plan", "--check", "/l/manifest.yaml", "--cache", "/o"])
  }

  @Test func curlAsksForEachFileOnItsOwnCondition() {
    let text = Tool.curl.command(for: job { $0.start = .everything }).lists["/l/curl.conf"] ?? ""
    let parts = text.split(separator: "next\n")
    #expect(parts.count == 2)
    for (part, name) in zip(parts, ["a", "b"]) {
      #expect(part.contains("url = \"http://h/s/\(name)\"\noutput = \"/o/\(name)\"\n"))
      #expect(part.contains("fail\n") && part.contains("time-cond = \"/o/\(name)\"\n"))
    }
  }

  @Test(arguments: [(Tool.wget2, "--continue"), (.aria2c, "--continue=true")])
  func peersGoOnWithAHalf(_ tool: Tool, _ option: String) {
    #expect(!tool.command(for: job()).arguments.contains(option))
    #expect(tool.command(for: job { $0.start = .half }).arguments.contains(option))
  }

  @Test(arguments: [Tool.bulkget, .curl, .wget2, .aria2c])
  func everyoneTrustsTheServersCertificate(_ tool: Tool) {
    let command = tool.command(for: job { $0.certificateFile = "/ca.pem" })
    let everything = command.arguments + command.lists.values
    #expect(everything.contains { $0.contains("/ca.pem") })
  }

  @Test func aria2cComparesDigests() {
    let text = Tool.aria2c.command(for: job()).lists["/l/aria2.txt"]
    #expect(text?.hasPrefix("http://h/s/a\n  out=a\n  checksum=sha-256=aa\n") == true)
  }

  @Test func digestsAreSharedOutByBytes() {
    let sizes: [Int64] = [10, 90, 40, 40]
    let files = sizes.enumerated().map { ServedFile(name: "\($0)", byteCount: $1, digest: "d") }
    let job = Job(files: files, baseURL: "", output: "/o", lists: "/l")
    let check = DigestCheck(job, coreCount: 2)
    #expect(
      check.lists == [
        "/l/digests-0": "d  /o/1\n", "/l/digests-1": "d  /o/2\nd  /o/3\nd  /o/0\n",
      ])
    #expect(String(decoding: check.input, as: UTF8.self) == "/l/digests-0\n/l/digests-1")
    #expect(DigestCheck(job, coreCount: 9).lists.count == 4)
  }
}
