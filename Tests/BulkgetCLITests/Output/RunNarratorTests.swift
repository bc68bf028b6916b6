import BulkgetKit
import Testing

@testable import BulkgetCLI

struct RunNarratorTests {
  private let refused = Failure(.connectionFailed, "no connection to 127.0.0.1:9")

  @Test func aFailureIsALineAsItHappens() throws {
    var narrator = try narrator()
    let lines = narrator.lines(
      for: .finished(step: 0, outcome: Sample.outcome(.failed, failure: refused)))
    #expect(lines == ["error: a: no connection to 127.0.0.1:9 (connection-failed)"])
    #expect(narrator.closingLines().isEmpty)
  }

  @Test func theFailureOfAnOptionalFileIsAWarning() throws {
    let event = RunEvent.finished(step: 1, outcome: Sample.outcome(.failed, failure: refused))
    var narrator = try narrator()
    #expect(
      narrator.lines(for: event)
        == ["warning: b: no connection to 127.0.0.1:9 (connection-failed), optional"])
    var quiet = try self.narrator(.quiet)
    #expect(quiet.lines(for: event).isEmpty)
  }

  @Test func warningsOfAFileNameIt() throws {
    var outcome = Sample.outcome(.downloaded, bytes: 5)
    outcome.warnings = [Notice(code: "insecure-auth", message: "no password over http")]
    let event = RunEvent.finished(step: 0, outcome: outcome)
    var narrator = try narrator()
    #expect(narrator.lines(for: event) == ["warning: a: no password over http (insecure-auth)"])
    var quiet = try self.narrator(.quiet)
    #expect(quiet.lines(for: event).isEmpty)
  }

  @Test func successIsToldOnlyWhenEverythingIsAskedFor() throws {
    var outcome = Sample.outcome(.downloaded, bytes: 4096, url: "https://example.org/a")
    outcome.duration = .milliseconds(250)
    outcome.isPlaced = true
    outcome.destination = "/out/a"
    let event = RunEvent.finished(step: 0, outcome: outcome)
    var normal = try narrator()
    #expect(normal.lines(for: event).isEmpty)
    var verbose = try narrator(.verbose)
    #expect(
      verbose.lines(for: event)
        == ["downloaded: a: 4.1 kB in 0.3 s from https://example.org/a to /out/a"])
    #expect(
      verbose.lines(for: .finished(step: 1, outcome: Sample.outcome(.cached, bytes: 1)))
        == ["cached: b: 1 B"])
  }

  @Test func retriesAreToldOnlyWhenEverythingIsAskedFor() throws {
    let event = RunEvent.retrying(step: 0, failure: refused, wait: .milliseconds(1500))
    var normal = try narrator()
    #expect(normal.lines(for: event).isEmpty)
    var verbose = try narrator(.verbose)
    #expect(
      verbose.lines(for: event)
        == ["retry: a: no connection to 127.0.0.1:9 (connection-failed); again in 1.5 s"])
  }

  @Test func whomAFileWaitsForIsSaidOnce() throws {
    var narrator = try narrator()
    let event = RunEvent.waiting(step: 0, processID: 42, path: "/cache/partial/x")
    #expect(
      narrator.lines(for: event) == ["waiting: a: process 42 is downloading it (/cache/partial/x)"])
    #expect(narrator.lines(for: event).isEmpty)
    #expect(
      narrator.lines(for: .waiting(step: 1, processID: nil, path: "/p"))
        == ["waiting: b: another process is downloading it (/p)"])
    var quiet = try self.narrator(.quiet)
    #expect(quiet.lines(for: event).isEmpty)
  }

  @Test func aHundredFailuresOfOneReasonAreGrouped() throws {
    var narrator = try narrator(count: 102)
    var lines: [String] = []
    for step in 0..<100 {
      let outcome = Sample.outcome(
        .failed, failure: Failure(.connectionFailed, "no connection"),
        url: "http://127.0.0.1:9/\(step)")
      lines += narrator.lines(for: .finished(step: step, outcome: outcome))
    }
    let other = Sample.outcome(
      .failed, failure: Failure(.httpStatus, "404 Not Found"), url: "http://127.0.0.1:9/x")
    lines += narrator.lines(for: .finished(step: 100, outcome: other))
    #expect(lines.count == RunNarrator.toldFailures + 1)
    #expect(lines.last == "error: 100: 404 Not Found (http-status)")
    #expect(
      narrator.closingLines() == [
        """
        error: 90 more files failed in the same way (connection-failed, http://127.0.0.1:9)
        hint: `--verbose` names each of them, and so does the report
        """
      ])
  }

  @Test func verboseGroupsNothing() throws {
    var narrator = try narrator(.verbose, count: 50)
    let lines = (0..<50).flatMap {
      narrator.lines(for: .finished(step: $0, outcome: Sample.outcome(.failed, failure: refused)))
    }
    #expect(lines.count == 50)
    #expect(narrator.closingLines().isEmpty)
  }

  @Test func oneMoreFailureIsInTheSingular() throws {
    var narrator = try narrator(count: 20)
    for step in 0...RunNarrator.toldFailures {
      _ = narrator.lines(
        for: .finished(step: step, outcome: Sample.outcome(.failed, failure: refused)))
    }
    #expect(
      narrator.closingLines().first?.hasPrefix(
        "error: 1 more file failed in the same way (connection-failed)\n") == true)
  }

  @Test func cancelledAndSkippedFilesAreLeftToTheSummary() throws {
    var narrator = try narrator(.verbose)
    let cancelled = Sample.outcome(.cancelled, failure: Failure(.cancelled, "the run ended"))
    #expect(narrator.lines(for: .finished(step: 0, outcome: cancelled)).isEmpty)
    #expect(narrator.lines(for: .finished(step: 1, outcome: Sample.outcome(.skipped))).isEmpty)
    #expect(narrator.lines(for: .started(step: 0)).isEmpty)
    #expect(narrator.lines(for: .received(step: 0, byteCount: 1, total: 2)).isEmpty)
  }

  @Test func warningsOfTheRunAreSaid() throws {
    let event = RunEvent.warning(Notice(code: "fewer-jobs", message: "only 3 at once"))
    var narrator = try narrator()
    #expect(narrator.lines(for: event) == ["warning: only 3 at once (fewer-jobs)"])
    var quiet = try self.narrator(.quiet)
    #expect(quiet.lines(for: event).isEmpty)
  }

  @Test func quietStillTellsFailures() throws {
    var narrator = try narrator(.quiet)
    #expect(
      narrator.lines(for: .finished(step: 0, outcome: Sample.outcome(.failed, failure: refused)))
        .count == 1)
  }

  @Test func B071_textOfServersIsEscaped() throws {
    var narrator = try narrator()
    let failure = Failure(.httpStatus, "500 \u{1B}[2J\rOops")
    #expect(
      narrator.lines(for: .finished(step: 0, outcome: Sample.outcome(.failed, failure: failure)))
        == ["error: a: 500 \\u001b[2J\\u000dOops (http-status)"])
  }

  /// A narrator of files `a` and the optional `b`, or of `count` files named by numbers.
  private func narrator(
    _ verbosity: Verbosity = .normal, count: Int = 0
  ) throws -> RunNarrator {
    let entries =
      count > 0
      ? try (0..<count).map { try Sample.entry(String($0)) }
      : [try Sample.entry("a"), try Sample.entry("b", isOptional: true)]
    let plan = Sample.plan(entries.map { Step(entry: $0, action: .download, reason: .missing) })
    return RunNarrator(plan: plan, palette: Palette(isColored: false), verbosity: verbosity)
  }
}
