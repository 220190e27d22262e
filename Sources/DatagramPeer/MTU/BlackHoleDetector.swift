/// Notices that a path has stopped to carry large datagrams while it carries smaller ones
/// (RFC 8899, section 4.3), and does not take random loss for it.
///
/// Losses of large packets count as a series as long as none of that size is acknowledged. What is
/// lost between two acknowledgements of smaller packets counts once, as losses close to each other
/// have one cause. The series says that it is the size when ordinary loss, at the rate that
/// is seen otherwise, would bring it about less than once in a million times.
struct BlackHoleDetector {
  /// The smallest size in the series.
  private(set) var smallestLost = Int.max
  /// Losses in the series, at most `maximumSeries`.
  private var lostCount = 0
  /// The chance of the series at the ordinary rate.
  private var likelihood = 1.0
  /// Whether something large was lost since the last acknowledgement of something smaller.
  private var isSuspicious = false
  /// The ordinary rate of loss, from what is not in a series.
  private var lossRate = 0.05

  /// The lowest rate that is assumed: five losses in a row at least, however good the path was.
  static let minimumLossRate = 0.05
  static let maximumLikelihood = 1e-6
  private static let maximumSeries = 32

  mutating func didAcknowledge(size: Int, base: Int) {
    // Kept from falling for ever: tiny numbers take many times longer to calculate with.
    lossRate = max(Self.minimumLossRate / 8, lossRate - lossRate / 64)
    guard lostCount > 0 else { return }
    guard size < smallestLost else {
      endSeries()
      return
    }
    guard isSuspicious else { return }
    isSuspicious = false
    likelihood *= max(lossRate, Self.minimumLossRate)
  }

  /// Returns whether it is the size now.
  mutating func didLose(size: Int, base: Int) -> Bool {
    guard size > base else {
      lossRate += (1 - lossRate) / 64
      return false
    }
    smallestLost = min(smallestLost, size)
    lostCount = min(lostCount + 1, Self.maximumSeries)
    isSuspicious = true
    return likelihood * max(lossRate, Self.minimumLossRate) < Self.maximumLikelihood
  }

  /// Forgets the series, which has been acted upon.
  mutating func forget() {
    smallestLost = .max
    lostCount = 0
    likelihood = 1
    isSuspicious = false
  }

  /// It was ordinary loss.
  private mutating func endSeries() {
    for _ in 0..<lostCount { lossRate += (1 - lossRate) / 64 }
    forget()
  }
}
