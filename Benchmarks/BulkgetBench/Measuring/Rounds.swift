/// In which order contenders take their turns.
enum Rounds {
  /// Each once, and another one first in each round, so that none always follows the same.
  static func order<Element>(_ contenders: [Element], round: Int) -> [Element] {
    guard !contenders.isEmpty else { return [] }
    let first = round % contenders.count
    return Array(contenders[first...] + contenders[..<first])
  }
}
