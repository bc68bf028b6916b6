import Testing

@testable import BulkgetKit

/// How many downloads a host gets, and when none.
struct HostGovernorTests {
  private let start = ContinuousClock.now

  private func takesPlace(
    _ governor: inout HostGovernor, _ host: String, _ now: ContinuousClock.Instant
  ) -> Bool {
    governor.takePlace(at: host, now: now)
  }

  private func places(_ governor: inout HostGovernor, _ host: String = "h") -> Int {
    var count = 0
    while count < 100, governor.takePlace(at: host, now: start) { count += 1 }
    return count
  }

  @Test func withoutALimitOnlyTheQueueBounds() {
    var governor = HostGovernor(jobs: 8)
    #expect(places(&governor) == 100)
  }

  @Test func theSmallerOfBothLimitsHolds() {
    var governor = HostGovernor(jobs: 8, limit: 4, limits: ["few": 2, "many": 6])
    #expect(places(&governor) == 4)
    #expect(places(&governor, "few") == 2)
    #expect(places(&governor, "many") == 4)
  }

  @Test func aPlaceThatIsGivenBackIsTakenAgain() {
    var governor = HostGovernor(jobs: 8, limit: 1)
    #expect(takesPlace(&governor, "h", start))
    #expect(!takesPlace(&governor, "h", start))
    governor.givePlaceBack(at: "h")
    #expect(takesPlace(&governor, "h", start))
  }

  @Test func aCalmedHostRestsUntilTheLatestTimeThatWasAsked() {
    var governor = HostGovernor(jobs: 8)
    governor.calm("h", until: start + .seconds(5), now: start)
    governor.calm("h", until: start + .seconds(2), now: start)
    #expect(!takesPlace(&governor, "h", start + .seconds(4)))
    #expect(takesPlace(&governor, "other", start))
    #expect(takesPlace(&governor, "h", start + .seconds(5)))
  }

  @Test func oneOverloadHalvesAHostOnceHoweverManyAnswersSaySo() {
    var governor = HostGovernor(jobs: 8)
    for _ in 0..<8 { _ = governor.takePlace(at: "h", now: start) }
    for _ in 0..<8 {
      governor.calm("h", until: start + .seconds(2), now: start)
      governor.givePlaceBack(at: "h")
    }
    #expect(governor.places(at: "h") == 4)
    governor.endRest(of: "h", now: start + .seconds(2))
    governor.calm("h", until: start + .seconds(4), now: start + .seconds(2))
    #expect(governor.places(at: "h") == 1)
  }

  @Test func whatWaitsInTheQueueDoesNotCountAsWhatTheHostHad() {
    var governor = HostGovernor(jobs: 8)
    for _ in 0..<16 { _ = governor.takePlace(at: "h", now: start) }
    governor.calm("h", until: start, now: start)
    #expect(governor.places(at: "h") == 4)
  }

  @Test func aHostKeepsAtLeastOnePlace() {
    var governor = HostGovernor(jobs: 8)
    for _ in 0..<5 { governor.calm("h", until: start, now: start) }
    #expect(governor.places(at: "h") == 1)
    #expect(takesPlace(&governor, "h", start))
  }

  @Test func successesGiveBackPlaceByPlaceAndThenEverything() {
    var governor = HostGovernor(jobs: 4)
    for _ in 0..<4 { _ = governor.takePlace(at: "h", now: start) }
    governor.calm("h", until: start, now: start)
    var seen = [governor.places(at: "h")]
    for _ in 0..<20 {
      governor.noteSuccess(at: "h")
      if governor.places(at: "h") != seen.last { seen.append(governor.places(at: "h")) }
    }
    #expect(seen == [2, 3, .max])
  }

  @Test func successesNeverLiftALimit() {
    var governor = HostGovernor(jobs: 8, limits: ["h": 3])
    governor.calm("h", until: start, now: start)
    for _ in 0..<50 { governor.noteSuccess(at: "h") }
    #expect(governor.places(at: "h") == 3)
  }
}
