import Primitives
import Testing

@testable import DatagramPeer

struct CongestionLossTests {
  static let kinds: [CongestionControl] = [.cubic, .newReno]

  @Test("A loss takes three tenths in CUBIC, and half in NewReno")
  func reduction() {
    for (algorithm, window) in [(CongestionControl.cubic, 56_000), (.newReno, 40_000)] {
      var driver = CongestionDriver(algorithm)
      driver.fill()
      driver.lose()
      #expect(driver.window == window)
      #expect(driver.controller.slowStartThreshold == window)
      #expect(!driver.controller.isInSlowStart)
    }
  }

  @Test("One reduction a round trip, however much of it was lost", arguments: kinds)
  func once(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    driver.lose()
    let reducedAt = driver.now
    let window = driver.window
    for _ in 0..<50 { driver.lose() }
    driver.lose(sentAt: reducedAt)
    #expect(driver.window == window)
    driver.lose(sentAt: reducedAt + .nanoseconds(1))
    #expect(driver.window < window)
    #expect(driver.controller.reductions == 2)
  }

  @Test("What was sent before the reduction does not grow the window", arguments: kinds)
  func recovery(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    driver.lose()
    let window = driver.window
    for _ in 0..<50 {
      driver.controller.didAcknowledge(
        bytes: window, newestSentAt: driver.now, wasWindowLimited: true,
        roundTrip: driver.roundTrip, at: driver.now + .milliseconds(100))
    }
    #expect(driver.window == window)
    driver.now = driver.now + .milliseconds(100)
    for _ in 0..<2 { driver.acknowledge() }
    #expect(driver.window > window)
  }

  @Test("Losses go down to two datagrams and no further", arguments: kinds)
  func minimum(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    for _ in 0..<20 {
      driver.now = driver.now + .seconds(1)
      driver.lose()
    }
    #expect(driver.window == 2_000)
  }

  // MARK: Without a full window

  @Test("A sparse flow on a path without queues is not reduced", arguments: kinds)
  func sparse(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    for _ in 0..<100 {
      driver.acknowledge(3_000, isLimited: false)
      driver.lose(isLimited: false, inFlight: 9_000)
    }
    #expect(driver.window == 80_000)
    #expect(driver.controller.isInSlowStart)
    #expect(driver.controller.reductions == 0)
  }

  @Test("With queues it is reduced, but not below the initial window", arguments: kinds)
  func sparseQueues(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    driver.congest()
    driver.lose(isLimited: false, inFlight: 3_000)
    #expect(driver.window == (algorithm == .cubic ? 56_000 : 40_000))
    for _ in 0..<20 {
      driver.now = driver.now + .seconds(1)
      driver.lose(isLimited: false, inFlight: 3_000)
    }
    #expect(driver.window == 10_000)
  }

  @Test("A flow that never had more than the initial window keeps slow start for later")
  func sparseStart() {
    var driver = CongestionDriver(.cubic)
    driver.congest()
    for _ in 0..<100 {
      driver.acknowledge(3_000, isLimited: false)
      driver.lose(isLimited: false, inFlight: 3_000)
    }
    driver.acknowledge()
    #expect(driver.window == 20_000)
  }

  @Test("More than an initial window under way is no sparse flow", arguments: kinds)
  func notSparse(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    driver.lose(isLimited: false, inFlight: 9_001)
    #expect(driver.window < 80_000)
    for _ in 0..<20 {
      driver.now = driver.now + .seconds(1)
      driver.lose(isLimited: false, inFlight: 12_000)
    }
    #expect(driver.window == 10_000)
  }

  @Test("A window below the initial one is not raised by a loss")
  func belowInitial() {
    var driver = CongestionDriver(.newReno)
    driver.lose()
    #expect(driver.window == 5_000)
    driver.congest()
    driver.now = driver.now + .seconds(1)
    driver.lose(isLimited: false, inFlight: 12_000)
    #expect(driver.window == 5_000)
    #expect(driver.controller.reductions == 2)
  }

