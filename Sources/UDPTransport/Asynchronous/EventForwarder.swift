import ChatTransport
import Primitives
import SocketDriver

/// The application behind the asynchronous face: hands all events to their reader, and ends the
/// loop after the last one.
struct EventForwarder: TransportApplication {
  /// Whether the transport is being closed by its owner. Then nothing more that could grow without
  /// bound comes in, and a reader who reads no more is no reason to stay.
  var isClosing = false

  /// What other threads want sent.
  var outbox: OutboxReader
  private let events: TransportEvents
  private let loop: EventLoop.Handle
  /// What came in this wake; empty between wakes.
  private var arrived = EventBatch()
  private var hasClosed = false

  init(events: TransportEvents, outbox: OutboxReader, loop: EventLoop.Handle) {
    self.events = events
    self.outbox = outbox
    self.loop = loop
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    guard !hasClosed else { return }
    outbox.drain(into: &transport, at: now)
    guard events.admitsMore() || isClosing else { return }
    // What is left stays in the transport, whose windows hold the peers back.
    let room = isClosing ? Int.max : events.room
    while arrived.count < room, isClosing || arrived.byteCount < TransportEvents.byteLimit {
      _ = transport.moveMessages(atMost: room - arrived.count, to: &arrived)
      guard arrived.count < room, let event = transport.nextEvent() else { break }
      arrived.append(event)
      if case .closed = event { hasClosed = true }
    }
    events.append(&arrived)
    if hasClosed { loop.stop() }
  }

  var deadline: Instant? { nil }
}
