/// A number with `places` digits behind the point, rounded half away from zero, as `%.2f` prints
/// it. What is no number, or too large for 18 digits, is `nan` or `inf`.
public func fixedPoint(_ value: Double, places: Int) -> String {
  guard !value.isNaN else { return "nan" }
  var scale: Int64 = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = (value.magnitude * Double(scale)).rounded(.toNearestOrAwayFromZero)
  guard scaled < 1e18 else { return value < 0 ? "-inf" : "inf" }
  let (whole, rest) = Int64(scaled).quotientAndRemainder(dividingBy: scale)
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard places > 0 else { return "\(sign)\(whole)" }
  let digits = String(rest)
  return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
}
