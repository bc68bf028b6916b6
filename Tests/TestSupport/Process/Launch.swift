package import BulkgetSystem

/// How a child process is started: a value to be changed and used many times.
package struct Launch: Sendable {
  /// Where standard input comes from.
  package enum Input: Sendable {
    /// `/dev/null`.
    case nothing
    case closed
    case bytes([UInt8])
    case file(String)
    /// The terminal, where the launch has one.
    case terminal
  }

  /// Where standard output or error goes.
  package enum Output: Sendable {
    case captured
    case closed
    case file(String)
    /// A pipe that nobody reads any more.
    case brokenPipe
    /// The terminal, where the launch has one.
    case terminal
  }

  /// Absolute, or a name to be found in the PATH of this process.
  package var executable: String
  package var arguments: [String]
  /// Besides PATH, and HOME unless it is given here.
  package var environment: [String: String] = [:]
  /// Names that are not set at all, though `PATH` and `HOME` would be.
  package var unset: Set<String> = []
  /// This process's own by default.
  package var workingDirectory: String?
  package var input = Input.nothing
  package var output = Output.captured
  package var errorOutput = Output.captured
  /// Shell commands that run before in the same process, such as `ulimit -n 64; umask 077`.
  package var prelude: String?
  /// A pseudo-terminal to be used by those of input and outputs that say so, with what is written captured.
  package var terminal: TerminalSize?

  /// Descriptors that the process gets under these numbers, each greater than all descriptors given.
  package var descriptors: [CInt: FileDescriptor] = [:]

  package init(_ executable: String, _ arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }

  /// A copy with some of its properties set.
  package func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// A copy whose input and outputs are a pseudo-terminal.
  package func onTerminal(_ size: TerminalSize = TerminalSize()) -> Self {
    with {
      $0.terminal = size
      $0.input = .terminal
      $0.output = .terminal
      $0.errorOutput = .terminal
    }
  }
}

/// The size of a pseudo-terminal; 0 columns are what some real ones say.
package struct TerminalSize: Hashable, Sendable {
  package var rows: UInt16
  package var columns: UInt16

  package init(rows: UInt16 = 24, columns: UInt16 = 80) {
    self.rows = rows
    self.columns = columns
  }
}
