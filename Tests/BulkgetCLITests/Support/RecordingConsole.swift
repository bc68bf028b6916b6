import BulkgetSystem
import TestSupport

@testable import BulkgetCLI

/// A console that remembers what was written, and fails where a test wants it to.
final class RecordingConsole: Sendable {
  private struct Written {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var outputWrites = 0
  }

  private let written = Monitor(Written())
  private let failure: StreamError?
  private let isTerminal: Bool

  init(isTerminal: Bool = false, outputFailure: StreamError? = nil) {
    self.isTerminal = isTerminal
    failure = outputFailure
  }

  var output: String { written.withLock { String(decoding: $0.output, as: UTF8.self) } }
  var errors: String { written.withLock { String(decoding: $0.errors, as: UTF8.self) } }
  var outputWrites: Int { written.withLock { $0.outputWrites } }

  var console: Console {
    Console(
      output: Console.Channel(
        isTerminal: isTerminal,
        write: { [self] bytes throws(StreamError) in
          written.withLock { $0.outputWrites += 1 }
          if let failure { throw failure }
          written.withLock { $0.output += bytes }
        }),
      errors: Console.Channel(
        isTerminal: isTerminal,
        write: { [self] bytes throws(StreamError) in written.withLock { $0.errors += bytes } }))
  }
}
