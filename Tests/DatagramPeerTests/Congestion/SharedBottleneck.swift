import Primitives

@testable import DatagramPeer

/// Flows that always have something to send over one link with a queue that drops what does not
/// fit. The way back has no queue, so everything is heard of in the order in which it was sent on.
struct SharedBottleneck {
  static let datagram = 1_200

  struct Flow {
    var controller: CongestionController
    var pacer = Pacer(datagramSize: SharedBottleneck.datagram)
    var roundTrip = RoundTripEstimator(assumed: .milliseconds(100))
    let start: Instant
    var hasStarted = false
    var inFlight = 0
    /// Bytes that arrived.
    var delivered = 0
    var dropped = 0
    /// Sent and not heard of, in order.
    var packets = Queue<Packet>()
  }

  struct Packet {
    let sentAt: Instant
    /// `nil`: dropped.
    let arrival: Instant?
  }

  let bytesPerSecond: Int
  let queueLimit: Interval
  let propagation: Interval
  var flows: [Flow]
  private(set) var now = Instant.zero
  private(set) var longestQueue = Interval.zero
  private var lineFreeAt = Instant.zero

  init(
    _ algorithms: [(CongestionControl, start: Interval)], bytesPerSecond: Int, queue: Interval,
    propagation: Interval
  ) {
    self.bytesPerSecond = bytesPerSecond
    queueLimit = queue
    self.propagation = propagation
    flows = algorithms.map { algorithm, start in
      Flow(
        controller: CongestionController(algorithm, datagramSize: Self.datagram),
        start: .zero + start)
    }
  }

  mutating func run(until end: Instant) {
    while true {
      var next = end
      var flow = 0
      for index in flows.indices {
        guard let event = nextEvent(index), event < next else { continue }
        next = event
        flow = index
      }
      guard next < end else { break }
      now = max(now, next)
      receive(flow)
      transmit(flow)
    }
    now = end
  }

  /// Bytes that each flow brought over from here to `end`.
  mutating func deliveries(until end: Instant) -> [Int] {
    let before = flows.map(\.delivered)
    run(until: end)
    return zip(flows, before).map { $0.delivered - $1 }
  }

  private func nextEvent(_ index: Int) -> Instant? {
    guard flows[index].hasStarted else { return flows[index].start }
    let mayGrow = flows[index].inFlight + Self.datagram <= flows[index].controller.window
    let pause = mayGrow ? flows[index].pacer.nextSend : nil
    return Instant.earlier(pause, flows[index].packets.first.map(heardAt))
  }

  /// A packet that was dropped is missed a little later than it would have been acknowledged; which
  /// acknowledgement tells makes no difference here.
  private func heardAt(_ packet: Packet) -> Instant {
    packet.arrival ?? packet.sentAt + propagation + queueLimit + .milliseconds(1)
  }

  private mutating func receive(_ index: Int) {
    var acknowledged = 0
    var lost = 0
    var newestAcknowledged = Instant.zero
    var newestLost = Instant.zero
    while let packet = flows[index].packets.first, heardAt(packet) <= now {
      flows[index].packets.popFirst()
      flows[index].inFlight -= Self.datagram
      if packet.arrival == nil {
        lost += Self.datagram
        newestLost = packet.sentAt
      } else {
        acknowledged += Self.datagram
        newestAcknowledged = packet.sentAt
        flows[index].roundTrip.update(now - packet.sentAt, acknowledgementDelay: .zero)
      }
    }
    flows[index].delivered += acknowledged
    flows[index].dropped += lost
    if acknowledged > 0 {
      flows[index].controller.didAcknowledge(
        bytes: acknowledged, newestSentAt: newestAcknowledged,
        wasWindowLimited: flows[index].controller.wasWindowLimited(since: newestAcknowledged),
        roundTrip: flows[index].roundTrip, at: now)
    }
    if lost > 0 {
      flows[index].controller.didLose(
        bytes: lost, newestSentAt: newestLost, isPersistent: false,
        wasWindowLimited: flows[index].controller.wasWindowFull(since: newestLost),
        bytesInFlight: flows[index].inFlight, roundTrip: flows[index].roundTrip, at: now)
    }
  }

  private mutating func transmit(_ index: Int) {
    flows[index].hasStarted = true
    let rate = flows[index].controller.pacingRate(flows[index].roundTrip)
    flows[index].pacer.refill(at: now, rate: rate)
    while flows[index].inFlight + Self.datagram <= flows[index].controller.window,
      flows[index].pacer.allowance > 0
    {
      flows[index].pacer.didSend(Self.datagram)
      flows[index].inFlight += Self.datagram
      flows[index].packets.append(Packet(sentAt: now, arrival: enqueue()))
    }
    flows[index].controller.didTransmit(
      bytesInFlight: flows[index].inFlight, isHeldBack: true, at: now)
  }

  private mutating func enqueue() -> Instant? {
    let start = max(now, lineFreeAt)
    guard start - now <= queueLimit else { return nil }
    longestQueue = max(longestQueue, start - now)
    lineFreeAt = start + .seconds(1) * Int64(Self.datagram) / Int64(bytesPerSecond)
    return lineFreeAt + propagation
  }
}
