extension ValueKind<Duration> {
  /// The longest duration that an option takes: a hundred years.
  private static var maximum: Duration { .seconds(36_500 * 86_400) }

  /// A time in seconds, or with `s`, `m`, `h` or `d`. `allowsZero` is for waits, not for limits.
  static func duration(allowsZero: Bool = false) -> Self {
    ValueKind(
      placeholder: "S",
      read: { text throws(ValueRefusal) in
        let units = ["": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let quantity = Quantity(text), let unit = units[quantity.unit],
          let nanoseconds = quantity.scaled(by: unit * 1_000_000_000),
          .nanoseconds(nanoseconds) <= maximum
        else {
          throw ValueRefusal(
            expectation: "a time of at most 36500d such as `90`, `0.5s`, `10m`, `2h` or `7d`")
        }
        if nanoseconds == 0, !allowsZero {
          throw ValueRefusal(expectation: "a time longer than 0")
        }
        return .nanoseconds(nanoseconds)
      },
      text: { DurationText.option($0) })
  }
}

extension ValueKind<Int64> {
  /// A number of bytes, or with `K M G T` (powers of 1,000) or `Ki Mi Gi Ti` (powers of 1,024).
  static func size() -> Self {
    ValueKind(placeholder: "SIZE") { text throws(ValueRefusal) in
      let powers = ["": 0, "k": 1, "m": 2, "g": 3, "t": 4]
      guard let quantity = Quantity(text) else { throw sizeRefusal }
      var unit = quantity.unit.lowercased()
      if unit.hasSuffix("b") { unit.removeLast() }
      let isBinary = unit.hasSuffix("i") && unit.count == 2
      if isBinary { unit.removeLast() }
      guard let power = powers[unit] else { throw sizeRefusal }
      let factor = (0..<power).reduce(1) { product, _ in product * (isBinary ? 1024 : 1000) }
      guard let bytes = quantity.scaled(by: factor), bytes > 0 else { throw sizeRefusal }
      return Int64(bytes)
    }
  }

  /// A number of bytes for each second, written as a size.
  static var rate: Self {
    ValueKind(placeholder: "RATE", read: size().read)
  }

  private static var sizeRefusal: ValueRefusal {
    ValueRefusal(
      expectation: "a whole number of bytes, more than 0, such as `4096`, `1.5G` or `200Mi`")
  }
}

/// A decimal number and its unit, kept exactly: `1.5G` is 15 tenths and `G`.
private struct Quantity {
  let digits: Int
  /// How many of the digits stand behind the point.
  let fractionCount: Int
  let unit: String

  init?(_ text: String) {
    let number = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
      let digits = Int(parts.joined())
    else { return nil }
    self.digits = digits
    fractionCount = parts.count == 2 ? parts[1].count : 0
    unit = String(text[number.endIndex...])
  }

  /// The number times `factor`; nil where that is no whole number or too large.
  func scaled(by factor: Int) -> Int? {
    let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
    guard !overflow, fractionCount <= 18 else { return nil }
    let divisor = (0..<fractionCount).reduce(1) { product, _ in product * 10 }
    return product.isMultiple(of: divisor) ? product / divisor : nil
  }
}
