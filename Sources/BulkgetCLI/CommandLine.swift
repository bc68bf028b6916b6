import BulkgetKit
import BulkgetSystem
import Dispatch
import Synchronization

/// The command line: words and environment in, exit status out.
package enum CommandLine {
  /// Does what `arguments` (the program's name first) ask for.
  ///
  /// This is no asynchronous function, so that nothing is opened before the standard streams are safe: the runtime's
  /// event loop would take the number of a closed one, and then get the output.
  package static func main(_ arguments: [String], environment: [String: String]) -> Int32 {
    StandardStreams.secure()
    let context = CommandContext(
      console: .standard(color: .auto, environment: environment),
      actions: .live(environment: environment),
      locations: Locations(
        environment: environment, currentDirectory: FileSystem.currentDirectory))
    return wait { await run(Array(arguments.dropFirst()), in: context) }.rawValue
  }

  /// Waits on the main thread, which is none of those that do the work.
  private static func wait(_ body: @escaping @Sendable () async -> ExitStatus) -> ExitStatus {
    let status = Mutex<ExitStatus>(.success)
    let end = DispatchSemaphore(value: 0)
    Task {
      let result = await body()
      status.withLock { $0 = result }
      end.signal()
    }
    end.wait()
    return status.withLock { $0 }
  }

  /// Reads the words, does what they say, and says what went wrong.
  static func run(_ words: [String], in context: CommandContext) async -> ExitStatus {
    var context = context
    do throws(CommandFailure) {
      let environment = context.locations.environment
      let invocation = try read(words, environment)
      if case .command(_, let settings) = invocation {
        context.console.recolor(settings.color, environment: environment)
      }
      return try await perform(invocation, in: context)
    } catch {
      context.console.say(context.errorText.failure(error))
      return error.exitStatus
    }
  }

  private static func read(
    _ words: [String], _ environment: [String: String]
  ) throws(CommandFailure) -> Invocation {
    do {
      return try ArgumentReader(environment: environment).read(words)
    } catch {
      throw .usage(error)
    }
  }

  private static func perform(
    _ invocation: Invocation, in context: CommandContext
  ) async throws(CommandFailure) -> ExitStatus {
    switch invocation {
    case .version: try HelpCommand(context: context).run()
    case .help(let command): try HelpCommand(explaining: command, context: context).run()
    case .command(.run, let settings) where !settings.plansOnly:
      try await RunCommand(settings: settings, context: context).run()
    case .command(.run, let settings), .command(.plan, let settings):
      try await PlanCommand(settings: settings, context: context).run()
    case .command(.lock, let settings):
      try await RunCommand(locking: settings, context: context).run()
    case .command(.verify, let settings):
      try VerifyCommand(settings: settings, context: context).run()
    case .command(.schema, let settings):
      try SchemaCommand(settings: settings, context: context).run()
    case .command(let action, let settings):
      try CacheCommand(action: action, settings: settings, context: context).run()
    }
  }
}
