import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite
struct ChildProcessTests {
  private func shell(_ script: String) -> Launch { Launch("/bin/sh", ["-c", script]) }

  @Test func capturesOutputAndErrorApart() throws {
    let ended = try ChildProcess.run(shell("echo out; echo error >&2; exit 3"))
    #expect(ended.output.text == "out\n")
    #expect(ended.output.errorText == "error\n")
    #expect(ended.termination == .exited(3))
  }

  @Test func readsMoreThanPipesHoldFromBothStreams() throws {
    let script = "dd if=/dev/zero bs=65536 count=32 2>/dev/null | tee /dev/stderr"
    let ended = try ChildProcess.run(shell(script))
    #expect(ended.output.standardOutput.count == 2_097_152)
    #expect(ended.output.standardError.count == 2_097_152)
  }

  @Test func feedsMoreThanAPipeHolds() throws {
    let input = PseudoRandomBody(count: 2_000_000).bytes
    let ended = try ChildProcess.run(Launch("cat").with { $0.input = .bytes(input) })
    #expect(ended.output.standardOutput == input)
  }

  @Test func aProcessMayLeaveItsInputUnread() throws {
    let input = PseudoRandomBody(count: 2_000_000).bytes
    let ended = try ChildProcess.run(shell("exit 0").with { $0.input = .bytes(input) })
    #expect(ended.exitStatus == 0)
  }

  @Test func tellsWhichSignalEndedIt() throws {
    let ended = try ChildProcess.run(shell("kill -TERM $$"))
    #expect(ended.termination == .signalled(SIGTERM))
    #expect(ended.exitStatus == nil)
  }

  @Test func deliversSignals() throws {
    let script = "trap 'kill $!; echo interrupted; exit 130' INT; sleep 1000 & echo ready; wait"
    let process = try ChildProcess(shell(script))
    try process.wait(for: "ready") { $0.text == "ready\n" }
    process.send(SIGINT)
    let ended = try process.wait()
    #expect(ended.exitStatus == 130)
    #expect(ended.output.text == "ready\ninterrupted\n")
  }

  @Test func theEnvironmentIsCleanButForWhatIsGiven() throws {
    let ended = try ChildProcess.run(Launch("env").with { $0.environment = ["GIVEN": "x y"] })
    let names = ended.output.text.split(separator: "\n").map { $0.prefix { $0 != "=" } }.sorted()
    #expect(names == ["GIVEN", "HOME", "PATH"])
    #expect(ended.output.text.contains("GIVEN=x y\n"))
  }

  @Test func variablesCanBeLeftOut() throws {
    let launch = Launch("/usr/bin/env").with { $0.unset = ["HOME", "PATH"] }
    #expect(try ChildProcess.run(launch).output.text.isEmpty)
  }

  @Test func homeIsADirectoryOfItsOwn() throws {
    let homes = try (0..<2).map { _ in
      try ChildProcess.run(shell("cd && pwd")).output.text
    }
    #expect(homes[0] != homes[1])
    #expect(homes[0].hasPrefix("/"))
  }

  @Test func startsInAWorkingDirectoryAfterAPrelude() throws {
    let directory = try TemporaryDirectory()
    let launch = shell("pwd; umask; ulimit -n; echo \"$0 $1\"").with {
      $0.arguments += ["a b", "c"]
      $0.workingDirectory = directory.path
      $0.prelude = "umask 077; ulimit -n 32"
    }
    let ended = try ChildProcess.run(launch)
    #expect(ended.output.text == "\(directory.path)\n0077\n32\na b c\n")
  }

  @Test func closedStreamsAreClosed() throws {
    let script = "for n in 0 1 2; do if [ -e /dev/fd/$n ]; then echo $n; fi; done > \"$0\""
    let directory = try TemporaryDirectory()
    let launch = shell(script).with {
      $0.arguments.append(directory.path + "/open")
      $0.input = .closed
      $0.output = .closed
      $0.errorOutput = .closed
    }
    #expect(try ChildProcess.run(launch).exitStatus == 0)
    let file = try FileDescriptor(opening: directory.path + "/open", O_RDONLY)
    // The redirection itself is the only one.
    #expect(try file.readAll(limit: 100) == Array("1\n".utf8))
  }

