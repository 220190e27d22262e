public import ChatTransport
public import Primitives

/// The other end of all flows of a stream.
public struct StreamReceiver: TransportApplication {
  public private(set) var recorder: StreamRecorder
  /// When it stops waiting for what is missing.
  public var end: Instant
  public private(set) var isOver = false
  /// How many connections ended while it was not over.
  public private(set) var departures = 0

  public init(_ plan: StreamPlan, end: Instant) {
    recorder = StreamRecorder(plan)
    self.end = end
  }

  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while true {
      _ = transport.readMessages { payload, _ in recorder.take(payload, at: now) }
      guard let event = transport.nextEvent() else { break }
      switch event {
      case .message(let message): recorder.take(message.payload.span, at: now)
      case .peerLeft: departures += isOver ? 0 : 1
      case .closed: isOver = true
      default: break
      }
    }
    if recorder.isComplete || now >= end { isOver = true }
  }

  public var deadline: Instant? { isOver ? nil : end }
}
