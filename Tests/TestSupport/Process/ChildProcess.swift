import BulkgetSystem

#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// A running or ended child process with what it wrote so far.
///
/// Standard output and error are read by a thread each, so that neither pipe can fill up and block it. A process
/// that is still running when its last owner lets go of it is killed; none is left behind.
package final class ChildProcess: Sendable {
  package let id: pid_t
  private let state: Monitor<State>
  private let terminal: PseudoTerminal?
  private let released: Gate
  private let threads: Monitor<[JoinableThread]>
  private let home: TemporaryDirectory?

  private struct State {
    var output = ProcessOutput()
    var readers = 0
    var termination: Termination?
    var peakMemory = 0
    let start: MonotonicTime
    var elapsedTime = Duration.zero
    var usage = rusage()
    var isReaped = false
  }

  /// Starts it.
  package init(_ launch: Launch) throws {
    let terminal = try launch.terminal.map { try PseudoTerminal($0) }
    home = launch.environment["HOME"] == nil ? try TemporaryDirectory() : nil
    let plan = SpawnPlan(startsSession: terminal != nil)
    var streams = try ProcessStreams(launch, terminal: terminal, plan: plan)
    let environment = Self.environment(launch, home: home?.path)
    for (number, descriptor) in launch.descriptors { plan.use(descriptor.rawValue, as: number) }
    let launchTime = MonotonicTime.now
    id = try plan.spawn(
      Self.words(launch), environment: environment, keeping: Set(launch.descriptors.keys))
    streams.releaseChildEnds()
    self.terminal = terminal
    released = try Gate()
    state = Monitor(State(readers: streams.readings.count, start: launchTime))
    threads = Monitor([])
    start(streams)
  }

  /// Runs a process to its end.
  package static func run(_ launch: Launch) throws -> EndedProcess {
    try ChildProcess(launch).wait()
  }

  deinit {
    endGroup()
    released.open()
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  private static func words(_ launch: Launch) -> [String] {
    let words = [launch.executable] + launch.arguments
    if launch.workingDirectory == nil, launch.prelude == nil { return words }
    // No system call that `posix_spawn` makes everywhere changes directory, limits or umask; a shell does, and is
    // then replaced by the program.
    let script = "cd -- \"$0\" || exit 127\n\(launch.prelude ?? "")\nexec \"$@\""
    return ["/bin/sh", "-c", script, launch.workingDirectory ?? "."] + words
  }

  private static func environment(_ launch: Launch, home: String?) -> [String] {
    var variables = ["PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"]
    if let home { variables["HOME"] = home }
    variables.merge(launch.environment) { _, given in given }
    return variables.filter { !launch.unset.contains($0.key) }.map { "\($0.key)=\($0.value)" }
  }

  // MARK: Signals

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: CInt) {
    state.withLock { state in
      // Not after reaping: the id may be another process's by then.
      if !state.isReaped { kill(id, signal) }
    }
  }

  /// Kills it and what it started, unless it has ended.
  package func endGroup() {
    state.withLock { state in
      if !state.isReaped { kill(-id, SIGKILL) }
    }
  }

  // MARK: Terminal

  /// Gives the terminal another size.
  package func resizeTerminal(_ size: TerminalSize) throws {
    try terminal?.resize(size)
  }

  /// Writes what a user would type.
  package func type(_ text: String) throws {
    try terminal?.user.write(Array(text.utf8))
  }

  // MARK: Waiting

  /// Whether it has ended, for those who look again and again.
  package var hasEnded: Bool { state.withLock { $0.isReaped } }

  /// What was written so far.
  package var output: ProcessOutput { state.withLock { $0.output } }

  /// Waits until the output so far satisfies a condition; an error where the process ends before.
  package func wait(for what: String, until condition: (ProcessOutput) -> Bool) throws {
    let isSatisfied: Bool? = state.wait { state in
      if condition(state.output) { return true }
      return state.termination != nil && state.readers == 0 ? false : nil
    }
    if isSatisfied != true { throw HangError("no \(what) from process \(id): \(output)") }
  }

  /// Waits for the end. One that doesn't come is a failure, and the process is killed.
  package func wait(atMost patience: Duration = HangError.patience) throws -> EndedProcess {
    let ended = state.wait(atMost: patience) { state -> EndedProcess? in
      guard let termination = state.termination, state.readers == 0 else { return nil }
      return EndedProcess(
        termination: termination, output: state.output, peakMemory: state.peakMemory,
        elapsedTime: state.elapsedTime, userTime: Duration(state.usage.ru_utime),
        systemTime: Duration(state.usage.ru_stime))
    }
    if let ended { return ended }
    endGroup()
    throw HangError("process \(id) did not end; it wrote: \(output)")
  }

  // MARK: Threads

  private func start(_ streams: ProcessStreams) {
    let (id, state, released) = (id, state, released)
    var all = streams.readings.map { reading in
      JoinableThread { Self.read(reading, until: released, into: state) }
    }
    if let writing = streams.writing {
      // A process may end without reading everything; that is its right.
      all.append(JoinableThread { try? writing.end.write(writing.bytes) })
    }
    all.append(JoinableThread { Self.watchMemory(of: id, state) })
    all.append(JoinableThread { Self.reap(id, state) })
    threads.withLock { $0 = all }
  }

  /// Reads to the end, or until nobody wants the output any more: a grandchild may hold a pipe open for ever.
  private static func read(
    _ reading: ProcessStreams.Reading, until released: Gate, into state: Monitor<State>
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var descriptors = [
        pollfd(fd: reading.end.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: released.descriptor, events: 0, revents: 0),
      ]
      poll(&descriptors, 2, -1)
      if descriptors[0].revents == 0, descriptors[1].revents == 0 { continue }
      if descriptors[0].revents == 0 { break }
      // A terminal whose processes are gone gives EIO rather than an end.
      let count = buffer.withUnsafeMutableBytes { (try? reading.end.read(into: $0)) ?? 0 }
      if count == 0 { break }
      let bytes = buffer[..<count]
      state.withLock { state in
        state.output[keyPath: reading.destination].append(contentsOf: bytes)
      }
    }
    state.withLock { $0.readers -= 1 }
  }

  private static func reap(_ id: pid_t, _ state: Monitor<State>) {
    var information = siginfo_t()
    // Without reaping, so that no signal can be sent to an id that is free again.
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
    let end = MonotonicTime.now
    state.withLock { state in
      var status: CInt = 0
      var usage = rusage()
      wait4(id, &status, 0, &usage)
      state.isReaped = true
      state.elapsedTime = end.since(state.start)
      state.usage = usage
      state.termination = Termination(status: status)
      state.peakMemory = max(state.peakMemory, ResidentMemory.peak(of: usage))
    }
  }

  private static func watchMemory(of id: pid_t, _ state: Monitor<State>) {
    var isReaped: Bool?
    while isReaped == nil {
      if let peak = ResidentMemory.peak(of: id) {
        state.withLock { $0.peakMemory = max($0.peakMemory, peak) }
      }
      isReaped = state.wait(atMost: .milliseconds(5)) { $0.isReaped ? true : nil }
    }
  }
}

extension Duration {
  fileprivate init(_ time: timeval) {
    self = .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
  }
}
