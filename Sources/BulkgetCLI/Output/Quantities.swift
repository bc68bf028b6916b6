/// Numbers of bytes for people.
enum ByteCountText {
  private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

  /// In decimal units with one digit behind the point, as in `4.1 kB`; bytes as they are below 1,000.
  static func human(_ byteCount: Int64) -> String {
    if byteCount < 1000 { return "\(byteCount) B" }
    var tenths = (Double(byteCount) / 100).rounded()
    var unit = 0
    while tenths >= 9999.5, unit + 1 < units.count {
      tenths = (tenths / 1000).rounded()
      unit += 1
    }
    let number = Int(tenths)
    return "\(number / 10).\(number % 10) \(units[unit])"
  }

  /// The same, or `?` where the number is not known.
  static func human(_ byteCount: Int64?) -> String {
    byteCount.map { human($0) } ?? "?"
  }
}

/// Durations for people.
enum DurationText {
  /// As in `0.3 s`, `12 s`, `2 min 5 s`, `3 h 20 min`.
  static func human(_ duration: Duration) -> String {
    let seconds = max(0, duration / .seconds(1))
    if seconds < 9.95 {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// As an option's default: `60s`.
  static func option(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds)s" : "\(duration / .seconds(1))s"
  }
}
