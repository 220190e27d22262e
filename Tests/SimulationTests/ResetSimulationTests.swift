import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// A side that does not know of the connection any more says so, and nobody else can.
struct ResetSimulationTests {
  private let roundTrip = Interval.milliseconds(20)

  @Test("A peer that has started again is recognised within one round trip", arguments: [1, 2])
  func restart(epoch: UInt64) throws {
    let (lan, first, second) = try EndpointLAN.pair()
    lan.restart(second, identity: 2, epoch: epoch)
    lan.send(1, from: first, SendOptions())
    lan.network.run(for: roundTrip)
    #expect(lan.leaves(at: first) == [epoch == 1 ? .timedOut : .replaced])
    lan.check("")
  }

  @Test
  func `resets that are forged end nothing`() throws {
    let (lan, first, second) = try EndpointLAN.pair()
    let (own, other) = (lan.identifiers(at: first)[0], lan.network.configuration(of: second))
    let peer = Pair.incarnation(2)
    func reset(_ sender: Incarnation, _ destination: ConnectionID) -> [UInt8] {
      HandshakePacket.reset(HandshakePacket.Reset(sender: sender, destination: destination))
        .encoded()
    }
    let guessed = ConnectionID(rawValue: own.remoteID.rawValue ^ 1)
    let stranger = SocketAddress(ip: IPAddress(192, 0, 2, 99), port: 28_421)
    // Another identifier; our own one, which stands in what he sends; another identity; an earlier
    // life; and the right words from the wrong place.
    lan.forge(reset(peer, guessed), into: first, from: other.address())
    lan.forge(reset(peer, own.localID), into: first, from: other.address())
    lan.forge(reset(Pair.incarnation(3), own.remoteID), into: first, from: other.address())
    lan.forge(
      reset(Pair.incarnation(2, epoch: 0), own.remoteID), into: first, from: other.address())
    lan.forge(reset(peer, own.remoteID), into: first, from: stranger)
    lan.network.run(for: .seconds(1))
    #expect(lan.leaves(at: first).isEmpty)
    #expect(lan.with(first) { endpoint, _ in endpoint.drops[.badReset] } == 5)
    lan.send(1, from: first, SendOptions())
    lan.network.run(for: .seconds(1))
    #expect(lan.arrivals(at: second).map(\.number) == [1])
    lan.check("")
  }
}
