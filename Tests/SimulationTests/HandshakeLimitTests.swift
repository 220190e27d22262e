import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Calls that lead nowhere, and more calls than there is room for.
struct HandshakeLimitTests {
  @Test(
    "A hello of 67 bytes goes to nobody who sent less than a third of that", arguments: [22, 23])
  func smallBeacon(beaconSize: Int) {
    let lan = EndpointLAN(seed: 1)
    let (host, victim) = (lan.add(3), lan.addSilent(2))
    let path = lan.network.path(from: host, to: victim)
    lan.noteCandidate(Pair.incarnation(1), on: path, beaconSize: beaconSize, at: host)
    lan.network.run(for: .seconds(1))
    let sent = lan.network.traffic(from: host, to: path.remote)
    #expect(sent.datagrams == (beaconSize == 23 ? 1 : 0))
    #expect(sent.bytes == (beaconSize == 23 ? 67 : 0))
  }

  @Test
  func `an unanswered call that is repeated leaves no deadline in the past`() {
    let lan = EndpointLAN(seed: 1)
    let host = lan.add(2)
    let nobody = lan.addSilent(1)
    let path = lan.network.path(from: host, to: nobody)
    for _ in 0..<100 {
      lan.noteCandidate(Pair.incarnation(1), on: path, at: host)
      lan.network.run(for: .milliseconds(130))
    }
    lan.network.run(for: .seconds(10))
    #expect(lan.network.traffic(from: host, to: path.remote).datagrams == 100)
    let advances = lan.network.withMachine(host) { machine, _ in machine.advanceCount }
    #expect(advances < 200)
    #expect(lan.with(host) { endpoint, _ in endpoint.dials.isEmpty && endpoint.deadline == nil })
    lan.check("")
  }

  @Test
  func `nobody connects with himself`() {
    let lan = EndpointLAN(seed: 1)
    let host = lan.add(1)
    let path = lan.network.path(from: host, to: host)
    lan.with(host) { endpoint, now in endpoint.connect(to: path, at: now) }
    lan.noteCandidate(Pair.incarnation(1), on: path, at: host)
    lan.noteCandidate(Pair.incarnation(1, epoch: 2), on: path, at: host)
    lan.network.run(for: .seconds(60))
    #expect(lan.joins(at: host) == [])
    // A call every five seconds, and none because of the beacons.
    #expect(lan.network.traffic(from: host, to: path.remote).datagrams < 20)
    #expect(lan.with(host) { endpoint, _ in endpoint.drops[.wrongIncarnation] } > 10)
    lan.check("")
  }

  @Test(arguments: [UInt64(1), 2])
  func `somebody with our identity is not spoken to`(epoch: UInt64) {
    let lan = EndpointLAN(seed: 1)
    let hosts = [lan.add(1, identity: 7), lan.add(2, identity: 7, epoch: epoch)]
    for (host, other) in [(0, 1), (1, 0)] {
      lan.connect(hosts[host], to: hosts[other])
      lan.noteCandidate(
        Pair.incarnation(7, epoch: other == 0 ? 1 : epoch),
        on: lan.network.path(from: hosts[host], to: hosts[other]), at: hosts[host])
    }
    lan.network.run(for: .seconds(30))
    for host in hosts {
      #expect(lan.joins(at: host) == [])
      #expect(lan.identifiers(at: host).isEmpty)
    }
    lan.check("")
  }

  @Test
  func `those who speak of something else do not connect`() {
    var configuration = DatagramConfiguration()
    configuration.topics = [1, 2]
    let lan = EndpointLAN(seed: 1)
    let here = lan.add(1, configuration)
    configuration.topics = [3]
    let there = lan.add(2, configuration)
    configuration.topics = [9, 2]
    let both = lan.add(3, configuration)
    lan.connect(here, to: there)
    lan.connect(there, to: here)
    lan.connect(both, to: here)
    lan.network.run(for: .seconds(20))
    #expect(lan.joins(at: here).count == 1)
    #expect(lan.joins(at: there) == [])
    #expect(lan.with(there) { endpoint, _ in endpoint.drops[.otherTopic] } > 3)
    lan.check("")
  }

