import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct PlanTextTests {
  @Test func aPlanIsALinePerStepAndASummary() throws {
    #expect(
      try text(of: Sample.everything()) == """
        + 1001        tar.gz    4.1 kB  download    missing
        + unknown     -              ?  download    url-changed
        > model/base  bin     734.0 MB  resume      partial (from byte 12345678)
        ~ hash        zip        999 B  rehash      time-changed
        ? ask         json      1.5 MB  revalidate  stale
        * put         txt         20 B  place       destination-missing

        Plan: 2 to download (4.1 kB, 1 of unknown size), 1 to resume (734.0 MB, 12.3 MB of them \
        here), 1 to rehash, 1 to revalidate, 1 to place, 1 to keep, 1 skipped

        """)
  }

  @Test func verboseAlsoShowsWhatIsKeptAndWhereThingsComeFrom() throws {
    let secret = try Sample.entry("b", url: "https://user:word@example.org/b?token=SECRET&x=1")
    var local = try Sample.entry("c", type: "bin")
    local.sources = [.local(path: "/data/c\u{1B}.bin")]
    let plan = Sample.plan([
      try Sample.step("kept", .keep, .current, bytes: 10, type: "txt"),
      Step(entry: secret, action: .skip, reason: .notSelected),
      Step(entry: local, action: .download, reason: .missing, byteCount: 5),
    ])
    #expect(
      try text(of: plan, isVerbose: true) == """
        = kept  txt  10 B  keep        current       https://example.org/a.bin
        . b     -       ?  skip        not-selected  https://REDACTED@example.org/b?token=REDACTED&x=1
        + c     bin   5 B  download    missing       /data/c\\u001b.bin

        Plan: 1 to download (5 B), 1 to keep, 1 skipped

        """)
  }

  @Test func coloursSurroundSignAndActionOnly() throws {
    let plan = Sample.plan([try Sample.step("a", .download, .missing, bytes: 1, type: "bin")])
    #expect(
      try text(of: plan, isColored: true) == """
        \u{1B}[32m+\u{1B}[0m a  bin  1 B  \u{1B}[32mdownload  \u{1B}[0m  missing

        \u{1B}[1mPlan:\u{1B}[0m 1 to download (1 B)

        """)
  }

  @Test func nothingToDoIsSaid() throws {
    let kept = Sample.plan([
      try Sample.step("a", .keep, .current), try Sample.step("b", .skip, .notSelected),
    ])
    #expect(try text(of: kept) == "Plan: nothing to do, 1 to keep, 1 skipped\n")
    #expect(try text(of: Sample.plan([])) == "Plan: nothing to do, no files are listed\n")
  }

  @Test func whatWillFailIsSaidWithItsReason() throws {
    var kept = try Sample.step("kept", .keep, .current, bytes: 10, type: "txt")
    kept.conflict = Failure(.destinationConflict, "a directory is at `out/\u{1B}`")
    let fetched = try Sample.step("fetched", .download, .missing, bytes: 5, type: "bin")
    #expect(
      try text(of: Sample.plan([kept, fetched])) == """
        ! kept     txt  10 B  fail        destination-conflict  a directory is at `out/\\u001b`
        + fetched  bin   5 B  download    missing

        Plan: 1 will fail, 1 to download (5 B)

        """)
    #expect(
      try text(of: Sample.plan([kept]), isVerbose: true).hasSuffix("\n\nPlan: 1 will fail\n"))
  }

  @Test func aConflictIsRedAndWork() throws {
    var step = try Sample.step("a", .revalidate, .stale)
    step.conflict = Failure(.destinationConflict, "x")
    let plan = Sample.plan([step])
    #expect(try text(of: plan, isColored: true).hasPrefix("\u{1B}[1;31m!\u{1B}[0m a"))
    #expect(plan.hasWork)
  }

  @Test func unknownSizesAreNotCountedAsZero() throws {
    let plan = Sample.plan([try Sample.step("a", .download, .missing)])
    #expect(try text(of: plan).hasSuffix("Plan: 1 to download (size unknown)\n"))
  }

  @Test func sizesThatNoNumberHoldsAreNoReasonToCrash() throws {
    let plan = Sample.plan([
      try Sample.step("a", .download, .missing, bytes: .max),
      try Sample.step("b", .download, .missing, bytes: .max),
    ])
    #expect(try text(of: plan).hasSuffix("Plan: 2 to download (9.2 EB)\n"))
  }

  @Test func wideAndLongIdsKeepTheColumns() throws {
    let long = String(repeating: "x", count: 400)
    let plan = Sample.plan([
      try Sample.step("日本", .place, .renamed, bytes: 1),
      try Sample.step("abcd", .place, .renamed, bytes: 1),
      try Sample.step(long, .place, .renamed, bytes: 1),
    ])
    let gap = String(repeating: " ", count: 44)
    #expect(
      try text(of: plan).hasPrefix(
        """
        * 日本\(gap)  -  1 B  place       renamed
        * abcd\(gap)  -  1 B  place       renamed
        * \(long)  -  1 B  place       renamed

        """))
  }

  @Test func B071_idsAreEscaped() throws {
    let plan = Sample.plan([try Sample.step("a\u{9B}31m\u{202E}b", .download, .missing)])
    #expect(try text(of: plan).hasPrefix("+ a\\u009b31m\\u202eb  -  ?  download    missing\n"))
  }

  @Test func B107_aPlanWhoseReaderIsGoneEndsEarly() throws {
    let steps = try (0..<5000).map { try Sample.step("file-\($0)", .download, .missing) }
    let recording = RecordingConsole(outputFailure: .brokenPipe(.output))
    try OutputBuffer.deliver(to: recording.console.output) { buffer throws(StreamError) in
      try PlanText(palette: Palette(isColored: false), isVerbose: false)
        .write(Sample.plan(steps), to: &buffer)
    }
    #expect(recording.outputWrites == 1)
  }

  @Test(arguments: [
    (Step.Action.download, true), (.resume, true), (.rehash, true), (.place, true),
    (.revalidate, false), (.keep, false), (.skip, false),
  ])
  func askingAServerIsNoWork(_ action: Step.Action, _ expected: Bool) throws {
    #expect(Sample.plan([try Sample.step("a", action, .missing)]).hasWork == expected)
  }

  @Test func warningsOfManifestAndPlanAreSaidOnce() {
    let (first, second) = (Notice(code: "a", message: "1"), Notice(code: "b", message: "2"))
    var plan = Sample.plan([], warnings: [first, second])
    plan.manifests[0].warnings = [first]
    #expect(plan.allWarnings == [first, second])
  }

  private func text(
    of plan: Plan, isVerbose: Bool = false, isColored: Bool = false
  ) throws -> String {
    let recording = RecordingConsole()
    try OutputBuffer.deliver(to: recording.console.output) { buffer throws(StreamError) in
      try PlanText(palette: Palette(isColored: isColored), isVerbose: isVerbose)
        .write(plan, to: &buffer)
    }
    return recording.output
  }
}
