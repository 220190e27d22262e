/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014), with the increment folded in: a bijection that scatters its input.
///
/// For simulations and spreading timers only; whoever sees a few outputs can predict the rest.
public func mix64(_ value: UInt64) -> UInt64 {
  var z = value &+ 0x9E37_79B9_7F4A_7C15
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}

/// SplitMix64 as a generator: the same seed gives the same numbers on every machine.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    defer { state &+= 0x9E37_79B9_7F4A_7C15 }
    return mix64(state)
  }

  /// A number from 0 up to but not including 1, in steps of 2^-53.
  public mutating func unitInterval() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
