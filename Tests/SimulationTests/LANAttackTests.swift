import ChatRoom
import ChatTransport
import NetworkEmulator
import PeerDiscovery
import Primitives
import Testing

@testable import DatagramPeer

/// Whole programs, with discovery and a room, among strangers who forge what they like.
struct LANAttackTests {
  private func replay(_ seed: UInt64) -> String { Seeds.replay(seed, "LANAttackTests") }

  private static let topic = Topic(hash: RoomHash(of: "lan").rawValue)

  private func beacon(
    _ kind: Beacon.Kind, _ identity: Identity, epoch: UInt64 = 1, name: String = "X"
  ) -> [UInt8] {
    let beacon = Beacon(
      kind: kind, incarnation: Incarnation(identity: identity, epoch: epoch),
      nextInMilliseconds: 2_000, topics: [Self.topic], name: name)
    return [UInt8](capacity: 512) { beacon.emit(into: &$0) }
  }

  private func arrival(
    _ lan: ChatLAN, at host: HostID, from remote: IPAddress, port: UInt16,
    to local: IPAddress? = nil, hopLimit: UInt8 = 1
  ) -> Arrival {
    let configuration = lan.network.configuration(of: host)
    return Arrival(
      path: Path(
        remote: SocketAddress(ip: remote, port: port), local: local ?? configuration.address().ip,
        interface: configuration.interfaces[0].index),
      hopLimit: hopLimit)
  }

  @Test(arguments: Seeds.some(4))
  func `in a busy network nobody is sent more than three times what he sent`(seed: UInt64) {
    let lan = ChatLAN(
      seed: seed,
      impairment: Impairment(
        loss: 0.2, delay: .milliseconds(5), jitter: .milliseconds(5), duplicate: 0.1, reorder: 0.1))
    let checker = AmplificationChecker()
    lan.network.tap = { checker.observe($0) }
    var hosts: [HostID] = []
    for number in UInt64(1)...6 {
      hosts.append(lan.add(number, segments: number % 2 == 0 ? [0] : [0, 1]))
      checker.watch(hosts[hosts.count - 1])
      lan.network.run(for: .milliseconds(500))
    }
    lan.network.run(for: .seconds(5))
    lan.restart(hosts[0], as: 1, epoch: 2)
    checker.watch(hosts[0])
    lan.leave(hosts[5])
    for number in 0..<20 {
      for host in hosts { lan.say("\(number)", at: host) }
      lan.network.run(for: .milliseconds(300))
    }
    #expect(checker.violations.isEmpty, "\(checker.violations.prefix(3)); \(replay(seed))")
    #expect(lan.isComplete(Array(hosts[..<5])), "\(replay(seed))")
  }

  /// An answer is short, and may bring a hello that is longer, though not three times as long.
  @Test("A forged beacon brings its victim one datagram at most, and no larger one")
  func forgedBeacons() {
    let lan = ChatLAN(seed: 1, impairment: Impairment(delay: .milliseconds(1)))
    let (host, peer) = (lan.add(1), lan.add(2))
    let victim = lan.network.addSilentHost(.numbered(9, port: 53))
    lan.network.run(for: .seconds(10))
    let known = lan.network.withMachine(peer) { node, _ in node.peer.endpoint.local }
    let address = lan.network.configuration(of: victim).address()
    var generator = SplitMix64(seed: 1)
    var sentInAll = 0
    for round in 0..<300 {
      let identity =
        round % 3 == 0
        ? known.identity : Identity(high: generator.next(), low: generator.next())
      let kind = Beacon.Kind.allCases[round % 5]
      let bytes = beacon(kind, identity, epoch: UInt64(round % 2 + 1))
      let before = lan.network.traffic(from: host, to: address)
      lan.network.inject(
        bytes, into: host,
        arrival: arrival(
          lan, at: host, from: address.ip, port: address.port,
          to: round % 2 == 0 ? LANDefaults.ipv4Group : nil))
      lan.network.run(for: .milliseconds(1_100))
      let after = lan.network.traffic(from: host, to: address)
      #expect(after.datagrams - before.datagrams <= 1)
      let limit = kind.isAnswerable ? bytes.count : kind == .answer ? bytes.count * 3 : 0
      #expect(after.bytes - before.bytes <= limit, "\(kind)")
      sentInAll += after.datagrams - before.datagrams
    }
    #expect(sentInAll > 50, "the beacons were believed by nobody")
    #expect(lan.isComplete([host, peer]))
    lan.say("still here", at: peer)
    lan.network.run(for: .seconds(1))
    #expect(lan.lines(at: host) == ["+P2", "P2: still here"])
  }

