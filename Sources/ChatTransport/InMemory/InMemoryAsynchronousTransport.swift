import Primitives

/// An endpoint of an `InMemoryLoop`: the asynchronous face of `InMemoryTransport`.
public final class InMemoryAsynchronousTransport: AsynchronousTransport {
  public let capabilities: TransportCapabilities
  public let events: AsyncStream<TransportEvent>
  private let loop: InMemoryLoop
  private let index: Int

  init(
    loop: InMemoryLoop, index: Int, capabilities: TransportCapabilities,
    events: AsyncStream<TransportEvent>
  ) {
    self.loop = loop
    self.index = index
    self.capabilities = capabilities
    self.events = events
  }

  public func perform<Operation: TransportOperation>(
    _ operation: Operation
  ) async -> Operation.Output {
    await loop.perform(operation, over: index)
  }

  public func close() async {
    await perform(Closing())
  }
}

private struct Closing: TransportOperation {
  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    transport.close(at: now)
  }
}
