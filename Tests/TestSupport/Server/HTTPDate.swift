#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Dates as header fields carry them (RFC 9110 §5.6.7).
package enum HTTPDate {
  private static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970, now.
  package static var now: Int { time(nil) }

  /// The preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int) -> String {
    let time = utc(seconds)
    let day = days[Int(time.tm_wday)].prefix(3)
    let month = months[Int(time.tm_mon)]
    return "\(day), \(two(time.tm_mday)) \(month) \(1900 + time.tm_year) \(clock(time)) GMT"
  }

  /// The obsolete form of RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`.
  package static func obsoleteText(_ seconds: Int) -> String {
    let time = utc(seconds)
    let date = "\(two(time.tm_mday))-\(months[Int(time.tm_mon)])-\(two(time.tm_year % 100))"
    return "\(days[Int(time.tm_wday)]), \(date) \(clock(time)) GMT"
  }

  private static func utc(_ seconds: Int) -> tm {
    var seconds = seconds
    var time = tm()
    gmtime_r(&seconds, &time)
    return time
  }

  private static func clock(_ time: tm) -> String {
    "\(two(time.tm_hour)):\(two(time.tm_min)):\(two(time.tm_sec))"
  }

  private static func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
