import ChatRoom
import ChatTransport
import NetworkEmulator
import PeerDiscovery
import Primitives

/// A local network of people who chat, in virtual time, with a record of what each was shown.
final class ChatLAN {
  let network: VirtualNetwork<ChatNode>
  private(set) var shown: [HostID: [(time: Instant, event: RoomEvent)]] = [:]

  init(seed: UInt64, impairment: Impairment = .none) {
    network = VirtualNetwork(seed: seed, impairment: impairment)
    network.onActivity = { [unowned self] host, node, now in
      while let event = node.room.nextEvent() {
        shown[host, default: []].append((time: now, event: event))
      }
    }
  }

  static let groups = [
    SocketAddress(ip: LANDefaults.ipv4Group, port: LANDefaults.port),
    SocketAddress(ip: LANDefaults.ipv6Group, port: LANDefaults.port),
  ]

  /// Somebody starts the program.
  @discardableResult
  func add(
    _ number: UInt64, name: String? = nil, room: String = "lan", delivery: Delivery = .reliable,
    segments: [Int] = [0]
  ) -> HostID {
    let configuration = HostConfiguration.numbered(
      Int(number), on: segments, groups: Self.groups)
    return network.addHost(configuration) { seed, now in
      ChatNode(
        number, name: name, roomName: room, delivery: delivery,
        interfaces: configuration.interfaces, seed: seed, now: now)
    }
  }

  /// The program on a host crashes and is started again.
  func restart(_ host: HostID, as number: UInt64, epoch: UInt64) {
    let interfaces = network.configuration(of: host).interfaces
    network.restartHost(host) { seed, now in
      ChatNode(number, epoch: epoch, interfaces: interfaces, seed: seed, now: now)
    }
  }

  func say(_ text: String, at host: HostID) {
    network.withMachine(host) { node, now in
      _ = try? node.room.say(text, over: &node.peer, at: now)
    }
  }

  func leave(_ host: HostID) {
    network.withMachine(host) { node, now in node.room.leave(over: &node.peer, at: now) }
  }

  func memberCount(at host: HostID) -> Int {
    network.withMachine(host) { node, _ in node.room.members.count }
  }

  /// Whether each of these sees all the others and nobody else.
  func isComplete(_ hosts: [HostID]) -> Bool {
    hosts.allSatisfy { memberCount(at: $0) == hosts.count - 1 }
  }

  /// What a host was shown, as lines of text.
  func lines(at host: HostID) -> [String] {
    (shown[host] ?? []).compactMap { line(for: $0.event) }
  }

  /// The first time a host was shown a line.
  func time(of line: String, at host: HostID) -> Instant? {
    (shown[host] ?? []).first { self.line(for: $0.event) == line }?.time
  }

  private func line(for event: RoomEvent) -> String? {
    switch event {
    case .joined(let member): "+\(member.name)"
    case .left(let member, let reason): "-\(member.name) \(reason)"
    case .message(let message): "\(message.from.name): \(message.text)"
    case .gap(let member, let missing): "(\(missing.count) from \(member.name))"
    case .plain, .delivered, .undelivered, .closed: nil
    }
  }
}
