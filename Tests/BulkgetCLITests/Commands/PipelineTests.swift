import BulkgetKit
import BulkgetSystem
import TestSupport
import Testing

@testable import BulkgetCLI

/// Commands whose output goes into real pipes and devices.
struct PipelineTests {
  @Test func B107_aPlanOf5000EntriesIntoHeadEndsQuietly() async throws {
    StandardStreams.secure()
    var pipe = try Pipe()
    let reading = Monitor(pipe.reading)
    pipe.reading = nil
    let recording = RecordingConsole()
    var world = World(recording)
    let steps = try (0..<5000).map { try Sample.step("file-\($0)", .download, .missing) }
    world.context.actions.plan = { _, _ throws(CommandFailure) in Sample.plan(steps) }
    let head = Background { try reading.withLock { $0.take() }.map(firstLine) }
    world.context.console.output.write = { [stream = pipe.stream] bytes throws(StreamError) in
      try StandardStreams.write(bytes, to: stream)
    }
    #expect(await world.run("plan", "m.yaml") == 0)
    let line = try await head.value
    #expect(line == "+ file-0     -  ?  download    missing")
    #expect(recording.errors == "")
    withExtendedLifetime(pipe) {}
  }

  @Test(arguments: [
    ["plan", "m"], ["plan", "m", "--json"], ["run", "m", "--report", "-"], ["--help"],
  ])
  func B107_aFullDeviceIsStatusFourAndSaid(_ words: [String]) async throws {
    let full = try FileDescriptor(opening: "/dev/full", 1)
    let stream = StandardStream(descriptor: full.rawValue, name: "standard output")
    let recording = RecordingConsole()
    var world = World(recording)
    world.context.actions.plan = { _, _ throws(CommandFailure) in Sample.plan([]) }
    world.context.actions.prepare = { _, _ throws(CommandFailure) in
      PreparedRun(Sample.plan([])) { _ in Outcome(status: .cancelled) }
    }
    world.context.actions.write = { _, sink throws(StreamError) in try sink([1]) }
    world.context.console.output.write = { bytes throws(StreamError) in
      try StandardStreams.write(bytes, to: stream)
    }
    #expect(await BulkgetCLI.CommandLine.run(words, in: world.context) == .surroundings)
    #expect(
      recording.errors.hasSuffix(
        "error: cannot write to standard output: No space left on device\n"))
    withExtendedLifetime(full) {}
  }
}

/// Reads one line, as `head -1` does, and lets go of the pipe.
private func firstLine(of file: FileDescriptor) throws -> String {
  var line: [UInt8] = []
  while line.last != UInt8(ascii: "\n") {
    var byte: [UInt8] = [0]
    var failure: (any Error)?
    unsafe byte.withUnsafeMutableBytes { buffer in
      do { _ = try unsafe file.read(into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    line += byte
  }
  return String(decoding: line.dropLast(), as: UTF8.self)
}
