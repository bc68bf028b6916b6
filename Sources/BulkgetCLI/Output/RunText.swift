import BulkgetKit
import Synchronization

/// Says on standard error what a run does, while it does it.
final class RunText: Sendable {
  private let console: Console
  private let narrator: Mutex<RunNarrator>

  init(plan: Plan, console: Console, verbosity: Verbosity) {
    self.console = console
    narrator = Mutex(
      RunNarrator(plan: plan, palette: console.errors.palette, verbosity: verbosity))
  }

  /// Says what is to be said about an event.
  func tell(_ event: RunEvent) {
    say(narrator.withLock { $0.lines(for: event) })
  }

  /// Says what is left to say, but for the summary.
  func close() {
    say(narrator.withLock { $0.closingLines() })
  }

  private func say(_ lines: [String]) {
    if !lines.isEmpty { console.say(lines.joined(separator: "\n")) }
  }
}
