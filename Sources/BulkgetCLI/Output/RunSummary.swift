import BulkgetKit

/// The last line of a run: how many files, how many bytes, how fast.
struct RunSummary: Sendable {
  private var counts: [Outcome.Status: Int] = [:]
  private var optionalFailures = 0
  private var transferredByteCount: Int64 = 0
  private let duration: Duration

  init(_ plan: Plan, _ outcomes: [Outcome], duration: Duration) {
    self.duration = duration
    for (step, outcome) in zip(plan.steps, outcomes) {
      transferredByteCount += outcome.transferredByteCount
      if outcome.status == .failed, step.entry.isOptional {
        optionalFailures += 1
      } else {
        counts[outcome.status, default: 0] += 1
      }
    }
  }

  /// As in `12 downloaded (34.5 MB), 3 cached, 0 failed in 1.2 s (28.7 MB/s)`.
  func text(_ palette: Palette) -> String {
    if counts.isEmpty, optionalFailures == 0 { return "nothing to do, no files are listed" }
    let downloaded = count(.downloaded).map {
      "\($0) (\(ByteCountText.human(transferredByteCount)))"
    }
    let failed = counts[.failed, default: 0]
    let parts = [
      downloaded, count(.revalidated), count(.cached),
      palette.paint("\(failed) failed", failed > 0 ? .boldRed : nil),
      optionalFailures > 0 ? "\(optionalFailures) optional failed" : nil,
      count(.cancelled).map { palette.paint($0, .boldYellow) }, count(.skipped),
    ].compactMap(\.self)
    return parts.joined(separator: ", ") + " in \(DurationText.human(duration))" + rate
  }

  private func count(_ status: Outcome.Status) -> String? {
    counts[status].map { "\($0) \(status.rawValue)" }
  }

  /// Bytes a second over the whole run, left out where the time is too short to say.
  private var rate: String {
    let seconds = duration / .seconds(1)
    guard transferredByteCount > 0, seconds >= 0.01 else { return "" }
    return " (\(ByteCountText.human(Int64(Double(transferredByteCount) / seconds)))/s)"
  }
}