  @Test func aBrokenPipeIsSeenByWriting() throws {
    let ended = try ChildProcess.run(Launch("yes").with { $0.output = .brokenPipe })
    #expect(ended.termination == .signalled(SIGPIPE))
  }

  @Test func outputCanGoToAFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/out"
    _ = try ChildProcess.run(shell("echo hello").with { $0.output = .file(path) })
    #expect(
      try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 100) == Array("hello\n".utf8))
  }

  @Test func inheritsNoDescriptor() throws {
    let server = try TestServer()
    let ended = try ChildProcess.run(Launch("ls", ["/dev/fd/"]))
    // The three streams and the one that lists them.
    #expect(ended.output.text == "0\n1\n2\n3\n")
    server.stop()
  }

  @Test func aProgramThatIsNotThereIsAnError() {
    #expect(throws: SystemError("run", "/nonexistent", code: ENOENT)) {
      try ChildProcess(Launch("/nonexistent"))
    }
  }

  @Test func aHangIsAnErrorAndEndsTheProcess() throws {
    let process = try ChildProcess(shell("echo begun; exec sleep 1000"))
    try process.wait(for: "begun") { $0.text == "begun\n" }
    #expect(throws: HangError.self) { try process.wait(atMost: .milliseconds(10)) }
    #expect(try process.wait().termination == .signalled(SIGKILL))
  }

  @Test func lettingGoEndsTheProcess() throws {
    let id: pid_t
    do {
      let process = try ChildProcess(Launch("sleep", ["1000"]))
      id = process.id
    }
    #expect(kill(id, 0) == -1)
  }

  @Test func measuresTheChildAndNotTheTests() throws {
    let ballast = [UInt8](repeating: 1, count: 100_000_000)
    let small = try ChildProcess.run(shell("read x; exit 0").with { $0.input = .bytes([10]) })
    #expect(small.peakMemory < ballast.count / 4)
    let copy = ["if=/dev/zero", "of=/dev/null", "bs=64000000", "count=20"]
    let large = try ChildProcess.run(Launch("dd", copy))
    #expect(large.peakMemory > 60_000_000)
  }

  @Test func aTerminalShowsWhatAUserWouldSee() throws {
    let script = "test -t 0 && test -t 1 && test -t 2 && stty size && echo error >&2"
    let launch = shell(script).onTerminal(TerminalSize(rows: 10, columns: 33))
    let ended = try ChildProcess.run(launch)
    #expect(ended.output.terminalText == "10 33\r\nerror\r\n")
  }

  @Test func aTerminalCanBeResizedAndTypedInto() throws {
    let script =
      "trap 'stty size' WINCH; echo ready; until [ \"$x\" ]; do read x; done; echo got $x"
    let process = try ChildProcess(shell(script).onTerminal())
    try process.wait(for: "ready") { $0.terminalText == "ready\r\n" }
    try process.resizeTerminal(TerminalSize(rows: 5, columns: 50))
    try process.type("\n")
    try process.wait(for: "size") { $0.terminalText.contains("5 50") }
    try process.type("word\n")
    #expect(try process.wait().output.terminalText.hasSuffix("got word\r\n"))
  }

  @Test func onlySomeStreamsCanBeTheTerminal() throws {
    let launch = shell("test -t 2 && ! test -t 1 && echo out && echo error >&2").onTerminal().with {
      $0.output = .captured
    }
    let ended = try ChildProcess.run(launch)
    #expect(ended.output.text == "out\n")
    #expect(ended.output.terminalText == "error\r\n")
  }

  @Test func findsTheBuiltProducts() throws {
    let path = try BuiltProducts.path(of: "loopback-server")
    #expect(path.hasSuffix("/loopback-server"))
    #expect(throws: ToolError.self) { try BuiltProducts.path(of: "no-such-program") }
  }
}
