import Primitives
import SocketDriver
import UDPTransport
import Workloads

/// Makes the messages of a flood for a sender that is no machine.
struct FloodCounter: Sendable {
  let plan: FloodPlan
  /// Messages that the transport took.
  var sent: UInt64 = 0
  private var made: UInt64 = 0
  private var payload: [UInt8]
  private let end: Instant

  init(_ plan: FloodPlan) {
    self.plan = plan
    payload = [UInt8](repeating: 0, count: plan.size)
    // The receiver's time starts later and must not run dry before its end.
    end = SystemClock.now() + plan.warmUp + plan.duration + .milliseconds(200)
  }

  func isOver(at now: Instant) -> Bool { now >= end }

  /// Adds as many messages as are handed over at once.
  mutating func fill(_ run: inout MessageRun) {
    for _ in 0..<plan.batch {
      let number = made
      var span = payload.mutableSpan
      span.overwrite(at: 0, with: number)
      made += 1
      run.append(payload.span)
    }
  }
}
