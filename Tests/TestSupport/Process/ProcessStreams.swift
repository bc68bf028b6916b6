import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// This process's ends of a child's standard streams, and the child's until it is spawned.
struct ProcessStreams: Sendable {
  /// A pipe or terminal to be read, and where the bytes go.
  struct Reading: Sendable {
    let end: FileDescriptor
    let destination: any WritableKeyPath<ProcessOutput, [UInt8]> & Sendable
  }

  /// A pipe to be written, and the bytes.
  struct Writing: Sendable {
    let end: FileDescriptor
    let bytes: [UInt8]
  }

  private(set) var readings: [Reading] = []
  private(set) var writing: Writing?
  private var childEnds: [FileDescriptor] = []

  /// Opens what the launch asks for, and writes into the plan what the child does with it.
  init(_ launch: Launch, terminal: PseudoTerminal?, plan: borrowing SpawnPlan) throws {
    if let terminal {
      readings.append(Reading(end: terminal.user, destination: \.terminal))
      if let program = terminal.takeProgramSide() { childEnds.append(program) }
      // Opened by the child, which makes it the controlling terminal; then given to the streams that want it.
      plan.open(terminal.path, O_RDWR, as: Self.terminalDescriptor)
    }
    try connect(launch.input, plan)
    try connect(launch.output, as: STDOUT_FILENO, \.standardOutput, plan)
    try connect(launch.errorOutput, as: STDERR_FILENO, \.standardError, plan)
    if terminal != nil { plan.close(Self.terminalDescriptor) }
  }

  /// Closes the child's ends here, so that a pipe's end comes when the child lets go of it.
  mutating func releaseChildEnds() {
    childEnds = []
  }

  /// A number that nothing else of the child has.
  private static let terminalDescriptor: CInt = 3

  private mutating func connect(_ input: Launch.Input, _ plan: borrowing SpawnPlan) throws {
    switch input {
    case .nothing: plan.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
    case .closed: plan.close(STDIN_FILENO)
    case .file(let path): plan.open(path, O_RDONLY, as: STDIN_FILENO)
    case .terminal: plan.use(Self.terminalDescriptor, as: STDIN_FILENO)
    case .bytes(let bytes):
      let pipe = try Pipe()
      childEnds.append(pipe.reading)
      writing = Writing(end: pipe.writing, bytes: bytes)
      plan.use(pipe.reading.rawValue, as: STDIN_FILENO)
    }
  }

  private mutating func connect(
    _ output: Launch.Output, as descriptor: CInt,
    _ destination: any WritableKeyPath<ProcessOutput, [UInt8]> & Sendable,
    _ plan: borrowing SpawnPlan
  ) throws {
    switch output {
    case .closed: plan.close(descriptor)
    case .file(let path): plan.open(path, O_WRONLY | O_CREAT | O_TRUNC, as: descriptor)
    case .terminal: plan.use(Self.terminalDescriptor, as: descriptor)
    case .captured, .brokenPipe:
      let pipe = try Pipe()
      childEnds.append(pipe.writing)
      plan.use(pipe.writing.rawValue, as: descriptor)
      if case .captured = output {
        readings.append(Reading(end: pipe.reading, destination: destination))
      }
    }
  }
}
