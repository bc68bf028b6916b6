/// `bulkget schema NAME`: prints a JSON Schema.
struct SchemaCommand: Sendable {
  let settings: Settings
  let context: CommandContext

  /// Prints it. The reader of arguments lets no other names through.
  func run() throws(CommandFailure) -> ExitStatus {
    guard let name = settings.operands.first.flatMap(SchemaName.init(rawValue:)) else {
      return .usage
    }
    try context.print(.schema(name))
    return .success
  }
}
