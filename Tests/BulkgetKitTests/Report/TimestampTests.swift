import Foundation
import Testing

@testable import BulkgetKit

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_767_323_045.678, "2026-01-02T03:04:05.678Z"),
    (951_782_400, "2000-02-29T00:00:00.000Z"), (951_868_799.999, "2000-02-29T23:59:59.999Z"),
    (4_107_542_400, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
    (-0.001, "1969-12-31T23:59:59.999Z"), (-62_167_219_200, "0000-01-01T00:00:00.000Z"),
    (253_402_300_799, "9999-12-31T23:59:59.000Z"), (1e300, "1970-01-01T00:00:00.000Z"),
    (1e12, "9999-12-31T23:59:59.999Z"), (1_735_689_599.9996, "2025-01-01T00:00:00.000Z"),
  ])
  func writesTheKnownDates(seconds: Double, text: String) {
    #expect(Timestamp(Date(timeIntervalSince1970: seconds)).description == text)
  }

  @Test func agreesWithFoundationOverFourCenturies() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for day in stride(from: -60_000, through: 100_000, by: 13) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296.5)
      #expect(Timestamp(date).description == style.format(date))
    }
  }

  @Test func daysAreCountedBothWays() {
    for day in Int64(-800_000)...800_000 where day % 97 == 0 {
      #expect(CalendarDate(daysSince1970: day).daysSince1970 == day)
    }
  }
}
