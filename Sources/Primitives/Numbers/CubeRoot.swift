/// The real cube root of a number, within two thirds of a unit in the last place, exact where the
/// root has few digits; the same bits on every machine.
///
/// Infinities, zeros and what is not a number come back as they are. Only additions,
/// multiplications and divisions are used, which IEEE 754 defines to the last bit; what a system's
/// library offers differs from one to the next.
public func cubeRoot(_ value: Double) -> Double {
  guard value.isFinite, value != 0 else { return value }
  // The number is a fraction from 1 up to 8, times 8 to a whole power.
  let third = Int((Double(value.exponent) / 3).rounded(.down))
  let fraction = Double(
    sign: .plus, exponent: value.exponent - 3 * third, significand: value.significand)

  // The chord from (1, 1) to (8, 2) is off by at most a seventh. Newton's step squares the
  // error, so that four of them are right to 30 bits and more.
  var root = (fraction + 6) / 7
  for _ in 0..<4 {
    root -= (root - fraction / (root * root)) / 3
  }
  // With at most 24 digits the root has an exact square, and one last step of third order gains
  // the rest without a loss (W. Kahan, "Computing a Real Cube Root").
  root = Double(Float(root))
  let ratio = fraction / (root * root)
  root += root * (ratio - root) / (root + root + ratio)
  return Double(sign: value.sign, exponent: third, significand: root)
}
