import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct OutputBufferTests {
  @Test func linesAreWrittenInFewCalls() throws {
    let recording = RecordingConsole()
    try OutputBuffer.deliver(to: recording.console.output) { buffer throws(StreamError) in
      for number in 0..<10_000 { try buffer.write(line: "line \(number)") }
    }
    #expect(recording.output.hasPrefix("line 0\nline 1\n"))
    #expect(recording.output.hasSuffix("line 9999\n"))
    #expect(recording.outputWrites <= 3)
  }

  @Test func B107_aReaderThatHasSeenEnoughEndsTheOutputQuietly() throws {
    let recording = RecordingConsole(outputFailure: .brokenPipe(.output))
    try OutputBuffer.deliver(to: recording.console.output) { buffer throws(StreamError) in
      for number in 0..<1_000_000 { try buffer.write(line: "line \(number)") }
    }
    #expect(recording.outputWrites == 1)
  }

  @Test func B107_aFullDiskIsAFailure() throws {
    let recording = RecordingConsole(outputFailure: .full(.output))
    let failure = #expect(throws: CommandFailure.self) {
      try OutputBuffer.deliver(to: recording.console.output) { buffer throws(StreamError) in
        try buffer.write(line: "x")
      }
    }
    #expect(failure?.exitStatus == .surroundings)
    guard case .surroundings(let cause, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(cause.code == .diskFull)
    #expect(cause.message == "cannot write to standard output: No space left on device")
  }

  @Test func nothingWrittenIsNoCall() throws {
    let recording = RecordingConsole()
    try OutputBuffer.deliver(to: recording.console.output) { _ throws(StreamError) in }
    #expect(recording.outputWrites == 0)
  }
}
