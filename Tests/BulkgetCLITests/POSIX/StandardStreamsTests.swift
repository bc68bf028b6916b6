import BulkgetSystem
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct StandardStreamsTests {
  @Test func B107_aReaderThatIsGoneIsAnErrorAndNoSignal() throws {
    StandardStreams.secure()
    var pipe = try Pipe()
    pipe.reading = nil
    let error = #expect(throws: StreamError.self) {
      try StandardStreams.write([1, 2, 3], to: pipe.stream)
    }
    #expect(error?.isBrokenPipe == true)
    #expect(error?.description == "cannot write to the pipe: Broken pipe")
    withExtendedLifetime(pipe) {}
  }

  @Test func B107_aFullDiskIsAnError() throws {
    let error = try failure(of: "/dev/full", O_WRONLY)
    #expect(error?.isFull == true)
    #expect(error?.description == "cannot write to standard output: No space left on device")
  }

  @Test func B107_aStreamOpenedTheWrongWayRoundFailsAsAClosedOneDoes() throws {
    let error = try failure(of: "/dev/null", O_RDONLY)
    #expect(error?.code == EBADF)
    #expect(error?.isBrokenPipe == false && error?.isFull == false)
  }

  @Test func aNonBlockingStreamGetsEverything() async throws {
    var pipe = try Pipe()
    #expect(fcntl(pipe.stream.descriptor, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let reading = try #require(pipe.reading)
    let reader = Background { try reading.readAll(limit: 2_000_000) }
    try StandardStreams.write(bytes, to: pipe.stream)
    pipe.writing = nil
    let received = try await reader.value
    #expect(received == bytes)
  }

  @Test func nothingIsWrittenOfNothing() throws {
    let full = try FileDescriptor(opening: "/dev/full", O_WRONLY)
    try withExtendedLifetime(full) {
      try StandardStreams.write([], to: StandardStream(descriptor: full.rawValue, name: "x"))
    }
  }

  @Test func aPipeIsNoTerminal() throws {
    let pipe = try Pipe()
    #expect(!Terminal.isTerminal(pipe.stream))
    #expect(Terminal.columns(of: pipe.stream) == nil)
    withExtendedLifetime(pipe) {}
  }

  /// Why a device that is opened with `flags` can't be written to.
  private func failure(of device: String, _ flags: CInt) throws -> StreamError? {
    let file = try FileDescriptor(opening: device, flags)
    let stream = StandardStream(descriptor: file.rawValue, name: "standard output")
    return withExtendedLifetime(file) {
      #expect(throws: StreamError.self) { try StandardStreams.write([1], to: stream) }
    }
  }
}
