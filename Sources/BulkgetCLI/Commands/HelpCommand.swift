import BulkgetKit
import BulkgetSystem

/// `bulkget help`, `--help` and `--version`: print what they know.
struct HelpCommand: Sendable {
  let text: String
  let context: CommandContext

  /// The help of a command.
  init(explaining command: Command, context: CommandContext) {
    text = Usage(command: command).text
    self.context = context
  }

  /// The version.
  init(context: CommandContext) {
    text = "bulkget \(BulkgetVersion.current)"
    self.context = context
  }

  /// Prints it.
  func run() throws(CommandFailure) -> ExitStatus {
    try context.print { buffer throws(StreamError) in try buffer.write(line: text) }
    return .success
  }
}
