import Testing

@testable import BulkgetCLI

struct InterruptionTests {
  @Test func theFirstSignalCounts() {
    let interruption = Interruption()
    let calls = Recorded<Void>()
    interruption.onSignal { calls.append(()) }
    #expect(interruption.signal == nil)
    interruption.raise(15)
    interruption.raise(2)
    #expect(interruption.signal == 15)
    #expect(calls.values.count == 1)
  }

  @Test func whoeverComesLateIsToldAtOnce() {
    let interruption = Interruption()
    interruption.raise(2)
    let calls = Recorded<Void>()
    interruption.onSignal { calls.append(()) }
    #expect(calls.values.count == 1)
  }

  @Test func everyHandlerIsCalledInOrder() {
    let interruption = Interruption()
    let order = Recorded<Int>()
    for number in 0..<3 { interruption.onSignal { order.append(number) } }
    interruption.raise(1)
    #expect(order.values == [0, 1, 2])
  }
}
