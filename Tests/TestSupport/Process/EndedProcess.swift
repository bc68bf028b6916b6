/// What a child process wrote.
package struct ProcessOutput: Sendable, CustomStringConvertible {
  /// The bytes of standard output.
  package var standardOutput: [UInt8] = []
  /// The bytes of standard error.
  package var standardError: [UInt8] = []
  /// The bytes that went to the terminal.
  package var terminal: [UInt8] = []

  /// Standard output as text.
  package var text: String { String(decoding: standardOutput, as: UTF8.self) }
  /// Standard error as text.
  package var errorText: String { String(decoding: standardError, as: UTF8.self) }
  /// What went to the terminal, as text.
  package var terminalText: String { String(decoding: terminal, as: UTF8.self) }

  package var description: String {
    [("output", text), ("error", errorText), ("terminal", terminalText)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
  }
}

/// How a child process ended.
package enum Termination: Hashable, Sendable {
  case exited(CInt)
  case signalled(CInt)

  init(status: CInt) {
    // WIFEXITED and its kin are macros that Swift doesn't import.
    let signal = status & 0x7f
    self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }
}

/// A child process that has ended, and everything about it.
package struct EndedProcess: Sendable, CustomStringConvertible {
  package let termination: Termination
  package let output: ProcessOutput
  /// The most memory that it held at once, in bytes; growth in the last 5 ms may be missed.
  package let peakMemory: Int
  /// From before it was started until it had ended.
  package let elapsedTime: Duration
  /// Processor time that it and the children it waited for spent in programs.
  package let userTime: Duration
  /// Processor time that the system spent for them.
  package let systemTime: Duration

  /// The exit status, or nil where a signal ended it.
  package var exitStatus: CInt? {
    if case .exited(let status) = termination { status } else { nil }
  }

  package var description: String { "\(termination)\n\(output)" }
}
