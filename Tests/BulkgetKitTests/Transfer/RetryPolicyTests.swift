import Testing

@testable import BulkgetKit

@Suite struct RetryPolicyTests {
  @Test(
    arguments: [
      (1, 0.5), (2, 1), (3, 2), (4, 4), (5, 8), (6, 16), (7, 32), (8, 60), (9, 60), (99, 60),
      (Int.max, 60),
    ] as [(Int, Double)])
  func theBoundDoublesUpToTheMaximum(number: Int, seconds: Double) {
    #expect(RetryPolicy().wait(beforeRetry: number, jitter: 1) == .seconds(seconds))
  }

  @Test(arguments: [0, 0.25, 0.5, 1] as [Double])
  func theJitterPicksAPointBelowIt(jitter: Double) {
    #expect(RetryPolicy().wait(beforeRetry: 3, jitter: jitter) == .seconds(2) * jitter)
  }

  @Test func noWaitAtAllIsPossible() {
    var policy = RetryPolicy()
    policy.maximumWait = .zero
    #expect(policy.wait(beforeRetry: 5, jitter: 1) == .zero)
  }

  private func wait(_ value: String) -> Duration? {
    RetryAfter.wait(value, now: 1_000) { $0 == "a date" ? 1_010 : $0 == "an old date" ? 990 : nil }
  }

  @Test(
    arguments: [
      ("5", 5), (" 5\t", 5), ("007", 7), ("a date", 10), ("an old date", nil), ("0", nil),
      ("", nil), (" ", nil),
      ("-5", nil), ("1.5", nil), ("5s", nil), ("abc", nil), ("٣", nil),
    ] as [(String, Int64?)])
  func retryAfterIsSecondsOrADate(value: String, seconds: Int64?) {
    #expect(wait(value) == seconds.map { .seconds($0) })
  }

  @Test func aNumberBeyondAllIsStillALongWait() throws {
    #expect(try #require(wait("99999999999999999999")) > .seconds(1_000_000_000))
    #expect(try #require(wait("\(Int64.max)")) > .seconds(1_000_000_000))
  }
}