  @Test("Before the first measurement queues have to be assumed")
  func unmeasured() {
    var driver = CongestionDriver(.cubic)
    driver.fill()
    driver.roundTrip = RoundTripEstimator(assumed: .milliseconds(100))
    driver.lose(isLimited: false, inFlight: 1_000)
    #expect(driver.window == 56_000)
  }

  // MARK: Persistent congestion

  @Test("Persistent congestion leaves two datagrams, of a sparse flow too", arguments: kinds)
  func persistent(algorithm: CongestionControl) {
    for isLimited in [false, true] {
      var driver = CongestionDriver(algorithm)
      driver.fill()
      driver.lose(isLimited: isLimited, isPersistent: true, inFlight: 1_000)
      #expect(driver.window == 2_000)
      #expect(driver.controller.isInSlowStart)
      let threshold = driver.controller.slowStartThreshold
      #expect(threshold == (algorithm == .cubic ? 56_000 : 40_000))
      // What else was lost of that time changes nothing, and slow start begins at once.
      driver.lose()
      driver.controller.didAcknowledge(
        bytes: 2_000, newestSentAt: driver.now - driver.time, wasWindowLimited: true,
        roundTrip: driver.roundTrip, at: driver.now)
      #expect(driver.window == 4_000)
      for _ in 0..<3 { driver.acknowledge() }
      #expect(driver.window == 32_000)
      #expect(driver.controller.slowStartThreshold == threshold)
    }
  }

  @Test("Slow start ends exactly at its threshold, and the rest counts for what follows")
  func threshold() {
    var driver = CongestionDriver(.newReno)
    driver.fill()
    driver.lose(isPersistent: true)
    for _ in 0..<4 { driver.acknowledge() }
    #expect(driver.window == 32_000)
    driver.acknowledge()
    #expect(driver.window == 40_000)
    // 24,000 of the 32,000 were left.
    driver.acknowledge(15_999)
    #expect(driver.window == 40_000)
    driver.acknowledge(1)
    #expect(driver.window == 41_000)
  }

  @Test("Persistent congestion found late, after the reduction", arguments: kinds)
  func latePersistent(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    driver.lose()
    let threshold = driver.controller.slowStartThreshold
    driver.now = driver.now + .seconds(1)
    driver.lose(sentAt: .zero, isPersistent: true)
    #expect(driver.window == 2_000)
    driver.lose(sentAt: driver.now)
    #expect(driver.controller.slowStartThreshold == threshold)
    #expect(driver.controller.reductions == 1)
  }

  @Test("Slow start after persistent congestion knows its end and does not heed queues")
  func laterSlowStart() {
    var driver = CongestionDriver(.cubic)
    for _ in 0..<6 { driver.acknowledge() }
    driver.lose(isPersistent: true)
    for round in 0..<7 {
      let sentAt = driver.now + .nanoseconds(1)
      driver.now = driver.now + .seconds(1)
      driver.roundTrip.update(.milliseconds(Int64(100 + 50 * round)), acknowledgementDelay: .zero)
      let bytes = driver.window / 10
      for _ in 0..<10 {
        driver.controller.didAcknowledge(
          bytes: bytes, newestSentAt: sentAt, wasWindowLimited: true, roundTrip: driver.roundTrip,
          at: driver.now)
      }
    }
    #expect(driver.window == 256_000)
  }

  // MARK: Undoing

