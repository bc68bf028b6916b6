import Testing

@testable import BulkgetKit

/// How bytes are spread over time.
struct TokenBucketTests {
  private let start = ContinuousClock.now

  /// Takes pieces whenever the bucket is open, up to `end`, and gives when each passed.
  private func pass(
    _ bucket: inout TokenBucket, pieces byteCount: Int, until end: Duration
  ) -> [Duration] {
    var passed: [Duration] = []
    var now = start
    while now - start < end {
      while bucket.isOpen(at: now) {
        bucket.take(byteCount)
        passed.append(now - start)
      }
      now += bucket.wait(at: now)
    }
    return passed
  }

  @Test(arguments: [(1_000, 100), (1_000, 5_000), (20_000_000, 131_072), (2_000, 1_024)])
  func noMoreThanTheRatePassesButForOnePieceAndTheStart(rate: Int, piece: Int) {
    var bucket = TokenBucket(bytesPerSecond: Int64(rate), now: start)
    let byteCount = piece * pass(&bucket, pieces: piece, until: .seconds(20)).count
    #expect(byteCount <= 20 * rate + rate / 10 + piece)
    #expect(byteCount >= 20 * rate - piece)
  }

  @Test func piecesAreSpreadEvenly() {
    var bucket = TokenBucket(bytesPerSecond: 1_000, now: start)
    let times = pass(&bucket, pieces: 250, until: .seconds(10))
    for (time, next) in zip(times.dropFirst(2), times.dropFirst(3)) {
      #expect(next - time < .milliseconds(300) && next - time > .milliseconds(200))
    }
  }

  @Test func aPieceLargerThanTheRatePassesAndIsWaitedFor() {
    var bucket = TokenBucket(bytesPerSecond: 1_000, now: start)
    bucket.take(10_100)
    let isOpen = [9, 11].map { bucket.isOpen(at: start + .seconds($0)) }
    #expect(isOpen == [false, true])
  }

  @Test func aPauseIsNoReasonForABurst() {
    var bucket = TokenBucket(bytesPerSecond: 1_000, now: start)
    var count = 0
    while bucket.isOpen(at: start + .seconds(3_600)) {
      bucket.take(10)
      count += 1
    }
    #expect(count == 10)
  }

  @Test func theWaitEndsWhenTheBucketIsOpen() {
    var bucket = TokenBucket(bytesPerSecond: 1_000, now: start)
    #expect(bucket.wait(at: start) == .zero)
    bucket.take(600)
    let wait = bucket.wait(at: start)
    let isOpen = [wait - .milliseconds(2), wait].map { bucket.isOpen(at: start + $0) }
    #expect(isOpen == [false, true])
    #expect(bucket.wait(at: start + .seconds(9)) == .zero)
  }
}
