/// The natural logarithm of a number above zero, within a few units in the last place; the same
/// bits on every machine.
///
/// Infinity comes back as it is; zero gives negative infinity, and what is below zero or no number
/// gives no number. Only additions, multiplications and divisions are used, which IEEE 754 defines
/// to the last bit; what a system's library offers differs from one to the next.
public func naturalLogarithm(_ value: Double) -> Double {
  guard value > 0 else { return value == 0 ? -.infinity : .nan }
  guard value < .infinity else { return value }
  // The number is a fraction around 1, from sqrt(1/2) to sqrt(2), times a power of two.
  var exponent = Double(value.exponent)
  var fraction = value.significand
  if fraction > 1.4142135623730951 {
    fraction /= 2
    exponent += 1
  }
  // ln x = 2 artanh((x - 1) / (x + 1)), whose series has quotients below 0.03 here.
  let ratio = (fraction - 1) / (fraction + 1)
  let square = ratio * ratio
  var sum = 0.0
  for odd in stride(from: 23.0, through: 1, by: -2) { sum = sum * square + 1 / odd }
  // ln 2 in two parts, the first of which is exact when multiplied with an exponent.
  let high = 0x1.62e42fefap-1
  let low = 0x1.cf79abc9e3b3ap-40
  return exponent * high + (2 * ratio * sum + exponent * low)
}
