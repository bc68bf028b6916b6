import BulkgetKit

/// Turns the events of a run into lines for people. Pure: what it says depends on the events alone.
struct RunNarrator: Sendable {
  /// What failures have in common when a hundred files fail for one reason.
  private struct Cause: Hashable {
    var code: Failure.Code
    /// Scheme, host and port; empty for local sources.
    var origin: String
  }

  /// How many failures of one cause are told one by one, unless everything is asked for.
  static let toldFailures = 10

  private let plan: Plan
  private let text: ErrorText
  private let verbosity: Verbosity
  private var failures: [Cause: Int] = [:]
  /// The causes in the order in which they first came.
  private var causes: [Cause] = []
  /// The steps whose waiting has been told.
  private var waiting: Set<Int> = []

  init(plan: Plan, palette: Palette, verbosity: Verbosity) {
    self.plan = plan
    text = ErrorText(palette: palette)
    self.verbosity = verbosity
  }

  /// What to say about an event.
  mutating func lines(for event: RunEvent) -> [String] {
    switch event {
    case .started, .received: []
    case .retrying(let step, let failure, let wait):
      verbosity == .verbose ? [retry(of: step, after: failure, in: wait)] : []
    case .waiting(let step, let processID, let path): waitingLines(step, processID, path)
    case .finished(let step, let outcome): finishedLines(step, outcome)
    case .warning(let notice): verbosity == .quiet ? [] : [text.warning(notice)]
    }
  }

  /// What is left to say when all is done: how many failures have not been told.
  func closingLines() -> [String] {
    causes.compactMap { cause in
      let rest = failures[cause, default: 0] - Self.toldFailures
      if rest <= 0 || verbosity == .verbose { return nil }
      let place = cause.origin.isEmpty ? "" : ", \(cause.origin)"
      return text.error(
        "\(rest) more \(rest == 1 ? "file" : "files") failed in the same way (\(cause.code.rawValue)\(place))",
        hint: "`--verbose` names each of them, and so does the report")
    }
  }

  private func entry(_ step: Int) -> Entry { plan.steps[step].entry }

  private func retry(of step: Int, after failure: Failure, in wait: Duration) -> String {
    let reason = "\(failure.message) (\(failure.code.rawValue))"
    return text.line(
      "retry:", .cyan, "\(entry(step).key.id): \(reason); again in \(DurationText.human(wait))")
  }

  private mutating func waitingLines(_ step: Int, _ processID: Int32?, _ path: String) -> [String] {
    guard verbosity != .quiet, waiting.insert(step).inserted else { return [] }
    let process = processID.map { "process \($0)" } ?? "another process"
    return [
      text.line("waiting:", .cyan, "\(entry(step).key.id): \(process) is downloading it (\(path))")
    ]
  }

  private mutating func finishedLines(_ step: Int, _ outcome: Outcome) -> [String] {
    let entry = entry(step)
    var lines: [String] = []
    if verbosity != .quiet {
      lines = outcome.warnings.map { text.warning($0, about: entry.key.id) }
    }
    switch outcome.status {
    case .failed: lines += failureLines(entry, outcome)
    case .downloaded, .revalidated, .cached:
      if verbosity == .verbose { lines.append(successLine(entry, outcome)) }
    case .cancelled, .skipped: break
    }
    return lines
  }

  private mutating func failureLines(_ entry: Entry, _ outcome: Outcome) -> [String] {
    let failure = outcome.failure ?? Failure(.io, "no reason was given")
    if entry.isOptional, verbosity == .quiet { return [] }
    let cause = Cause(code: failure.code, origin: origin(of: outcome.url))
    if failures[cause] == nil { causes.append(cause) }
    failures[cause, default: 0] += 1
    let isTold = verbosity == .verbose || failures[cause, default: 0] <= Self.toldFailures
    return isTold ? [text.failure(failure, of: entry)] : []
  }

  private func successLine(_ entry: Entry, _ outcome: Outcome) -> String {
    var line = "\(entry.key.id): \(ByteCountText.human(outcome.byteCount))"
    if outcome.status == .downloaded { line += " in \(DurationText.human(outcome.duration))" }
    if outcome.status != .cached, let url = outcome.url { line += " from \(url)" }
    if outcome.isPlaced, let destination = outcome.destination { line += " to \(destination)" }
    return text.line(outcome.status.rawValue + ":", .green, line)
  }

  /// `https://host:port` of a URL; empty for anything else.
  private func origin(of url: String?) -> String {
    let parts = (url ?? "").split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty else { return "" }
    return "\(parts[0])//\(parts[2])"
  }
}
