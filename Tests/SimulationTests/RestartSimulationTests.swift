import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// A peer that was restarted takes the place of its old life; nobody else can.
struct RestartSimulationTests {
  private func replay(_ seed: UInt64) -> String { Seeds.replay(seed, "RestartSimulationTests") }

  private static let quiet = Impairment(delay: .milliseconds(2))

  @Test("At its old address it is there at once, whoever calls", arguments: [true, false])
  func sameAddress(callsItself: Bool) throws {
    let lan = EndpointLAN(seed: 1, impairment: Self.quiet)
    let (host, peer) = (lan.add(3), lan.add(2))
    try lan.join(host, peer)
    lan.network.run(for: .seconds(1))
    lan.restart(peer, identity: 2, epoch: 2)
    let start = lan.network.now
    let path = lan.network.path(from: host, to: peer)
    if callsItself {
      lan.connect(peer, to: host)
    } else {
      lan.noteCandidate(Pair.incarnation(2, epoch: 2), on: path, at: host)
    }
    let isBack = lan.network.run(until: start + .milliseconds(20)) {
      lan.joins(at: host).count == 2 && lan.joins(at: peer).count == 1
    }
    #expect(isBack)
    #expect(lan.leaves(at: host) == [.replaced])
    lan.network.run(for: .seconds(20))
    #expect(lan.leaves(at: host) == [.replaced])
    #expect(lan.isSingle(host, peer))
    lan.check("")
  }

  @Test("At another address it waits until the old one is known to be dead", arguments: [2, 1])
  func otherAddress(epoch: UInt64) throws {
    let lan = EndpointLAN(seed: 1, impairment: Self.quiet)
    let (host, old) = (lan.add(3), lan.add(2))
    try lan.join(host, old)
    lan.network.run(for: .seconds(1))
    lan.network.removeHost(old)
    let new = lan.add(4, identity: 2, epoch: epoch)
    let start = lan.network.now
    lan.connect(new, to: host)
    let isThere = lan.network.run(until: start + .seconds(2)) { lan.joins(at: host).count == 2 }
    #expect(isThere && lan.network.now - start >= .seconds(1))
    #expect(lan.leaves(at: host) == [epoch == 2 ? .replaced : .timedOut])
    lan.network.run(for: .seconds(20))
    #expect(lan.isSingle(host, new))
    lan.check("")
  }

  @Test("A peer that says there is no connection is asked, and given up if it does not answer")
  func denial() throws {
    let lan = EndpointLAN(seed: 1, impairment: Self.quiet)
    let (host, peer) = (lan.add(3), lan.add(2))
    try lan.join(host, peer)
    let path = lan.network.path(from: host, to: peer)
    // Forged, over and over: the peer lives, and nothing comes of it.
    for _ in 0..<20 {
      lan.noteCandidate(Pair.incarnation(2), on: path, deniesConnection: true, at: host)
      lan.network.run(for: .milliseconds(500))
    }
    #expect(lan.leaves(at: host).isEmpty)
    lan.network.removeHost(peer)
    let start = lan.network.now
    lan.network.run(for: .seconds(3))
    lan.noteCandidate(Pair.incarnation(2), on: path, deniesConnection: true, at: host)
    let isGone = lan.network.run(until: start + .seconds(5)) { !lan.leaves(at: host).isEmpty }
    #expect(isGone)
    #expect(lan.leaves(at: host) == [.timedOut])
  }

  @Test(arguments: Seeds.some(5))
  func `somebody else with a peer's identity is refused while that peer lives`(
    seed: UInt64
  ) throws {
    let lan = EndpointLAN(
      seed: seed,
      impairment: Impairment(loss: 0.05, delay: .milliseconds(5), jitter: .milliseconds(5)))
    let (host, peer) = (lan.add(3), lan.add(2))
    try lan.join(host, peer)
    let thief = lan.add(4, identity: 2, epoch: 9)
    lan.connect(thief, to: host)
    for number in 0..<60 {
      let path = lan.network.path(from: host, to: thief)
      lan.noteCandidate(Pair.incarnation(2, epoch: 9), on: path, at: host)
      lan.send([UInt8(number)], from: host)
      lan.send([UInt8(number)], from: peer)
      lan.network.run(for: .seconds(1))
    }
    #expect(lan.leaves(at: host) == [] && lan.leaves(at: peer) == [], "\(replay(seed))")
    #expect(lan.joins(at: thief) == [], "\(replay(seed))")
    let isRefused = lan.with(host) { endpoint, _ in endpoint.drops[.identityInUse] > 0 }
    #expect(isRefused)
    for end in [host, peer] {
      #expect(lan.payloads(at: end) == (0..<60).map { [UInt8($0)] }, "\(replay(seed))")
    }
    lan.check(replay(seed))
  }

