public import ChatTransport
public import Primitives

/// Sends as fast as the transport takes it, and ends the connection when the time is over.
public struct FloodSender: TransportApplication {
  public private(set) var meter: FloodMeter
  /// Messages that the transport took.
  public private(set) var sent: UInt64 = 0
  public private(set) var isOver = false
  public private(set) var failure: LeaveReason?

  private let plan: FloodPlan
  private var run: FloodRun
  private var peer: PeerID?
  private var isBlocked = false
  private var isClosing = false
  /// When nothing more is sent: some time after the own end, so that the receiver, whose time
  /// starts later, does not run dry before its end.
  private var lastInstant: Instant?
  private static let tail = Interval.milliseconds(200)
  /// Calls in one wake at most: the acknowledgements have to be looked at as well.
  private static let callLimit = 64

  public init(_ plan: FloodPlan) {
    self.plan = plan
    meter = FloodMeter(plan)
    run = FloodRun(size: plan.size, count: plan.batch)
  }

  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() { take(event) }
    guard let peer, !isOver, !isClosing else { return }
    if let lastInstant, now >= lastInstant {
      isClosing = true
      transport.disconnect(peer, at: now)
      return
    }
    var calls = 0
    while !isBlocked, calls < Self.callLimit {
      calls += 1
      do throws(SendError) {
        try send(to: peer, over: &transport, at: now)
      } catch {
        if case .wouldBlock = error { isBlocked = true } else { isOver = true }
        break
      }
    }
    if lastInstant == nil { lastInstant = now + plan.warmUp + plan.duration + Self.tail }
    meter.look(sent, at: now)
  }

  /// Goes on at once where the queue is not full.
  public var deadline: Instant? {
    guard peer != nil, !isOver, !isClosing else { return nil }
    return isBlocked ? lastInstant : .zero
  }

  private mutating func send<Transport: SynchronousTransport & ~Copyable>(
    to peer: PeerID, over transport: inout Transport, at now: Instant
  ) throws(SendError) {
    run.number(from: sent)
    let taken = try handOver(to: peer, over: &transport, at: now)
    sent += UInt64(taken)
    if taken < run.count { isBlocked = true }
  }

  /// Returns how many messages were taken.
  private func handOver<Transport: SynchronousTransport & ~Copyable>(
    to peer: PeerID, over transport: inout Transport, at now: Instant
  ) throws(SendError) -> Int {
    guard plan.batch > 1 else {
      let payload = run.bytes.span.extracting(run.first)
      _ = try transport.send(payload, to: .peer(peer), plan.options, at: now)
      return 1
    }
    return try transport.send(
      run: run.bytes.span, count: run.count, to: .peer(peer), plan.options, at: now)
  }

  private mutating func take(_ event: TransportEvent) {
    switch event {
    case .peerJoined(let joined, _): if peer == nil { peer = joined }
    case .peerLeft(let left, let reason) where left == peer:
      if !isClosing { failure = reason }
      isOver = true
    case .relief: isBlocked = false
    case .closed: isOver = true
    default: break
    }
  }
}
