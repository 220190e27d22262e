import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct HandshakePacketTests {
  /// One packet of each kind, with all numbers drawn from `seed`.
  private static func packets(seed: UInt64, topicCount: Int = 1) -> [HandshakePacket] {
    var generator = SplitMix64(seed: seed)
    func incarnation() -> Incarnation {
      Incarnation(
        identity: Identity(high: generator.next(), low: generator.next()),
        epoch: generator.next())
    }
    func id() -> ConnectionID { ConnectionID(rawValue: generator.next()) }
    func cookie() -> Cookie {
      Cookie(issuedAt: UInt32(truncatingIfNeeded: generator.next()), tag: generator.next())
    }
    let topics = (0..<topicCount).map { _ in generator.next() }
    return [
      .hello(.init(source: id(), dialler: incarnation(), expected: nil, topics: topics)),
      .challenge(.init(destination: id(), responder: incarnation(), cookie: cookie())),
      .open(
        .init(
          source: id(), dialler: incarnation(), responder: incarnation(), cookie: cookie(),
          topics: topics)),
      .accept(.init(destination: id(), source: id(), responder: incarnation())),
      .probe(.init(sender: incarnation(), nonce: generator.next(), tag: generator.next())),
      .probeReply(.init(sender: incarnation(), nonce: generator.next(), tag: generator.next())),
      .hello(.init(source: id(), dialler: incarnation(), expected: incarnation(), topics: topics)),
    ]
  }

  private func parse(_ datagram: [UInt8]) -> HandshakePacket? {
    HandshakePacket(parsing: datagram.span)
  }

  @Test("Each kind comes back as it was", arguments: 1...8, UInt64(0)..<5)
  func roundTrip(topicCount: Int, seed: UInt64) {
    for packet in Self.packets(seed: seed, topicCount: topicCount) {
      #expect(parse(packet.encoded()) == packet, "seed \(seed)")
    }
  }

  @Test("Whatever is read is written again as the same bytes, damaged or not")
  func damaged() {
    for packet in Self.packets(seed: 3, topicCount: 2) {
      let bytes = packet.encoded()
      for variant in WireBytes.damaged(bytes) {
        guard let parsed = parse(variant) else { continue }
        #expect(parsed != packet)
        #expect(parsed.encoded() == variant)
        #expect(variant.count == bytes.count)
      }
    }
  }

  @Test("Cut or with bytes left over, none is read")
  func exactSize() {
    for packet in Self.packets(seed: 4, topicCount: 3) {
      let bytes = packet.encoded()
      for count in 0..<bytes.count {
        #expect(parse(Array(bytes[..<count])) == nil)
      }
      #expect(parse(bytes + [0]) == nil)
      #expect(parse(bytes + [0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    }
  }

  @Test("Random bytes behind a good start are read as what they say, or not at all")
  func noise() {
    var generator = SplitMix64(seed: 5)
    var count = 0
    for index in 0..<4_000 {
      let start: [UInt8] = [0xC0 | UInt8(index % 16), 2]
      let size = [44, 40, 65, 133, 77, 128][index % 6]
      let bytes = start + WireBytes.random(count: size, from: &generator)
      guard let parsed = parse(bytes) else { continue }
      count += 1
      #expect(parsed.encoded() == bytes)
    }
    #expect(count > 100)
  }

  @Test("Other versions, other types and other first bytes are refused")
  func firstBytes() {
    for packet in Self.packets(seed: 6) {
      let bytes = packet.encoded()
      for version in UInt8.min...UInt8.max where version != 2 && bytes[0] != 0xC6 {
        #expect(parse([bytes[0], version] + bytes[2...]) == nil)
      }
      for type in UInt8(8)...15 {
        #expect(parse([0xC0 | type] + bytes[1...]) == nil)
      }
      for mark in [UInt8(0x00), 0x80, 0xD0, 0xE0, 0xF0] {
        let first = mark | bytes[0] & 0x0F
        #expect(parse([first] + bytes[1...]) == nil)
      }
    }
  }

  @Test("No topic and more than eight are refused")
  func topicCount() {
    let hello = Self.packets(seed: 7, topicCount: 8)[0].encoded()
    let countAt = 2 + 8 + 24 + 24
    #expect(hello[countAt] == 8)
    var none = Array(hello[...countAt])
    none[countAt] = 0
    #expect(parse(none) == nil)
    var nine = hello + [UInt8](repeating: 1, count: 8)
    nine[countAt] = 9
    #expect(parse(nine) == nil)
  }

  @Test("An answer is never larger than its question")
  func amplification() {
    let packets = Self.packets(seed: 8)
    let sizes = packets.map { $0.encoded().count }
    let (hello, challenge, open, accept) = (sizes[0], sizes[1], sizes[2], sizes[3])
    let (probe, reply) = (sizes[4], sizes[5])
    #expect(challenge < hello)
    #expect(accept < open)
    #expect(reply == probe)
    #expect(probe == PathProof.probeSize)
    // The answer to a probe, and a probe of our own: still within three times what came.
    #expect(reply + probe <= 3 * probe)
    // The endpoint keeps to this by itself: a data packet has to be large enough for a probe.
    #expect(probe <= 3 * (PacketHeader.maximumSize + 1))
  }
}
