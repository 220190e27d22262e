import Primitives

/// When a link loses everything, where its losses come in bursts: times of loss and times without
/// take turns, and both last exponentially distributed times.
///
/// It is a matter of time and not of packets. Bursts that are counted in packets meet somebody who
/// sends 60 of them a second for 83 ms, and somebody who backs off, as TCP does, for minutes.
///
/// Whether it is bad at some time is a function of the seed and of the time alone: time is divided
/// into chapters of 64 bursts on average, each of which begins by a draw of its own. Whoever asks
/// about a later time need not go through all that lies before it.
struct BurstTimeline {
  private let share: Double
  private let badMean: Double
  private let goodMean: Double
  private let chapterLength: Double

  private var chapter = UInt64.max
  private var phase: UInt64 = 0
  private var isBadNow = false
  /// From when to when the present phase lasts, in nanoseconds since the start of the chapter.
  private var phaseStart = 0.0
  private var phaseEnd = 0.0

  private static let burstsInChapter = 64.0
  /// Eight times as many as there are on average; the last one lasts to the end of its chapter.
  private static let phaseLimit: UInt64 = 1_024

  /// - Parameters:
  ///   - share: of the time that is bad, above 0 and below 1.
  ///   - mean: how long it is bad at a time, on average.
  init(share: Double, mean: Interval) {
    precondition(share > 0 && share < 1 && mean > .zero, "both kinds of time exist")
    self.share = share
    badMean = Double(mean.nanoseconds)
    goodMean = badMean * (1 - share) / share
    chapterLength = (badMean + goodMean) * Self.burstsInChapter
  }

  /// Whether everything is lost `elapsed` after the first datagram of the link.
  mutating func isBad(after elapsed: Interval, fates: FateSource, link: UInt32) -> Bool {
    let time = Double(max(0, elapsed.nanoseconds))
    let wanted = UInt64(time / chapterLength)
    let place = time - Double(wanted) * chapterLength
    if wanted != chapter || place < phaseStart {
      chapter = wanted
      phase = 0
      phaseStart = 0
      isBadNow =
        fates.unit(purpose: .burstBeginning, link: link, flow: 0, index: wanted) < share
      phaseEnd = length(fates, link)
    }
    while place >= phaseEnd, phase < Self.phaseLimit - 1 {
      phase += 1
      isBadNow.toggle()
      phaseStart = phaseEnd
      phaseEnd += length(fates, link)
    }
    return isBadNow
  }

  private func length(_ fates: FateSource, _ link: UInt32) -> Double {
    let unit = fates.unit(
      purpose: .burstLength, link: link, flow: 0, index: chapter &* Self.phaseLimit &+ phase)
    return -naturalLogarithm(1 - unit) * (isBadNow ? badMean : goodMean)
  }
}