  @Test
  func `beyond the limit of connections nobody is taken in, and a place that is free is filled`() {
    var configuration = DatagramConfiguration()
    configuration.maximumConnections = 3
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(2)))
    let server = lan.add(100, configuration)
    let clients = (1...6).map { lan.add($0) }
    for client in clients { lan.connect(client, to: server) }
    lan.network.run(for: .seconds(30))
    #expect(lan.with(server) { endpoint, _ in endpoint.peerCount } == 3)
    #expect(clients.count { lan.joins(at: $0).count == 1 } == 3)
    #expect(clients.allSatisfy { lan.leaves(at: $0).isEmpty })
    #expect(lan.with(server) { endpoint, _ in endpoint.drops[.tooManyConnections] } > 0)
    if let client = clients.first(where: { lan.joins(at: $0).count == 1 }) {
      lan.with(client) { endpoint, now in endpoint.close(at: now) }
    }
    lan.network.run(for: .seconds(30))
    #expect(lan.with(server) { endpoint, _ in endpoint.peerCount } == 3)
    #expect(clients.count { lan.joins(at: $0).count == 1 } == 4)
    lan.check("")
  }

  @Test
  func `a dialler without room for one more takes no accept`() {
    var configuration = DatagramConfiguration()
    configuration.maximumConnections = 1
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(2)))
    let host = lan.add(100, configuration)
    let others = (1...3).map { lan.add($0) }
    for other in others { lan.connect(host, to: other) }
    lan.network.run(for: .seconds(30))
    #expect(lan.joins(at: host).count == 1)
    #expect(others.count { lan.joins(at: $0).count == 1 } == 1)
    lan.check("")
  }

  @Test
  func `connections that are never confirmed are few, and vanish`() {
    let lan = EndpointLAN(seed: 1)
    let host = lan.add(1)
    let stranger = lan.addSilent(2)
    let source = lan.network.configuration(of: stranger).address()
    for number in UInt64(0)..<200 { lan.open(from: source, as: 1_000 + number, into: host) }
    #expect(lan.with(host) { endpoint, _ in endpoint.unconfirmedCount } == 64)
    #expect(lan.identifiers(at: host).count == 64)
    lan.network.run(for: .seconds(5))
    #expect(lan.with(host) { endpoint, _ in endpoint.unconfirmedCount } == 0)
    #expect(lan.identifiers(at: host).isEmpty)
    #expect(lan.with(host) { endpoint, _ in endpoint.slotOfCall.isEmpty })
    #expect(lan.events(at: host) == [])
    // There is room again.
    lan.open(from: source, as: 5_000, into: host)
    #expect(lan.with(host) { endpoint, _ in endpoint.unconfirmedCount } == 1)
    lan.check("")
  }

  @Test
  func `who opens connections and never confirms them keeps nobody out`() {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(2)))
    let host = lan.add(1)
    let newcomer = lan.add(3)
    let stranger = lan.network.configuration(of: lan.addSilent(2)).address()
    lan.connect(newcomer, to: host)
    for number in UInt64(0)..<400 {
      lan.open(from: stranger, as: 1_000 + number, into: host)
      lan.network.run(for: .milliseconds(number < 200 ? 0 : 1))
    }
    #expect(lan.joins(at: newcomer).count == 1 && lan.joins(at: host).count == 1)
    #expect(lan.with(host) { endpoint, _ in endpoint.unconfirmedCount } == 64)
    lan.network.run(for: .seconds(30))
    #expect(lan.isSingle(host, newcomer))
    #expect(lan.leaves(at: host) == [] && lan.leaves(at: newcomer) == [])
    lan.check("")
  }

  @Test
  func `a flood of forged beacons does not keep us from calling those who are there`() {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(1)))
    let host = lan.add(100)
    let (named, seen) = (lan.add(1), lan.add(2))
    let victim = lan.addSilent(3)
    func flood(_ round: UInt64) {
      for number in 0..<UInt64(50) {
        var path = lan.network.path(from: host, to: victim)
        path.remote.port = UInt16(1_000 + round * 50 + number)
        lan.noteCandidate(Pair.incarnation(10, epoch: round * 50 + number), on: path, at: host)
      }
    }
    flood(0)
    flood(1)
    #expect(lan.with(host) { endpoint, _ in endpoint.dials.count } == 64)
    lan.connect(host, to: named)
    let path = lan.network.path(from: host, to: seen)
    lan.noteCandidate(Pair.incarnation(2), on: path, at: host)
    for round in 2..<UInt64(20) {
      lan.network.run(for: .milliseconds(100))
      flood(round)
    }
    #expect(lan.joins(at: named).count == 1)
    #expect(lan.joins(at: seen).count == 1)
    #expect(lan.with(host) { endpoint, _ in endpoint.dials.count } <= 64)
    lan.check("")
  }
}
