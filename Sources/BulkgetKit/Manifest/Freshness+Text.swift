extension Freshness {
  /// Reads `immutable`, `revalidate`, or a whole number with the unit `s`, `m`, `h` or `d`; nil for anything else.
  init?(_ text: String) {
    switch text {
    case "immutable": self = .immutable
    case "revalidate": self = .revalidate
    default:
      let digits = text.utf8.dropLast()
      guard let unit = text.utf8.last, (1...9).contains(digits.count),
        digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int64(String(text.dropLast())),
        let seconds = Self.secondCount(ofUnit: unit)
      else { return nil }
      self = .maximumAge(.seconds(number * seconds))
    }
  }

  private static func secondCount(ofUnit unit: UInt8) -> Int64? {
    switch unit {
    case UInt8(ascii: "s"): 1
    case UInt8(ascii: "m"): 60
    case UInt8(ascii: "h"): 3600
    case UInt8(ascii: "d"): 86_400
    default: nil
    }
  }
}
