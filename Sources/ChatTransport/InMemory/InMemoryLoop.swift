public import Primitives

/// An `InMemoryNetwork` for tasks: this actor stands for the loop thread of a real transport, and
/// its endpoints are `InMemoryAsynchronousTransport`s. Time passes only by `advance`.
public actor InMemoryLoop {
  private let network = InMemoryNetwork()
  private var endpoints: [Endpoint] = []
  private var now = Instant.zero

  private struct Endpoint {
    var transport: InMemoryTransport
    var events: AsyncStream<TransportEvent>.Continuation
  }

  public init() {}

  /// Adds an endpoint; see `InMemoryNetwork.join`.
  public func join(
    as incarnation: Incarnation? = nil, path: Path? = nil,
    capabilities: TransportCapabilities = .everything,
    limits: InMemoryQueueLimits = InMemoryQueueLimits(), isConnected: Bool = true
  ) -> InMemoryAsynchronousTransport {
    let (stream, continuation) = AsyncStream.makeStream(of: TransportEvent.self)
    let transport = network.join(
      as: incarnation, path: path, capabilities: capabilities, limits: limits,
      isConnected: isConnected)
    endpoints.append(Endpoint(transport: transport, events: continuation))
    tellAll()
    return InMemoryAsynchronousTransport(
      loop: self, index: endpoints.count - 1, capabilities: capabilities, events: stream)
  }

  /// Lets time pass.
  public func advance(to instant: Instant) {
    precondition(instant >= now, "time does not run backwards")
    now = instant
    for index in endpoints.indices { endpoints[index].transport.advance(to: now) }
    tellAll()
  }

  /// Lets `interval` pass.
  public func advance(by interval: Interval) {
    advance(to: now + interval)
  }

  /// Does something with the network below, such as holding messages back. The endpoints come in
  /// the order in which they joined.
  public func control(_ body: @Sendable (InMemoryNetwork, [InMemoryTransport]) -> Void) {
    body(network, endpoints.map(\.transport))
    tellAll()
  }

  func perform<Operation: TransportOperation>(
    _ operation: Operation, over index: Int
  ) -> Operation.Output {
    defer { tellAll() }
    return operation(over: &endpoints[index].transport, at: now)
  }

  /// Moves every event to its reader. An acknowledgement is an event too, so it goes on until no
  /// endpoint has any.
  private func tellAll() {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for index in endpoints.indices {
        while let event = endpoints[index].transport.nextEvent() {
          isQuiet = false
          endpoints[index].events.yield(event)
          if case .closed = event { endpoints[index].events.finish() }
        }
      }
    }
  }
}
