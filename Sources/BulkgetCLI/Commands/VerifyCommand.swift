import BulkgetKit
import BulkgetSystem

/// `bulkget verify`: hashes again what is cached and placed, and says what is damaged.
struct VerifyCommand: Sendable {
  let settings: Settings
  let context: CommandContext

  /// Verifies and prints.
  func run() throws(CommandFailure) -> ExitStatus {
    let start = context.instant()
    let text = VerifyText(palette: context.console.output.palette, verbosity: settings.verbosity)
    let ticker = VerifyTicker(
      console: context.console, isQuiet: settings.verbosity == .quiet, start: start,
      instant: context.instant)
    let result = try context.actions.verify(
      settings.operands, try context.locations.configuration(settings)
    ) { ticker.tell($0) }
    context.warn(result.warnings, settings.verbosity)
    let duration = context.instant() - start
    if settings.printsJSON {
      try context.print(.verification(result))
    } else {
      try context.print { buffer throws(StreamError) in
        try text.write(result, duration, to: &buffer)
      }
    }
    return result.isClean ? .success : .failure
  }
}
