public import ChatTransport
public import Primitives

/// Takes a flood in, and checks the number of every message.
public struct FloodReceiver: TransportApplication, Sendable {
  public private(set) var meter: FloodMeter
  public private(set) var received: UInt64 = 0
  /// Messages that did not follow the one before: none where the delivery keeps order.
  public private(set) var outOfSequence: UInt64 = 0
  /// Messages of another size.
  public private(set) var strange: UInt64 = 0
  public private(set) var isOver = false

  private let size: Int
  private var next: UInt64 = 0

  public init(_ plan: FloodPlan) {
    meter = FloodMeter(plan)
    size = plan.size
  }

  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while true {
      _ = transport.readMessages { payload, _ in take(payload) }
      guard let event = transport.nextEvent() else { break }
      take(event)
    }
    meter.look(received, at: now)
  }

  public var deadline: Instant? { nil }

  /// Takes in an event, for an owner who reads them by itself.
  public mutating func take(_ event: TransportEvent) {
    switch event {
    case .message(let message): take(message.payload.span)
    case .peerLeft, .closed: isOver = true
    default: break
    }
  }

  /// Takes in a message that is lent.
  public mutating func take(_ payload: Span<UInt8>) {
    guard payload.count == size else {
      strange += 1
      return
    }
    var offset = 0
    let number = payload.uint64(at: &offset) ?? 0
    if number != next { outOfSequence += 1 }
    next = number + 1
    received += 1
  }
}
