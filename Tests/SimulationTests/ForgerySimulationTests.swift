import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Attackers who can forge every address but see nothing that is not sent to them.
struct ForgerySimulationTests {
  private static func makeLAN(seed: UInt64 = 1) throws -> (EndpointLAN, HostID, HostID) {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(2)))
    let (first, second) = (lan.add(5), lan.add(3))
    try lan.join(first, second)
    return (lan, first, second)
  }

  /// Each side still hears the other, in order and once, and neither has left.
  private func expectUnharmed(_ lan: EndpointLAN, _ first: HostID, _ second: HostID) {
    let before = [first, second].map { lan.payloads(at: $0).count }
    for number in UInt8(0)..<20 { for host in [first, second] { lan.send([number], from: host) } }
    lan.network.run(for: .seconds(3))
    for (host, count) in zip([first, second], before) {
      #expect(lan.payloads(at: host).dropFirst(count) == (0..<20).map { [$0] }[...])
      #expect(lan.joins(at: host).count == 1)
      #expect(lan.leaves(at: host) == [])
    }
    #expect(lan.isSingle(first, second))
    lan.check("")
  }

  @Test("A forged candidate costs its address one small datagram", arguments: [3, 2, 9])
  func candidate(identity: UInt64) throws {
    let (lan, first, second) = try Self.makeLAN()
    let victim = lan.addSilent(7)
    let path = lan.network.path(from: first, to: victim)
    for number in 0..<100 {
      let before = lan.network.traffic(from: first, to: path.remote)
      lan.noteCandidate(Pair.incarnation(identity), on: path, at: first)
      let after = lan.network.traffic(from: first, to: path.remote)
      #expect(after.datagrams - before.datagrams <= 1 && after.bytes - before.bytes <= 67)
      // At once, and then at such a distance that nothing of ours is still waiting.
      if number % 10 == 9 { lan.network.run(for: .seconds(5)) }
    }
    // Nothing follows by itself; a greater stranger is not even called.
    let total = lan.network.traffic(from: first, to: path.remote)
    #expect(total.datagrams <= (identity == 9 ? 0 : 100))
    #expect(identity == 9 || total.datagrams > 0)
    expectUnharmed(lan, first, second)
  }

  @Test("A forged hello brings its address one datagram, smaller than itself", arguments: 1...8)
  func hello(topicCount: Int) throws {
    let (lan, first, second) = try Self.makeLAN()
    let victim = lan.network.configuration(of: lan.addSilent(7)).address()
    for number in UInt64(0)..<50 {
      let expected = [nil, Pair.incarnation(5), Pair.incarnation(3), Pair.incarnation(5, epoch: 2)]
      let hello = HandshakePacket.Hello(
        source: ConnectionID(rawValue: number), dialler: Pair.incarnation(number),
        expected: expected[Int(number % 4)],
        topics: Array(repeating: 9, count: topicCount - 1) + [0])
      let bytes = HandshakePacket.hello(hello).encoded()
      let before = lan.network.traffic(from: first, to: victim)
      lan.forge(bytes, into: first, from: victim)
      lan.network.run(for: .seconds(1))
      let after = lan.network.traffic(from: first, to: victim)
      #expect(after.datagrams - before.datagrams <= 1)
      #expect(after.bytes - before.bytes < bytes.count)
    }
    #expect(lan.network.traffic(from: first, to: victim).datagrams > 10)
    expectUnharmed(lan, first, second)
  }

  @Test
  func `packets for guessed connections are dropped`() throws {
    let (lan, first, second) = try Self.makeLAN()
    let peer = lan.network.configuration(of: second).address()
    let known = lan.identifiers(at: first)[0]
    var generator = SplitMix64(seed: 1)
    let frames: [[UInt8]] = [[3, 0], [3, 1], [1], [2, 0, 0, 0, 0], [0x13, 0, 0, 1, 65]]
    var guesses = (0..<2_000).map { _ in generator.next() }
    // Near misses, and what the other side is called, which says nothing here.
    guesses += (0..<64).map { known.localID.rawValue ^ 1 << $0 } + [known.remoteID.rawValue, 0]
    for guess in guesses {
      for frame in frames {
        var bytes: [UInt8] = [0x82]
        for shift in stride(from: 56, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: guess >> UInt64(shift)))
        }
        lan.forge(bytes + [0, 0, 9] + frame, into: first, from: peer)
      }
    }
    let before = lan.events(at: first).count
    lan.network.run(for: .milliseconds(1))
    let dropped = lan.with(first) { endpoint, _ in endpoint.drops[.unknownConnection] }
    #expect(dropped == UInt64(guesses.count * frames.count))
    #expect(lan.events(at: first).count == before)
    expectUnharmed(lan, first, second)
  }

  /// A forged beacon brings the attacker our hello or a probe, a hello of his our challenge. All
  /// that is in them he may use as an identifier, a nonce, a tag or a cookie.
  @Test(arguments: Seeds.some(3))
  func `who receives what we send to strangers can neither end nor join a connection`(
    seed: UInt64
  ) throws {
    let (lan, first, second) = try Self.makeLAN(seed: seed)
    let attacker = lan.addSilent(7)
    let address = lan.network.configuration(of: attacker).address()
    let path = lan.network.path(from: first, to: attacker)
    lan.isCapturing = true
    for epoch in UInt64(1)...3 {
      lan.noteCandidate(Pair.incarnation(3, epoch: epoch), on: path, at: first)
      lan.noteCandidate(Pair.incarnation(2, epoch: epoch), on: path, at: first)
    }
    for dialler in [Pair.incarnation(3), Pair.incarnation(3, epoch: 2), Pair.incarnation(8)] {
      let hello = HandshakePacket.Hello(
        source: ConnectionID(rawValue: 1), dialler: dialler, expected: nil, topics: [0])
      lan.forge(HandshakePacket.hello(hello).encoded(), into: first, from: address)
    }
    lan.network.run(for: .milliseconds(100))
    let seen = lan.stopCapturing().filter { $0.event == .delivered && $0.receiver == attacker }
    #expect(seen.count >= 5)
    var words: Set<UInt64> = []
    for datagram in seen {
      for start in 0...(datagram.bytes.count - 8) {
        words.insert(datagram.bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) })
      }
    }
    let peers = [Pair.incarnation(3), Pair.incarnation(5)]
    let sources = [address, lan.network.configuration(of: second).address()]
    for word in words.sorted() {
      let id = ConnectionID(rawValue: word)
      var packets: [[UInt8]] = []
      for incarnation in peers {
        for accept in [id, ConnectionID(rawValue: 1)] {
          packets.append(
            HandshakePacket.accept(
              HandshakePacket.Accept(destination: id, source: accept, responder: incarnation)
            ).encoded())
        }
        let probe = HandshakePacket.Probe(sender: incarnation, nonce: word, tag: word)
        packets.append(HandshakePacket.probe(probe).encoded())
        packets.append(HandshakePacket.probeReply(probe).encoded())
      }
      let header = HandshakePacket.hello(
        HandshakePacket.Hello(
          source: id, dialler: peers[0], expected: nil, topics: [0])
      ).encoded()[2..<10]
      for frame: [UInt8] in [[3, 0], [1], [0x13, 0, 0, 1, 65]] {
        packets.append([0x82] + header + [0, 0, 7] + frame)
      }
      for packet in packets {
        for source in sources { lan.forge(packet, into: first, from: source) }
      }
      lan.network.run(for: .milliseconds(1))
    }
    lan.network.run(for: .seconds(20))
    #expect(lan.payloads(at: first) == [])
    let paths = lan.with(first) { endpoint, _ in endpoint.paths(to: lan.joins(at: first)[0]) }
    #expect(paths?.count == 1)
    expectUnharmed(lan, first, second)
  }

  /// What goes one way bears the receiver's identifier only, which is also that of the call.
  @Test("Who has seen one direction cannot learn the other's identifier", arguments: [false, true])
  func oneDirection(isUnconfirmed: Bool) throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(2)))
    let (host, peer) = (lan.add(3), lan.add(5))
    let attacker = lan.addSilent(7)
    if isUnconfirmed {
      // The accept is sent, and the peer's sign that he heard it is not there yet.
      lan.connect(peer, to: host)
      lan.network.run(for: .milliseconds(7))
    } else {
      try lan.join(peer, host)
    }
    let known = try #require(lan.identifiers(at: host).first)
    lan.isCapturing = true
    lan.open(
      from: lan.network.configuration(of: attacker).address(), as: 5, source: known.remoteID,
      into: host)
    lan.network.run(for: .seconds(1))
    let sent = lan.stopCapturing().filter { $0.event == .delivered && $0.receiver == attacker }
    let identifier = HandshakePacket.accept(
      HandshakePacket.Accept(
        destination: known.localID, source: known.localID, responder: Pair.incarnation(3))
    ).encoded()[2..<10]
    let told = sent.filter { datagram in
      (0..<max(0, datagram.bytes.count - 7)).contains {
        datagram.bytes[$0..<($0 + 8)].elementsEqual(identifier)
      }
    }
    #expect(told.isEmpty)
    expectUnharmed(lan, peer, host)
  }

  @Test
  func `an acknowledgement of what was never sent costs the packet all effect`() throws {
    let (lan, first, second) = try Self.makeLAN()
    lan.network.run(for: .seconds(1))
    let peer = lan.network.configuration(of: second).address()
    let header = HandshakePacket.hello(
      HandshakePacket.Hello(
        source: lan.identifiers(at: first)[0].localID, dialler: Pair.incarnation(3), expected: nil,
        topics: [0])
    ).encoded()[2..<10]
    lan.network.partition([second])
    for number in UInt8(0)..<10 { lan.send([number], from: first) }
    // The message of this packet is not delivered, and nothing of ours counts as arrived.
    let frames: [UInt8] = [0x02, 0x40, 0xFF, 0, 0, 0x40, 0xFF] + [0x12, 0, 0, 1, 65]
    lan.forge([0x82] + header + [0, 0, 200] + frames, into: first, from: peer)
    lan.network.run(for: .milliseconds(1))
    #expect(lan.with(first) { endpoint, _ in endpoint.drops[.acknowledgementOfUnsent] } == 1)
    #expect(lan.payloads(at: first) == [])
    lan.network.heal()
    lan.network.run(for: .seconds(3))
    #expect(lan.payloads(at: second) == (0..<10).map { [$0] })
    expectUnharmed(lan, first, second)
  }
}