  @Test(arguments: Seeds.some(2))
  func `a flood of forged beacons keeps nobody from finding others`(seed: UInt64) {
    let lan = ChatLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    var hosts = [lan.add(1), lan.add(2)]
    var generator = SplitMix64(seed: seed)
    func flood() {
      for host in hosts {
        for _ in 0..<10 {
          let identity = Identity(high: generator.next() >> 1, low: generator.next())
          let remote = IPAddress(
            ipv4: 0x0A00_0000 | UInt32.random(in: 300..<65_000, using: &generator))
          lan.network.inject(
            beacon(.announcement, identity), into: host,
            arrival: arrival(lan, at: host, from: remote, port: 9, to: LANDefaults.ipv4Group))
        }
      }
      lan.network.run(for: .milliseconds(20))
    }
    for _ in 0..<100 { flood() }
    hosts.append(lan.add(3))
    for _ in 0..<150 { flood() }
    #expect(lan.isComplete(hosts), "\(replay(seed))")
  }

  @Test("Damaged copies of everything do no harm to whole programs", arguments: Seeds.some(2))
  func damage(seed: UInt64) throws {
    let lan = ChatLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    var record: [CapturedDatagram] = []
    lan.network.tap = { if $0.event == .delivered { record.append($0) } }
    let hosts = [lan.add(1), lan.add(2)]
    lan.network.run(for: .seconds(3))
    for number in 0..<4 {
      for host in hosts { lan.say("early \(number)", at: host) }
      lan.network.run(for: .milliseconds(200))
    }
    lan.network.run(for: .seconds(5))
    lan.network.tap = nil
    let before = hosts.map { lan.lines(at: $0).count }
    #expect(Set(record.map { $0.bytes[0] }).isSuperset(of: [0xD0, 0xC0, 0xC1, 0xC2, 0xC3, 0x82]))
    var generator = SplitMix64(seed: seed)
    for datagram in record {
      for _ in 0..<12 {
        var bytes = datagram.bytes
        if Bool.random(using: &generator) {
          bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        } else {
          // Not the number of a packet: who knows the connection's name may say anything in it.
          let isData = bytes[0] & 0xC0 == 0x80
          let index = Int.random(in: (isData ? 12 : 0)..<bytes.count, using: &generator)
          bytes[index] ^= UInt8.random(in: 1...255, using: &generator)
        }
        for host in hosts {
          for source in [datagram.source.ip, IPAddress(10, 0, 7, 7)] {
            lan.network.inject(
              bytes, into: host,
              arrival: arrival(
                lan, at: host, from: source, port: datagram.source.port,
                to: datagram.destination.ip.isMulticast ? datagram.destination.ip : nil))
          }
        }
      }
      lan.network.run(for: .milliseconds(20))
    }
    lan.network.run(for: .seconds(10))
    for number in 0..<20 { for host in hosts { lan.say("late \(number)", at: host) } }
    lan.network.run(for: .seconds(3))
    for (index, host) in hosts.enumerated() {
      let lines = lan.lines(at: host).dropFirst(before[index])
      #expect(lines == (0..<20).map { "P\(2 - index): late \($0)" }[...], "\(replay(seed))")
    }
  }
}
