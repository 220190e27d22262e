public import ChatTransport
public import Primitives

/// One flow of a stream, over a connection of its own.
public struct StreamSender: TransportApplication {
  public let plan: StreamPlan
  public let flow: Int
  /// Messages that the transport took.
  public private(set) var sent: UInt32 = 0
  /// Whether there is nothing more to be sent, or nobody to send it to.
  public private(set) var isOver = false
  /// Why the connection ended before all was sent.
  public private(set) var failure: LeaveReason?

  private let options: SendOptions
  private let start: StreamStart
  private var peer: PeerID?
  /// Whether the queue is full; the schedule goes on meanwhile.
  private var isBlocked = false
  private var payload: [UInt8]

  public init(_ plan: StreamPlan, flow: Int, options: SendOptions, start: StreamStart) {
    self.plan = plan
    self.flow = flow
    self.options = options
    self.start = start
    payload = [UInt8](repeating: 0, count: plan.size)
  }

  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() { take(event, at: now) }
    guard let peer, !isOver else { return }
    while !isBlocked, let due = deadline, due <= now {
      let message = StreamMessage(flow: UInt32(flow), sequence: sent, scheduled: due)
      var span = payload.mutableSpan
      message.write(over: &span)
      do throws(SendError) {
        _ = try transport.send(payload.span, to: .peer(peer), options, at: now)
        sent += 1
      } catch {
        if case .wouldBlock = error { isBlocked = true } else { isOver = true }
      }
    }
    if sent == plan.messagesPerFlow { isOver = true }
  }

  public var deadline: Instant? {
    guard let instant = start.instant, !isOver, !isBlocked, sent < plan.messagesPerFlow else {
      return nil
    }
    return plan.due(flow: flow, sequence: sent, start: instant)
  }

  private mutating func take(_ event: TransportEvent, at now: Instant) {
    switch event {
    case .peerJoined(let joined, _):
      guard peer == nil else { return }
      peer = joined
      start.join(at: now)
    case .peerLeft(let left, let reason) where left == peer:
      if !isOver { failure = reason }
      isOver = true
    case .relief: isBlocked = false
    case .closed: isOver = true
    default: break
    }
  }
}