  @Test(arguments: Seeds.some(4))
  func `a stranger's claims do not end a connection on the worst network`(seed: UInt64) throws {
    let lan = EndpointLAN(seed: seed)
    let (host, peer) = (lan.add(3), lan.add(2))
    try lan.join(host, peer)
    lan.network.impairment = Impairment(loss: 0.4, delay: .milliseconds(2))
    let stranger = lan.network.configuration(of: lan.addSilent(4)).address()
    lan.network.run(for: .seconds(1))
    let before = lan.network.statistics(from: host, to: peer).offered
    for _ in 0..<600 {
      lan.open(from: stranger, as: 2, epoch: 9, into: host)
      lan.network.run(for: .milliseconds(200))
    }
    #expect(lan.leaves(at: host) == [] && lan.leaves(at: peer) == [], "\(replay(seed))")
    // Nor do they make us send without end: 600 claims in two minutes.
    #expect(lan.network.statistics(from: host, to: peer).offered - before < 300)
    lan.check(replay(seed))
  }

  @Test("A smaller epoch is refused as long as there is a connection", arguments: [true, false])
  func smallerEpoch(isSameAddress: Bool) throws {
    let lan = EndpointLAN(seed: 1, impairment: Self.quiet)
    let host = lan.add(3)
    let old = lan.add(2, epoch: 5)
    try lan.join(host, old)
    lan.network.run(for: .seconds(1))
    let new: HostID
    if isSameAddress {
      lan.restart(old, identity: 2, epoch: 4)
      new = old
    } else {
      lan.network.removeHost(old)
      new = lan.add(4, identity: 2, epoch: 4)
    }
    lan.connect(new, to: host)
    lan.network.run(for: .seconds(10))
    #expect(lan.joins(at: host).count == 1 && lan.joins(at: new) == [])
    lan.network.run(for: .seconds(10))
    #expect(lan.leaves(at: host) == [.timedOut])
    #expect(lan.joins(at: host).count == 2)
    lan.check("")
  }

  @Test(arguments: Seeds.some(4))
  func `nothing from an earlier life has any effect`(seed: UInt64) throws {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(loss: 0.1, delay: .milliseconds(5)))
    let hosts = [lan.add(2), lan.add(3)]
    let stranger = lan.addSilent(4)
    lan.isCapturing = true
    try lan.join(hosts[0], hosts[1])
    for number in 0..<30 {
      lan.network.run(for: .milliseconds(50))
      for host in hosts {
        for delivery in Delivery.allCases { lan.send([UInt8(number)], from: host, delivery) }
      }
    }
    lan.network.run(for: .seconds(1))
    let old = lan.stopCapturing().filter { $0.event == .sent }
    #expect(old.count > 100)
    lan.restart(hosts[0], identity: 2, epoch: 2)
    lan.connect(hosts[0], to: hosts[1])
    lan.network.run(for: .seconds(20))
    #expect(lan.isSingle(hosts[0], hosts[1]), "\(replay(seed))")
    lan.forgetEvents()
    for datagram in old {
      for host in hosts {
        lan.forge(datagram.bytes, into: host, from: datagram.source)
        lan.forge(
          datagram.bytes, into: host, from: lan.network.configuration(of: stranger).address())
        lan.network.run(for: .milliseconds(1))
      }
    }
    lan.network.run(for: .seconds(20))
    for host in hosts { #expect(lan.events(at: host) == [], "\(replay(seed))") }
    #expect(lan.isSingle(hosts[0], hosts[1]), "\(replay(seed))")
    for number in UInt8(0)..<20 { lan.send([number], from: hosts[0]) }
    lan.network.run(for: .seconds(5))
    #expect(lan.payloads(at: hosts[1]) == (0..<20).map { [$0] }, "\(replay(seed))")
  }
}
