import BulkgetSystem
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct SignalTrapTests {
  /// One test only: a second signal would end the process, as it should.
  @Test func B088_theFirstSignalCallsTheClosureOnAnOrdinaryThread() async throws {
    let (signals, continuation) = AsyncStream.makeStream(of: CInt.self)
    try SignalTrap.install { continuation.yield($0) }
    kill(getpid(), SIGHUP)
    var iterator = signals.makeAsyncIterator()
    #expect(await iterator.next() == SIGHUP)
  }
}
