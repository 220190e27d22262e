import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

/// Two endpoints on an emulated network, with a record of what each was told.
final class Pair {
  let network: VirtualNetwork<DatagramEndpoint>
  let first: HostID
  let second: HostID
  private(set) var events: [HostID: [TransportEvent]] = [:]
  private var peers: [HostID: PeerID] = [:]

  init(
    seed: UInt64, impairment: Impairment = .none, configuration: DatagramConfiguration = .init()
  ) {
    network = VirtualNetwork(seed: seed, impairment: impairment)
    let make = { (number: UInt64) in
      { (seed: UInt64, _: Instant) in
        DatagramEndpoint(
          configuration: configuration, local: Pair.incarnation(number),
          secret: Secret(seed: seed))
      }
    }
    first = network.addHost(.numbered(1), makeMachine: make(1))
    second = network.addHost(.numbered(2), makeMachine: make(2))
    network.onActivity = { [unowned self] host, endpoint, _ in
      while let event = endpoint.nextEvent() {
        events[host, default: []].append(event)
        if case .peerJoined(let peer, _) = event { peers[host] = peer }
        if case .peerLeft(let peer, _) = event, peers[host] == peer { peers[host] = nil }
      }
    }
  }

  static func incarnation(_ number: UInt64, epoch: UInt64 = 1) -> Incarnation {
    Incarnation(identity: Identity(high: 0, low: number), epoch: epoch)
  }

  /// Has the first call the second, and runs until both have a peer. False where that takes too
  /// long.
  func connect(within limit: Interval = .seconds(30)) -> Bool {
    let path = network.path(from: first, to: second)
    network.withMachine(first) { endpoint, now in endpoint.connect(to: path, at: now) }
    return network.run(until: network.now + limit) {
      peer(of: first) != nil && peer(of: second) != nil
    }
  }

  /// The peer that a host has now.
  func peer(of host: HostID) -> PeerID? { peers[host] }

  func messages(at host: HostID) -> [ReceivedMessage] {
    (events[host] ?? []).compactMap {
      guard case .message(let message) = $0 else { return nil }
      return message
    }
  }

  func forgetEvents() { events.removeAll() }

  @discardableResult
  func send(
    _ payload: [UInt8], from host: HostID, _ delivery: Delivery = .ordered, channel: UInt8 = 0
  ) -> Result<SendReceipt, SendError> {
    network.withMachine(host) { endpoint, now in
      Result { () throws(SendError) in
        try endpoint.send(
          payload.span, to: .everyone, SendOptions(channel: channel, delivery: delivery), at: now)
      }
    }
  }
}
