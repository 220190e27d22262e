import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

extension EndpointLAN {
  /// A message with a number at its front, and how it fared.
  struct Heard: Equatable {
    var number: Int
    var channel: UInt8
    var time: Instant
  }

  /// Two hosts that are connected, and have been silent for a while.
  static func pair(
    seed: UInt64 = 1, impairment: Impairment = Impairment(delay: .milliseconds(10)),
    configuration: DatagramConfiguration = .init()
  ) throws -> (lan: EndpointLAN, sender: HostID, receiver: HostID) {
    let lan = EndpointLAN(seed: seed, impairment: impairment)
    let (sender, receiver) = (lan.add(1, configuration), lan.add(2, configuration))
    try lan.join(sender, receiver)
    lan.network.run(for: .milliseconds(500))
    return (lan, sender, receiver)
  }

  /// A message of `size` bytes, three of them for its number.
  static func payload(_ number: Int, size: Int) -> [UInt8] {
    DeliveryChecker.payload(number, size: size - 3)
  }

  /// Sends a message whose first bytes are its number.
  @discardableResult
  func send(
    _ number: Int, size: Int = 20, from host: HostID, _ options: SendOptions
  ) -> Result<SendReceipt, SendError> {
    with(host) { endpoint, now in
      Result { () throws(SendError) in
        try endpoint.send(
          Self.payload(number, size: size).span, to: .everyone, options, at: now)
      }
    }
  }

  /// Sends many messages at one instant, before any of them leaves.
  func send(
    _ numbers: Range<Int>, size: Int, channels: [UInt8], from host: HostID,
    _ delivery: Delivery = .ordered
  ) {
    with(host) { endpoint, now in
      for number in numbers {
        let payload = Self.payload(number, size: size)
        for channel in channels {
          _ = try? endpoint.send(
            payload.span, to: .everyone, SendOptions(channel: channel, delivery: delivery), at: now)
        }
      }
    }
  }

  /// All messages that a host was told of, in order.
  func arrivals(at host: HostID) -> [Heard] {
    (told[host] ?? []).compactMap { time, event in
      guard case .message(let message) = event else { return nil }
      return Heard(
        number: DeliveryChecker.number(in: message.payload), channel: message.channel, time: time)
    }
  }

  func statistics(at host: HostID) -> TransportStatistics? {
    with(host) { endpoint, _ in
      let slot = (0..<endpoint.connections.slotCount).first { endpoint.connections.contains($0) }
      return slot.flatMap { endpoint.statistics(of: endpoint.connections[$0].peer) }
    }
  }

  /// Reads the connection of a host that has one.
  func inspect<Result>(_ host: HostID, _ body: (borrowing Connection) -> Result) -> Result? {
    with(host) { endpoint, _ in
      let slot = (0..<endpoint.connections.slotCount).first { endpoint.connections.contains($0) }
      return slot.map { body(endpoint.connections[$0]) }
    }
  }

  /// Has a host read one channel of its only peer, or not.
  func setReceiving(_ isReceiving: Bool, channel: UInt8, at host: HostID) {
    with(host) { endpoint, now in
      let slot = (0..<endpoint.connections.slotCount).first { endpoint.connections.contains($0) }
      guard let slot else { return }
      endpoint.setReceiving(
        isReceiving, from: endpoint.connections[slot].peer, channel: channel, at: now)
    }
  }

  /// Everything that one sends the other is lost while `body` runs.
  func losing(from sender: HostID, to receiver: HostID, _ body: () -> Void) {
    network.setImpairment(Impairment(loss: 1), from: sender, to: receiver)
    body()
    network.setImpairment(nil, from: sender, to: receiver)
  }
}
