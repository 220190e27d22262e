import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Bytes that nobody honest would send, given to whole machines in the middle of a conversation.
struct HostileInputTests {
  /// All that arrived in a short conversation, in which every kind of packet and frame occurs.
  private static func converse(
    _ lan: EndpointLAN, _ first: HostID, _ second: HostID
  ) throws -> [CapturedDatagram] {
    lan.isCapturing = true
    try lan.join(first, second)
    let path = lan.network.path(from: first, to: second, .ipv6)
    lan.noteCandidate(Pair.incarnation(3), on: path, at: first)
    for number in UInt8(0)..<6 {
      for delivery in Delivery.allCases { lan.send([number, 1, 2], from: first, delivery) }
      lan.send(Array(repeating: number, count: 40), from: second)
      lan.network.run(for: .milliseconds(100))
    }
    lan.network.run(for: .seconds(5))
    let record = lan.stopCapturing().filter { $0.event == .delivered }
    // Data packets, and the six kinds of handshake packets.
    #expect(Set(record.map { $0.bytes[0] }).count == 7)
    return record
  }

  /// Every prefix of a datagram, every byte changed in three ways, and something behind it.
  private static func variants(of bytes: [UInt8], _ generator: inout SplitMix64) -> [[UInt8]] {
    var variants = (0..<bytes.count).map { Array(bytes[..<$0]) }
    for index in bytes.indices {
      for change in [1, 0x80, UInt8.random(in: 1...255, using: &generator)] {
        var changed = bytes
        changed[index] ^= change
        variants.append(changed)
      }
    }
    variants.append(bytes + [0])
    variants.append(bytes + Array(repeating: 0xFF, count: 1_200))
    return variants
  }

  /// Whether these bytes are a data packet of this connection under a number that was not used: who
  /// can write that knows the connection identifier, and may say anything.
  private func isNewPacket(_ bytes: [UInt8], like original: [UInt8]) -> Bool {
    original[0] & 0xC0 == 0x80 && bytes.count >= 12 && bytes[1..<9] == original[1..<9]
      && (bytes[0] != original[0] || bytes[9..<12] != original[9..<12])
  }

  private func say(_ lan: EndpointLAN, _ hosts: [HostID], _ replay: String) {
    let before = hosts.map { lan.payloads(at: $0).count }
    for number in UInt8(0)..<20 { for host in hosts { lan.send([number], from: host) } }
    lan.network.run(for: .seconds(3))
    for (host, count) in zip(hosts, before) {
      #expect(lan.payloads(at: host).dropFirst(count) == (0..<20).map { [$0] }[...], "\(replay)")
      #expect(lan.leaves(at: host) == [], "\(replay)")
      #expect(lan.joins(at: host).count == 1, "\(replay)")
    }
    lan.check(replay)
  }

  @Test("Damaged copies do no harm, wherever they come from", arguments: Seeds.some(2))
  func damage(seed: UInt64) throws {
    let replay = Seeds.replay(seed, "HostileInputTests")
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    let (first, second) = (lan.add(5), lan.add(3))
    let stranger = lan.network.configuration(of: lan.addSilent(7)).address()
    let record = try Self.converse(lan, first, second)
    var generator = SplitMix64(seed: seed)
    var count = 0
    for datagram in record {
      for bytes in Self.variants(of: datagram.bytes, &generator)
      where !isNewPacket(bytes, like: datagram.bytes) {
        guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
        for host in [first, second] {
          for source in [datagram.source, stranger] { lan.forge(bytes, into: host, from: source) }
        }
        count += 1
      }
      lan.network.run(for: .milliseconds(5))
    }
    #expect(count > 1_000)
    lan.network.run(for: .seconds(10))
    say(lan, [first, second], replay)
  }

  @Test("Random bytes do no harm", arguments: Seeds.some(2))
  func noise(seed: UInt64) throws {
    let replay = Seeds.replay(seed, "HostileInputTests")
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    let (first, second) = (lan.add(5), lan.add(3))
    let record = try Self.converse(lan, first, second)
    var generator = SplitMix64(seed: seed)
    let starts = record.map { Array($0.bytes.prefix(2)) } + [[], [0xC6, 1], [0xC0, 2]]
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...120, using: &generator)
      let bytes =
        (starts.randomElement(using: &generator) ?? [])
        + (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      lan.forge(
        bytes, into: first, from: lan.network.configuration(of: second).address())
    }
    lan.network.run(for: .seconds(1))
    say(lan, [first, second], replay)
  }

  /// Who knows the identifier of a connection can ruin that connection, and nothing else.
  @Test(
    "Packets of one who knows the identifier never trap, and harm no other peer",
    arguments: Seeds.some(3))
  func insider(seed: UInt64) throws {
    let replay = Seeds.replay(seed, "HostileInputTests")
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(1)))
    let (first, second) = (lan.add(5), lan.add(3))
    let other = lan.add(4)
    let record = try Self.converse(lan, first, second)
    lan.connect(other, to: first)
    lan.network.run(for: .seconds(1))
    var generator = SplitMix64(seed: seed)
    let peer = lan.network.configuration(of: second).address()
    let frames = record.filter { $0.bytes[0] & 0xC0 == 0x80 }.map { Array($0.bytes.dropFirst(12)) }
    func identifier() -> ConnectionID? {
      lan.identifiers(at: first).first { $0.remote == Pair.incarnation(3) }?.localID
    }
    var connections: Set<ConnectionID> = []
    for round in 0..<400 {
      if identifier() == nil {
        _ = lan.network.run(until: lan.network.now + .seconds(10)) { identifier() != nil }
      }
      let id = try #require(identifier(), "not found again; \(replay)")
      connections.insert(id)
      for _ in 0..<10 {
        var body = HostileFrames.random(&generator)
        if round % 2 == 0, let recorded = frames.randomElement(using: &generator) {
          body = Self.variants(of: recorded, &generator).randomElement(using: &generator) ?? []
        }
        // Most are next in turn, some far away.
        let number = UInt64.random(in: 0..<(round % 8 == 0 ? 1 << 24 : 1 << 9), using: &generator)
        let header = PacketHeader(destination: id, number: number, largestAcknowledged: nil)
        lan.forge(HostileFrames.packet(header, body), into: first, from: peer)
      }
      lan.send([9], from: first)
      lan.network.run(for: .milliseconds(10))
    }
    #expect(connections.count > 1, "\(replay)")
    lan.network.run(for: .seconds(20))
    #expect(lan.leaves(at: other) == [], "\(replay)")
    let before = lan.payloads(at: other).count
    for number in UInt8(0)..<20 { lan.send([number], from: first) }
    lan.network.run(for: .seconds(2))
    #expect(lan.payloads(at: other).dropFirst(before) == (0..<20).map { [$0] }[...], "\(replay)")
    lan.check(replay)
  }
}
