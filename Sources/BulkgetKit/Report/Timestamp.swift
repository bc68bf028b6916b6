package import Foundation

/// A point in time as the JSON documents write it: `2026-01-02T03:04:05.678Z` (RFC 3339), always in UTC.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970.
  package let milliseconds: Int64

  /// The years 0000 to 9999, all that the form can say.
  private static let range = -62_167_219_200_000...253_402_300_799_999 as ClosedRange<Int64>

  /// Rounds to milliseconds; what lies beyond the years 0000 to 9999 becomes the nearest end.
  package init(_ date: Date) {
    let exact = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
    milliseconds = min(max(exact, Self.range.lowerBound), Self.range.upperBound)
  }

  package var description: String {
    let millisecondsPerDay: Int64 = 86_400_000
    var days = milliseconds / millisecondsPerDay
    if milliseconds % millisecondsPerDay < 0 { days -= 1 }
    let date = CalendarDate(daysSince1970: days)
    let time = milliseconds - days * millisecondsPerDay
    var characters: [UInt8] = []
    characters.reserveCapacity(24)
    characters.append(date.year, digits: 4, then: "-")
    characters.append(Int64(date.month), digits: 2, then: "-")
    characters.append(Int64(date.day), digits: 2, then: "T")
    characters.append(time / 3_600_000, digits: 2, then: ":")
    characters.append(time / 60_000 % 60, digits: 2, then: ":")
    characters.append(time / 1000 % 60, digits: 2, then: ".")
    characters.append(time % 1000, digits: 3, then: "Z")
    return String(decoding: characters, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number with leading zeros, and one character behind it.
  fileprivate mutating func append(_ number: Int64, digits: Int, then end: Unicode.Scalar) {
    var divisor: Int64 = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
    append(UInt8(ascii: end))
  }
}
