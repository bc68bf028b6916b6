import TestSupport
import Testing

@Suite
struct WaitingTests {
  @Test func aMonitorWakesThoseWhoWaitForAChange() async throws {
    let monitor = Monitor(0)
    async let seen = onThread { monitor.wait(until: { $0 >= 3 ? $0 : nil }) }
    for _ in 1...3 { monitor.withLock { $0 += 1 } }
    #expect(try await seen == 3)
  }

  @Test func aWaitForWhatNeverComesEnds() {
    let monitor = Monitor(0)
    let seen: Int? = monitor.wait(atMost: .milliseconds(1)) { $0 > 0 ? $0 : nil }
    #expect(seen == nil)
  }

  @Test func aMonitorGuardsItsValue() async throws {
    let monitor = Monitor(0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await onThread { for _ in 0..<1_000 { monitor.withLock { $0 += 1 } } }
        }
      }
      try await group.waitForAll()
    }
    #expect(monitor.withLock { $0 } == 8_000)
  }

  @Test func blockingWorkHandsItsErrorOn() async {
    await #expect(throws: HangError.self) { try await onThread { throw HangError("none") } }
  }

  @Test func aGateStaysOpen() throws {
    let gate = try Gate()
    #expect(!gate.isOpen)
    gate.open()
    gate.open()
    #expect(gate.isOpen)
  }

  @Test func durationsAddToMoments() {
    let moment = MonotonicTime(nanoseconds: 5)
    #expect(moment.advanced(by: .milliseconds(2)).nanoseconds == 2_000_005)
    #expect(moment.advanced(by: .milliseconds(2)).since(moment) == .milliseconds(2))
    #expect(MonotonicTime(moment.timespec) == moment)
    #expect(moment.pollTimeout == 0)
  }

  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"),
    (0, "Thu, 01 Jan 1970 00:00:00 GMT", "Thursday, 01-Jan-70 00:00:00 GMT"),
  ])
  func datesAreWrittenInBothForms(seconds: Int, text: String, obsolete: String) {
    #expect(HTTPDate.text(seconds) == text)
    #expect(HTTPDate.obsoleteText(seconds) == obsolete)
  }
}
