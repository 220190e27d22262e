import ChatTransport
import Primitives
import SocketDriver

/// The application behind the asynchronous face: hands all events to their reader, and ends the
/// loop after the last one.
struct EventForwarder: TransportApplication {
  private let events: TransportEvents
  private let loop: EventLoop.Handle
  private var hasClosed = false
  private var waiters: [() -> Void] = []

  init(events: TransportEvents, loop: EventLoop.Handle) {
    self.events = events
    self.loop = loop
  }

  /// Has `body` called when the last event has been handed over.
  mutating func whenClosed(_ body: @escaping () -> Void) {
    if hasClosed { body() } else { waiters.append(body) }
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    guard !hasClosed, events.hasRoom else { return }
    var batch: [TransportEvent] = []
    while let event = transport.nextEvent() {
      batch.append(event)
      if case .closed = event { hasClosed = true }
    }
    events.append(batch)
    guard hasClosed else { return }
    events.end()
    loop.stop()
    for waiter in waiters { waiter() }
    waiters = []
  }

  var deadline: Instant? { nil }
}
