import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// However two peers find each other, they end with one connection, the same at both ends.
struct HandshakeSimulationTests {
  static let rough = Impairment(
    loss: 0.25, delay: .milliseconds(20), jitter: .milliseconds(15), duplicate: 0.2, reorder: 0.3)

  private func replay(_ seed: UInt64) -> String { Seeds.replay(seed, "HandshakeSimulationTests") }

  private func expectOneLife(_ lan: EndpointLAN, _ hosts: [HostID], _ replay: String) {
    let isSingle = lan.isSingle(hosts[0], hosts[1])
    #expect(isSingle, "not one connection; \(replay)")
    for host in hosts {
      #expect(lan.joins(at: host).count == 1, "\(replay)")
      #expect(lan.leaves(at: host) == [], "\(replay)")
    }
    lan.check(replay)
  }

  @Test(arguments: Seeds.some(20), [false, true])
  func `one of two dials`(seed: UInt64, isGreater: Bool) {
    let lan = EndpointLAN(seed: seed, impairment: Self.rough)
    let hosts = [lan.add(1), lan.add(2)]
    lan.connect(hosts[isGreater ? 1 : 0], to: hosts[isGreater ? 0 : 1])
    lan.network.run(for: .seconds(30))
    expectOneLife(lan, hosts, replay(seed))
  }

  @Test(arguments: Seeds.some(60))
  func `both dial at about the same time`(seed: UInt64) {
    let lan = EndpointLAN(seed: seed, impairment: Self.rough)
    let hosts = [lan.add(1), lan.add(2)]
    var generator = SplitMix64(seed: seed)
    let first = Int.random(in: 0...1, using: &generator)
    lan.connect(hosts[first], to: hosts[1 - first])
    // A third of the runs start at the very same instant.
    let pause = max(0, Int64.random(in: -30...60, using: &generator))
    lan.network.run(for: .milliseconds(pause))
    lan.connect(hosts[1 - first], to: hosts[first])
    for number in UInt8(0)..<20 {
      lan.network.run(for: .milliseconds(100))
      for host in hosts { lan.send([number], from: host, .ordered) }
    }
    lan.network.run(for: .seconds(30))
    expectOneLife(lan, hosts, replay(seed))
    // What was sent meanwhile is not lost: all that was sent to somebody arrives, in order.
    for host in hosts {
      let numbers = lan.payloads(at: host).map { $0[0] }
      #expect(numbers == Array((numbers.first ?? 20)..<20), "\(replay(seed))")
    }
  }

  @Test(arguments: Seeds.some(30))
  func `both are named to each other and are candidates on four paths`(seed: UInt64) {
    let lan = EndpointLAN(seed: seed, impairment: Self.rough)
    let hosts = [lan.add(1, segments: [0, 1]), lan.add(2, segments: [0, 1])]
    lan.connect(hosts[0], to: hosts[1], .ipv6)
    lan.connect(hosts[1], to: hosts[0], .ipv4)
    var generator = SplitMix64(seed: seed)
    func noteCandidates(where isSeen: () -> Bool) {
      for (host, other) in [(0, 1), (1, 0)] {
        for segment in [0, 1] {
          for family in IPAddress.Family.allCases where isSeen() {
            let path = lan.network.path(from: hosts[host], to: hosts[other], family, on: segment)
            lan.noteCandidate(Pair.incarnation(UInt64(other + 1)), on: path, at: hosts[host])
          }
        }
      }
    }
    for _ in 0..<12 {
      noteCandidates { Bool.random(using: &generator) }
      lan.network.run(for: .milliseconds(Int64.random(in: 0...700, using: &generator)))
    }
    lan.network.run(for: .seconds(30))
    expectOneLife(lan, hosts, replay(seed))
    lan.network.impairment = .none
    noteCandidates { true }
    lan.network.run(for: .seconds(1))
    expectOneLife(lan, hosts, replay(seed))
    for host in hosts {
      let paths = lan.with(host) { endpoint, _ in
        lan.joins(at: host).first.flatMap { endpoint.paths(to: $0) } ?? []
      }
      #expect(paths.count == 4, "\(replay(seed))")
    }
  }

