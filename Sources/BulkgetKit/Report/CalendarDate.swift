/// A day of the Gregorian calendar, as used by HTTP's dates and the report's timestamps.
///
/// Plain arithmetic: Foundation's calendars and formatters are far too slow for a hundred thousand records. The
/// year begins in March here, so that the leap day is its last one.
struct CalendarDate: Hashable, Sendable {
  var year: Int64
  var month: Int
  var day: Int

  private static let daysPerEra: Int64 = 146_097
  private static let daysFromEraTo1970: Int64 = 719_468

  init(year: Int64, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is so many days after 1 January 1970.
  init(daysSince1970: Int64) {
    let shifted = daysSince1970 + Self.daysFromEraTo1970
    let era = (shifted >= 0 ? shifted : shifted - Self.daysPerEra + 1) / Self.daysPerEra
    let dayOfEra = shifted - era * Self.daysPerEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5) + 1
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// How many days after 1 January 1970 it is.
  var daysSince1970: Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
    let yearOfEra = yearFromMarch - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.daysFromEraTo1970
  }
}
