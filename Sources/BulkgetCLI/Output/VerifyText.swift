import BulkgetKit
import BulkgetSystem
import Synchronization

/// What verifying found, as lines for people: what is damaged, with `--verbose` every file, and a summary.
struct VerifyText: Sendable {
  let palette: Palette
  let verbosity: Verbosity

  /// Writes the lines.
  func write(
    _ result: VerificationResult, _ duration: Duration, to buffer: inout OutputBuffer
  ) throws(StreamError) {
    for file in result.files where file.isDamage || verbosity == .verbose {
      try buffer.write(line: line(file))
    }
    if verbosity != .quiet { try buffer.write(line: summary(result, duration)) }
  }

  private func line(_ file: Verification) -> String {
    let word = DisplayWidth.padded(file.status.rawValue, to: 8)
    let message = file.message.map { ": \(PrintableText.escaped($0))" } ?? ""
    return palette.paint(word, file.isDamage ? .boldRed : .dim)
      + " \(PrintableText.escaped(file.key.id))  \(file.place.rawValue)  "
      + PrintableText.escaped(file.path) + message
  }

  /// As in `verified 120 files (3.4 GB): 118 right, 1 damaged, 1 missing in 2.3 s`.
  private func summary(_ result: VerificationResult, _ duration: Duration) -> String {
    let counts = result.counts
    let files = result.files.filter { $0.status != .absent }
    let size = ByteCountText.human(files.reduce(0) { $0 + $1.byteCount })
    let parts = Verification.Status.allCases.compactMap { status -> String? in
      let count = counts[status, default: 0]
      guard count > 0 || status == .right || status == .damaged else { return nil }
      return "\(count) \(status.rawValue)"
    }
    return "verified \(files.count) \(files.count == 1 ? "file" : "files") (\(size)): "
      + parts.joined(separator: ", ") + " in \(DurationText.human(duration))"
  }
}

/// Says every ten seconds how far verifying has come.
final class VerifyTicker: Sendable {
  private let console: Console
  private let isQuiet: Bool
  private let instant: @Sendable () -> ContinuousClock.Instant
  private let due: Mutex<ContinuousClock.Instant>

  private static let interval = Duration.seconds(10)

  init(
    console: Console, isQuiet: Bool, start: ContinuousClock.Instant,
    instant: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.console = console
    self.isQuiet = isQuiet
    self.instant = instant
    due = Mutex(start + Self.interval)
  }

  /// Says it, if it is time to.
  func tell(_ progress: VerificationProgress) {
    if isQuiet { return }
    let now = instant()
    let isDue = due.withLock { due in
      guard now >= due else { return false }
      due = now + Self.interval
      return true
    }
    guard isDue else { return }
    let (done, all) = (progress.verifiedByteCount, progress.byteCount)
    console.say(
      "verified \(progress.verifiedFileCount) of \(progress.fileCount) files, "
        + "\(ByteCountText.human(done)) of \(ByteCountText.human(all))")
  }
}