  /// Of a handshake over a way of 10 ms, what is on its way at the given milliseconds.
  @Test(
    "Each packet of the handshake may be lost",
    arguments: [("hello", 0), ("challenge", 10), ("open", 20), ("accept", 30), ("ping", 40)])
  func lostPacket(name: String, sentAt milliseconds: Int64) {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(10)))
    let hosts = [lan.add(1), lan.add(2)]
    lan.connect(hosts[0], to: hosts[1])
    // The hello is under way as soon as it is called, so that one is cut off by a partition.
    lan.network.run(for: .milliseconds(max(0, milliseconds - 5)))
    if milliseconds == 0 { lan.network.partition([hosts[0]]) }
    if milliseconds > 0 { lan.network.impairment = Impairment(loss: 1, delay: .milliseconds(10)) }
    lan.network.run(for: .milliseconds(milliseconds == 0 ? 11 : 6))
    lan.network.heal()
    lan.network.impairment = Impairment(delay: .milliseconds(10))
    let lost = lan.network.statistics.lost + lan.network.statistics.partitioned
    #expect(lost == 1, "the \(name) was to be lost")
    lan.network.run(for: .seconds(2))
    expectOneLife(lan, hosts, "\(name) lost")
  }

  @Test
  func `a target that starts late is told to be waited for, and found`() throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(5)))
    let caller = lan.add(1)
    let target = lan.addSilent(2)
    lan.connect(caller, to: target)
    lan.network.run(for: .seconds(20))
    let waits = lan.events(at: caller).compactMap { event -> Instant? in
      guard case .waiting(let next) = event else { return nil }
      return next
    }
    #expect(waits.count == lan.events(at: caller).count)
    let distances = zip(waits, waits.dropFirst()).map { $1 - $0 }
    #expect(distances.allSatisfy { $0 > .zero && $0 <= .seconds(5) })
    #expect(distances == distances.sorted())
    lan.network.restartHost(target) { seed, _ in
      WatchedEndpoint(
        DatagramEndpoint(
          configuration: .init(), local: Pair.incarnation(2), secret: Secret(seed: seed)))
    }
    lan.network.run(for: .milliseconds(5_100))
    #expect(lan.joins(at: caller).count == 1)
    lan.check("")
  }

  @Test(arguments: Seeds.some(5))
  func `a target that leaves is called again until it comes back`(seed: UInt64) {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(loss: 0.1, delay: .milliseconds(5)))
    let (caller, target) = (lan.add(1), lan.add(2))
    lan.connect(caller, to: target)
    lan.network.run(for: .seconds(5))
    lan.with(target) { endpoint, now in endpoint.close(at: now) }
    lan.network.run(for: .seconds(10))
    #expect(lan.leaves(at: caller) == [.closedByThem], "\(replay(seed))")
    let last = lan.events(at: caller).last
    guard case .waiting = last else {
      Issue.record("the last word is \(String(describing: last)); \(replay(seed))")
      return
    }
    lan.restart(target, identity: 2, epoch: 2)
    lan.network.run(for: .seconds(40))
    #expect(lan.joins(at: caller).count == 2, "\(replay(seed))")
    lan.check(replay(seed))
  }

  @Test(arguments: Seeds.some(20))
  func `nobody who is connected is told to be waited for`(seed: UInt64) throws {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(20)))
    let hosts = [lan.add(1), lan.add(2)]
    lan.connect(hosts[0], to: hosts[1])
    lan.network.run(for: .milliseconds(Int64(seed) * 4))
    lan.connect(hosts[1], to: hosts[0])
    lan.network.run(for: .seconds(30))
    for host in hosts {
      let waits = lan.events(at: host).filter { if case .waiting = $0 { true } else { false } }
      #expect(waits == [], "\(replay(seed))")
    }
    expectOneLife(lan, hosts, replay(seed))
  }
}
