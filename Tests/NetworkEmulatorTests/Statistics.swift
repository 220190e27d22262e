/// Whether so many successes are within four standard deviations of what is expected of `trials`
/// independent ones. A seed that fails here by chance is one of 16,000.
func isPlausible(_ successes: Int, of trials: Int, probability: Double) -> Bool {
  let mean = Double(trials) * probability
  let deviation = (mean * (1 - probability)).squareRoot()
  return abs(Double(successes) - mean) < 4 * deviation
}
