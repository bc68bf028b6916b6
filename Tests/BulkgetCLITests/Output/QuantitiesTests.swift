import Testing

@testable import BulkgetCLI

struct QuantitiesTests {
  @Test(arguments: [
    (Int64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (4096, "4.1 kB"), (999_949, "999.9 kB"),
    (999_950, "1.0 MB"), (34_500_000, "34.5 MB"), (734_003_200, "734.0 MB"),
    (1_000_000_000_000, "1.0 TB"), (Int64.max, "9.2 EB"),
  ])
  func bytesAreShownInDecimalUnits(_ byteCount: Int64, _ expected: String) {
    #expect(ByteCountText.human(byteCount) == expected)
  }

  @Test func anUnknownSizeIsAQuestionMark() {
    #expect(ByteCountText.human(nil) == "?")
  }

  @Test(arguments: [
    (Duration.zero, "0.0 s"), (.milliseconds(40), "0.0 s"), (.milliseconds(1234), "1.2 s"),
    (.milliseconds(9949), "9.9 s"), (.milliseconds(9960), "10 s"),
    (.milliseconds(59_600), "1 min 0 s"),
    (.seconds(59), "59 s"), (.seconds(125), "2 min 5 s"), (.seconds(12_000), "3 h 20 min"),
    (.seconds(-1), "0.0 s"),
  ])
  func durationsAreShownAsPeopleSayThem(_ duration: Duration, _ expected: String) {
    #expect(DurationText.human(duration) == expected)
  }
}