  @Test("A reduction for nothing is undone, curve and slow start too", arguments: kinds)
  func undo(algorithm: CongestionControl) {
    var driver = CongestionDriver(algorithm)
    driver.fill()
    var other = driver
    driver.lose()
    driver.controller.undo()
    #expect(driver.window == 80_000)
    #expect(driver.controller.isInSlowStart)
    #expect(driver.controller.reductions == 0)
    driver.now = other.now
    driver.acknowledge()
    other.acknowledge()
    #expect(driver.window == other.window)

    driver.lose()
    driver.now = driver.now + .seconds(1)
    for _ in 0..<5 { driver.acknowledge() }
    other = driver
    driver.lose()
    driver.lose(isPersistent: true)
    driver.controller.undo()
    #expect(driver.window == other.window)
    driver.now = other.now
    for _ in 0..<5 {
      driver.acknowledge()
      other.acknowledge()
    }
    #expect(driver.window == other.window)
  }

  @Test("Only the last reduction is undone, only once, and never downwards")
  func undoLast() {
    var driver = CongestionDriver(.newReno)
    driver.fill()
    driver.lose()
    driver.now = driver.now + .seconds(1)
    driver.lose()
    #expect(driver.window == 20_000)
    driver.controller.undo()
    #expect(driver.window == 40_000)
    driver.controller.undo()
    #expect(driver.window == 40_000)
    driver.now = driver.now + .seconds(1)
    driver.lose()
    for _ in 0..<50 { driver.acknowledge() }
    let grown = driver.window
    #expect(grown > 40_000)
    driver.controller.undo()
    #expect(driver.window == grown)
  }

  @Test("After undoing, the next loss counts, whenever it was sent")
  func undoThenLose() {
    var driver = CongestionDriver(.newReno)
    driver.fill()
    driver.lose()
    driver.controller.undo()
    driver.lose(sentAt: .zero)
    #expect(driver.window == 40_000)
  }

  @Test("A loss of which nothing was made has nothing to undo")
  func undoNothing() {
    var driver = CongestionDriver(.cubic)
    driver.controller.undo()
    #expect(driver.window == 10_000)
    driver.fill()
    driver.lose()
    driver.now = driver.now + .seconds(1)
    driver.lose(isLimited: false, inFlight: 0)
    driver.controller.undo()
    #expect(driver.window == 56_000)
  }

  // MARK: Absurd numbers

  @Test("Absurd numbers do no harm")
  func absurd() {
    let numbers: [Int] = [.min, -1, 0, 1, 1_200, 1 << 40, .max]
    let instants = [Int64.min, -1, 0, 1, 1 << 60, .max].map { Instant(nanoseconds: $0) }
    let samples = [Int64.min, 0, 1, 1_000_000, .max].map { Interval(nanoseconds: $0) }
    let algorithms: [CongestionControl] = [
      .cubic, .newReno, .fixedRate(bytesPerSecond: 1), .fixedRate(bytesPerSecond: .max), .unlimited,
    ]
    var isSane = true
    for algorithm in algorithms {
      for size in [1, 1_200, 65_535] {
        var controller = CongestionController(algorithm, datagramSize: size)
        var roundTrip = RoundTripEstimator(assumed: .zero)
        for (count, sample) in (samples + samples).enumerated() {
          roundTrip.update(sample, acknowledgementDelay: .zero)
          for number in numbers {
            for sentAt in instants {
              for now in instants {
                controller.didTransmit(bytesInFlight: number, isHeldBack: true, at: now)
                controller.didAcknowledge(
                  bytes: number, newestSentAt: sentAt, wasWindowLimited: now >= sentAt,
                  roundTrip: roundTrip, at: now)
                let rate = controller.pacingRate(roundTrip)
                isSane = isSane && controller.window >= 2 * size && rate >= 0
                isSane = isSane && controller.window <= CongestionLimits.maximumWindow
                guard count > 4 else { continue }
                controller.didLose(
                  bytes: number, newestSentAt: sentAt, isPersistent: count == 8,
                  wasWindowLimited: count == 6, bytesInFlight: number, roundTrip: roundTrip,
                  at: now)
                if count == 7 { controller.undo() }
              }
            }
          }
        }
      }
    }
    #expect(isSane)
  }
}
