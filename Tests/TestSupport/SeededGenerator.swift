/// Random numbers that are the same for the same seed on every machine and with every standard library (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    defer { state &+= 0x9e37_79b9_7f4a_7c15 }
    return mixed(state)
  }

  /// A number from 0 up to but not including `count`.
  package mutating func draw(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

/// SplitMix64's step and finaliser: neighbouring numbers give unrelated ones.
func mixed(_ value: UInt64) -> UInt64 {
  var value = value &+ 0x9e37_79b9_7f4a_7c15
  value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
  value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
  return value ^ (value >> 31)
}
