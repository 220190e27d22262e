public import Primitives

/// An endpoint of an `InMemoryNetwork`. It is a handle: copies of it are the same endpoint.
public struct InMemoryTransport: SynchronousTransport {
  let network: InMemoryNetwork
  let index: Int

  public var capabilities: TransportCapabilities { network.endpoints[index].capabilities }

  public mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    try network.send(payload, from: index, to: destination, options, at: now)
  }

  public mutating func nextEvent() -> TransportEvent? {
    network.nextEvent(of: index)
  }

  /// Gives up what was held back beyond its maximum age.
  public mutating func advance(to now: Instant) {
    network.advance(index, to: now)
  }

  public var deadline: Instant? { network.endpoints[index].expiry }

  public mutating func disconnect(_ peer: PeerID, at now: Instant) {
    guard let link = network.endpoints[index].link(of: peer) else { return }
    network.disconnect(
      index, network.endpoints[index].links[link].remote, reasonHere: .closedByUs,
      reasonThere: .closedByThem)
  }

  public mutating func close(at now: Instant) {
    network.close(index, .closedByUs, reasonHere: .closedByUs, reasonThere: .closedByThem)
  }

  public func statistics(of peer: PeerID) -> TransportStatistics? {
    guard let link = network.endpoints[index].link(of: peer) else { return nil }
    var statistics = network.endpoints[index].links[link].statistics
    statistics.sendQueueBytes = network.endpoints[index].links[link].queuedBytes
    return statistics
  }

  public var statistics: TransportStatistics {
    var statistics = network.endpoints[index].statistics
    statistics.sendQueueBytes = network.endpoints[index].links.reduce(0) { $0 + $1.queuedBytes }
    return statistics
  }
}

/// How much may wait in the queue from one endpoint to one other.
public struct InMemoryQueueLimits: Hashable, Sendable {
  /// The most messages that may wait.
  public var messages: Int
  /// The most bytes of payload that may wait.
  public var bytes: Int

  public init(messages: Int = 4_096, bytes: Int = 1 << 20) {
    precondition(messages > 0 && bytes >= 0, "a queue has room for a message at least")
    self.messages = messages
    self.bytes = bytes
  }
}

extension TransportCapabilities {
  /// All that the interface knows, and messages of up to 64 KiB.
  public static let everything = TransportCapabilities(
    deliveries: Set(Delivery.allCases), maximumMessageSize: 65_536, channelCount: 256,
    numbersMessages: true, acknowledgesMessages: true, supportsMaximumAge: true)

  /// What framed messages over one TCP connection can do: everything is `ordered`, and nobody says
  /// which message has arrived.
  public static let orderedStream = TransportCapabilities(
    deliveries: [.ordered], maximumMessageSize: 65_536, channelCount: 256, numbersMessages: false,
    acknowledgesMessages: false, supportsMaximumAge: false)
}
