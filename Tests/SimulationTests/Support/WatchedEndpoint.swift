import DatagramPeer
import Primitives

/// An endpoint whose keeping of the contract is watched while it runs.
struct WatchedEndpoint: ~Copyable, DatagramMachine {
  var endpoint: DatagramEndpoint
  /// Whether its user reads the events.
  var isRead = true
  /// How often a deadline stood in the past although `advance` had been called and all datagrams
  /// had been pulled.
  private(set) var staleDeadlineCount = 0
  private(set) var advanceCount = 0
  private var hasAdvanced = false

  init(_ endpoint: consuming DatagramEndpoint) {
    self.endpoint = endpoint
  }

  mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    endpoint.receive(datagram, arrival: arrival, at: now)
  }

  mutating func advance(to now: Instant) {
    endpoint.advance(to: now)
    advanceCount += 1
    hasAdvanced = true
  }

  mutating func nextTransmit(
    into buffer: inout OutputSpan<UInt8>, at now: Instant
  ) -> Transmit? {
    let transmit = endpoint.nextTransmit(into: &buffer, at: now)
    if transmit == nil, hasAdvanced {
      hasAdvanced = false
      if let deadline = endpoint.deadline, deadline <= now { staleDeadlineCount += 1 }
    }
    return transmit
  }

  /// After many stale ones the endpoint is left alone, so that the run ends and can say so.
  var deadline: Instant? { staleDeadlineCount < 1_000 ? endpoint.deadline : nil }
}
