import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Several ways to one peer: each is proven before it is used, and one that dies costs nothing.
struct PathSimulationTests {
  /// Two hosts on two segments, with IPv4 and IPv6 on each: four paths.
  private static func makeLAN(seed: UInt64) throws -> (EndpointLAN, HostID, HostID) {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(2)))
    let hosts = [lan.add(1, segments: [0, 1]), lan.add(2, segments: [0, 1])]
    try lan.join(hosts[0], hosts[1])
    return (lan, hosts[0], hosts[1])
  }

  private static let others: [(segment: Int, family: IPAddress.Family)] = [
    (0, .ipv6), (1, .ipv4), (1, .ipv6),
  ]

  private func paths(_ lan: EndpointLAN, at host: HostID) -> [Path] {
    lan.with(host) { endpoint, _ in
      endpoint.connections.contains(0) ? endpoint.connections[0].paths.validated : []
    }
  }

  private func current(_ lan: EndpointLAN, at host: HostID) -> Path? {
    lan.with(host) { endpoint, _ in
      endpoint.connections.contains(0) ? endpoint.connections[0].paths.current : nil
    }
  }

  /// Every order in which the three other paths can have been found.
  static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  @Test(
    "Where the path in use dies, alone or with another, a living one is found", arguments: orders,
    [false, true])
  func death(order: [Int], isWholeInterface: Bool) throws {
    let (lan, first, second) = try Self.makeLAN(seed: 1)
    for number in order {
      let (segment, family) = Self.others[number]
      for (host, other, identity) in [(first, second, UInt64(2)), (second, first, UInt64(1))] {
        let path = lan.network.path(from: host, to: other, family, on: segment)
        lan.noteCandidate(Pair.incarnation(identity), on: path, at: host)
      }
      lan.network.run(for: .seconds(1))
    }
    #expect(paths(lan, at: first).count == 4 && paths(lan, at: second).count == 4)
    // The path in use is the one that was heard last.
    for host in [first, second] { lan.send([0], from: host) }
    lan.network.run(for: .seconds(1))
    let dead = lan.network.configuration(of: second).interfaces[0].index
    if isWholeInterface {
      lan.network.setInterface(dead, of: second, isUp: false)
    } else {
      lan.network.setImpairment(Impairment(loss: 1), between: first, and: second, on: 0)
    }
    for number in UInt8(1)..<40 {
      for host in [first, second] { lan.send([number], from: host) }
      lan.network.run(for: .milliseconds(100))
    }
    // Not until the connection is almost given up, but within a few probes.
    lan.network.run(for: .seconds(2))
    for host in [first, second] {
      #expect(lan.payloads(at: host) == (0..<40).map { [$0] })
      #expect(lan.leaves(at: host) == [])
    }
    lan.network.run(for: .seconds(30))
    for host in [first, second] { #expect(lan.leaves(at: host) == []) }
    lan.check("")
  }

  @Test
  func `no data goes by a path that has not answered`() throws {
    let (lan, first, second) = try Self.makeLAN(seed: 1)
    lan.network.setImpairment(Impairment(loss: 1), from: second, to: first, on: 1)
    lan.isCapturing = true
    for _ in 0..<10 {
      let path = lan.network.path(from: first, to: second, on: 1)
      lan.noteCandidate(Pair.incarnation(2), on: path, at: first)
      lan.send([1], from: first)
      lan.network.run(for: .seconds(1))
    }
    #expect(paths(lan, at: first).count == 1)
    let address = lan.network.configuration(of: second).address(on: 1)
    let sent = lan.stopCapturing().filter { $0.event == .sent && $0.destination.ip == address.ip }
    #expect(sent.count == 10)
    #expect(sent.allSatisfy { $0.bytes.count == PathProof.probeSize && $0.bytes[0] == 0xC4 })
    lan.check("")
  }

  @Test
  func `a peer's new address is followed, and only once it has answered`() throws {
    let (lan, first, second) = try Self.makeLAN(seed: 1)
    // A router between them gives the second a new address from now on.
    let router = lan.addSilent(9)
    let (old, new) = (
      lan.network.configuration(of: second).address(),
      lan.network.configuration(of: router).address()
    )
    let firstAddress = lan.network.configuration(of: first).address()
    lan.network.setImpairment(Impairment(loss: 1), between: first, and: second)
    func translate(passesBack: Bool) {
      for datagram in lan.stopCapturing() {
        if datagram.event == .sent, datagram.sender == second {
          lan.forge(datagram.bytes, into: first, from: new)
        }
        if passesBack, datagram.event == .delivered, datagram.receiver == router {
          lan.forge(datagram.bytes, into: second, from: firstAddress)
        }
      }
      lan.isCapturing = true
      lan.network.run(for: .milliseconds(2))
    }
    lan.isCapturing = true
    lan.send([1], from: second)
    for _ in 0..<200 { translate(passesBack: false) }
    // Anybody might have sent that from there.
    #expect(lan.payloads(at: first) == [])
    #expect(current(lan, at: first)?.remote == old)
    #expect(lan.network.traffic(from: first, to: new).bytes == PathProof.probeSize)
    for _ in 0..<600 { translate(passesBack: true) }
    #expect(current(lan, at: first)?.remote == new)
    #expect(lan.payloads(at: first) == [[1]])
    lan.send([2], from: first)
    for _ in 0..<600 { translate(passesBack: true) }
    #expect(lan.payloads(at: second) == [[2]])
    for host in [first, second] { #expect(lan.leaves(at: host) == []) }
    lan.check("")
  }

  @Test
  func `probes and answers that are forged or spent prove nothing`() throws {
    let (lan, first, second) = try Self.makeLAN(seed: 1)
    lan.isCapturing = true
    let path = lan.network.path(from: first, to: second, on: 1)
    lan.noteCandidate(Pair.incarnation(2), on: path, at: first)
    lan.network.run(for: .seconds(1))
    let packets = lan.stopCapturing().filter { $0.event == .sent }
      .compactMap { HandshakePacket(parsing: $0.bytes.span) }
    let stranger = lan.addSilent(9)
    let address = lan.network.configuration(of: stranger).address()
    let before = (paths(lan, at: first), paths(lan, at: second))
    #expect(before.0.count == 2 && before.1.count == 2)
    var forged: [HandshakePacket] = []
    for packet in packets {
      // What was sent, spent as it is.
      forged.append(packet)
      guard case .probeReply(let reply) = packet else { continue }
      for bit in 0..<64 {
        var other = reply
        other.tag ^= 1 << UInt64(bit)
        forged.append(.probeReply(other))
        forged.append(.probe(other))
        other = reply
        other.nonce ^= 1 << UInt64(bit)
        forged.append(.probeReply(other))
        forged.append(.probe(other))
      }
      var other = reply
      other.sender.epoch += 1
      forged.append(.probeReply(other))
    }
    for packet in forged {
      for host in [first, second] {
        for source in [
          address, lan.network.configuration(of: host == first ? second : first).address(on: 1),
        ] {
          lan.forge(packet.encoded(), into: host, from: source)
        }
      }
      lan.network.run(for: .milliseconds(10))
    }
    lan.network.run(for: .seconds(5))
    #expect(paths(lan, at: first) == before.0 && paths(lan, at: second) == before.1)
    // A probe that is genuine and comes from elsewhere is answered, and asked back; no more.
    let traffic = lan.network.traffic(from: first, to: address)
    #expect(traffic.datagrams <= 3 * 2)
    lan.check("")
  }
}
