import Testing

@testable import BulkgetKit

/// Which download starts next.
struct FeederTests {
  private let start = ContinuousClock.now

  private func item(_ step: Int, _ host: String? = nil, priority: Int = 0) -> Feeder.Item {
    Feeder.Item(step: step, priority: priority, host: host)
  }

  private func feeder(limit: Int? = nil, limits: [String: Int] = [:]) -> Feeder {
    Feeder(HostGovernor(jobs: 8, limit: limit, limits: limits))
  }

  private func steps(_ feeder: inout Feeder, at now: ContinuousClock.Instant? = nil) -> [Int] {
    var steps: [Int] = []
    while let item = feeder.next(at: now ?? start) { steps.append(item.step) }
    return steps
  }

  @Test func higherPriorityComesFirstAndThenTheManifestsOrder() {
    var feeder = feeder()
    for (step, host) in [(3, "a"), (1, "b"), (0, nil), (2, "a")] as [(Int, String?)] {
      feeder.add(item(step, host))
    }
    feeder.add(item(9, "b", priority: 1))
    #expect(steps(&feeder) == [9, 0, 1, 2, 3])
  }

  @Test func aHostAtItsLimitLetsOthersPass() {
    var feeder = feeder(limits: ["a": 2])
    for step in 0..<4 { feeder.add(item(step, "a")) }
    feeder.add(item(4, "b"))
    #expect(steps(&feeder) == [0, 1, 4])
    feeder.release(item(0, "a"))
    #expect(steps(&feeder) == [2])
    feeder.release(item(1, "a"))
    feeder.release(item(2, "a"))
    #expect(steps(&feeder) == [3])
  }

  @Test func oneLimitForAllHostsHoldsForEach() {
    var feeder = feeder(limit: 1)
    for step in 0..<4 { feeder.add(item(step, step.isMultiple(of: 2) ? "a" : "b")) }
    #expect(steps(&feeder) == [0, 1])
  }

  @Test func localSourcesHaveNoHost() {
    var feeder = feeder(limit: 1)
    for step in 0..<3 { feeder.add(item(step)) }
    #expect(steps(&feeder) == [0, 1, 2])
    feeder.release(item(0))
  }

  @Test func whatWaitsComesWhenItIsDue() {
    var feeder = feeder()
    feeder.add(item(0, "a"), due: start + .seconds(2))
    feeder.add(item(1, "a"), due: start + .seconds(1))
    #expect(steps(&feeder) == [])
    #expect(steps(&feeder, at: start + .seconds(1)) == [1])
    #expect(steps(&feeder, at: start + .seconds(2)) == [0])
  }

  @Test func aRestingHostsItemsWaitTogetherAndOthersGoOn() {
    var feeder = feeder()
    feeder.add(item(0, "a"))
    #expect(steps(&feeder) == [0])
    for step in 1..<4 { feeder.add(item(step, step == 3 ? "b" : "a")) }
    feeder.calm("a", until: start + .seconds(2), now: start)
    feeder.release(item(0, "a"))
    #expect(feeder.isResting(item(1, "a"), at: start))
    #expect(steps(&feeder) == [3])
    // Half of the one place that it had is still one place.
    #expect(steps(&feeder, at: start + .seconds(2)) == [1])
  }

  @Test func aRestThatIsProlongedIsKept() {
    var feeder = feeder()
    feeder.add(item(0, "a"))
    feeder.calm("a", until: start + .seconds(1), now: start)
    feeder.calm("a", until: start + .seconds(3), now: start)
    #expect(steps(&feeder, at: start + .seconds(1)) == [])
    #expect(steps(&feeder, at: start + .seconds(3)) == [0])
  }

  @Test func successesLetMoreOfALineStart() {
    var feeder = feeder()
    for step in 0..<8 { feeder.add(item(step, "a")) }
    #expect(steps(&feeder).count == 8)
    feeder.calm("a", until: start, now: start)
    for step in 8..<30 { feeder.add(item(step, "a")) }
    for step in 0..<8 { feeder.release(item(step, "a")) }
    #expect(steps(&feeder) == [8, 9, 10, 11])
    for step in 8..<12 {
      feeder.noteSuccess(item(step, "a"))
      feeder.release(item(step, "a"))
    }
    #expect(steps(&feeder).count == 5 - 1)
    for step in 12..<16 {
      feeder.noteSuccess(item(step, "a"))
      feeder.release(item(step, "a"))
    }
    #expect(steps(&feeder).count == 5)
  }

  @Test func everythingThatIsLinedUpIsTakenOutOnce() {
    var feeder = feeder(limits: ["a": 1])
    for step in 0..<3 { feeder.add(item(step, "a")) }
    feeder.add(item(3), due: start + .seconds(1))
    #expect(feeder.next(at: start)?.step == 0)
    #expect(feeder.removeAll().map(\.step).sorted() == [1, 2, 3])
    feeder.release(item(0, "a"))
    #expect(steps(&feeder, at: start + .seconds(9)) == [])
  }

  /// A line whose host has room for one is looked at once a start, not once for each of those that wait.
  @Test func aLongLineBehindALimitGivesItemsInOrder() {
    var feeder = feeder(limits: ["a": 1])
    for step in 0..<20_000 { feeder.add(item(step, "a")) }
    var seen = 0
    while let next = feeder.next(at: start) {
      #expect(next.step == seen)
      seen += 1
      feeder.release(next)
    }
    #expect(seen == 20_000)
  }
}

/// The queue below it.
struct HeapTests {
  @Test(arguments: [[], [1], [2, 1], [5, 3, 8, 1, 9, 2, 2], Array((0..<50).reversed())])
  func theLeastComesFirst(numbers: [Int]) {
    var heap = Heap<Int>()
    for number in numbers { heap.insert(number) }
    #expect(heap.first == numbers.min())
    var popped: [Int] = []
    while let number = heap.popFirst() { popped.append(number) }
    #expect(popped == numbers.sorted())
    #expect(heap.isEmpty)
  }
}
