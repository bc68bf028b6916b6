import TestSupport
import Testing

@Suite
struct PseudoRandomBodyTests {
  /// A little more than the sequence's block, so that its seam is inside.
  private let body = PseudoRandomBody(count: 1_100_000)

  @Test(
    arguments: [
      0..<0, 0..<1, 0..<100, 4_090..<4_110, 8_191..<8_193, 1_048_570..<1_048_580,
      1_099_999..<1_100_000,
    ] as [Range<Int64>])
  func aSliceIsThatPartOfTheWhole(range: Range<Int64>) {
    let whole = body.bytes
    #expect(body[range] == Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]))
  }

  @Test func itIsTheSameEverywhereAndAlways() {
    #expect(
      body.hexadecimalDigest()
        == "8ded862d1eec494e52752e9ca782261759dd8ef168ba6a1820d466bfd8cd14f4")
  }

  @Test func seedsGiveDifferentBodies() {
    let other = PseudoRandomBody(seed: 2, count: 1_100_000)
    #expect(body[0..<4_096] != other[0..<4_096])
  }

  @Test func longerBodiesBeginAlike() {
    #expect(PseudoRandomBody(count: 5_000).bytes == body[0..<5_000])
  }

  /// A piece from elsewhere differs within a page, whatever the distance, the block's length and its multiples too.
  @Test(
    arguments: [
      1, 7, 8, 4_096, 65_536, 1_048_573, 1_048_576, 4 * 1_048_573, 4_096 * 1_048_573, 1 << 32,
    ] as [Int64])
  func aShiftShowsWithinAPage(distance: Int64) {
    let large = PseudoRandomBody(count: 1 << 34)
    for start in [0, 100_000, 3_000_000] as [Int64] {
      let here = large[start..<start + 4_104]
      let there = large[start + distance..<start + distance + 4_104]
      #expect(here != there)
    }
  }

  @Test func partsBeyondFourGibibytesAreMadeAtOnce() {
    let large = PseudoRandomBody(count: 4 << 30 + 7)
    #expect(large[large.count - 7..<large.count].count == 7)
    #expect(large[large.count - 7..<large.count] != large[0..<7])
  }
}
