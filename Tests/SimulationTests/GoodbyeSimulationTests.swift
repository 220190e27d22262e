import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Every connection ends once, at both ends, and what was under way is accounted for.
struct GoodbyeSimulationTests {
  private func replay(_ seed: UInt64) -> String { Seeds.replay(seed, "GoodbyeSimulationTests") }

  private func outcomes(_ events: [TransportEvent]) -> (acknowledged: Int, givenUp: Int) {
    events.reduce(into: (acknowledged: 0, givenUp: 0)) { counts, event in
      if case .acknowledged = event { counts.acknowledged += 1 }
      if case .givenUp(_, _, .connectionEnded) = event { counts.givenUp += 1 }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `a goodbye that is lost is said again`(seed: UInt64) throws {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(3)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    lan.network.impairment = Impairment(loss: 0.4, delay: .milliseconds(3))
    lan.with(first) { endpoint, now in endpoint.close(at: now) }
    lan.network.run(for: .seconds(3))
    #expect(lan.events(at: first).suffix(1) == [.closed(.closedByUs)], "\(replay(seed))")
    #expect(lan.leaves(at: first) == [.closedByUs], "\(replay(seed))")
    #expect(lan.leaves(at: second) == [.closedByThem], "\(replay(seed))")
    lan.network.run(for: .seconds(3))
    for host in [first, second] { #expect(lan.identifiers(at: host).isEmpty) }
    lan.check(replay(seed))
  }

  @Test
  func `an answer that is lost is given again`() throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(10)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    lan.network.run(for: .seconds(1))
    let start = lan.network.now
    lan.with(first) { endpoint, now in endpoint.close(at: now) }
    lan.network.setImpairment(Impairment(loss: 1), from: second, to: first)
    lan.network.run(for: .milliseconds(15))
    lan.network.setImpairment(nil, from: second, to: first)
    let isClosed = lan.network.run(until: start + .seconds(1)) {
      lan.events(at: first).last == .closed(.closedByUs)
    }
    #expect(isClosed, "it was waited for in vain until the time had run out")
    lan.check("")
  }

  @Test
  func `to a peer that is gone it is said for two seconds, and not more than ten times`() throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(3)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    lan.network.run(for: .seconds(1))
    lan.network.removeHost(second)
    let before = lan.network.statistics.sent
    let start = lan.network.now
    lan.with(first) { endpoint, now in endpoint.close(at: now) }
    let isClosed = lan.network.run(until: start + .seconds(10)) {
      lan.events(at: first).last == .closed(.closedByUs)
    }
    #expect(isClosed && lan.network.now - start <= .seconds(2))
    #expect((3...10).contains(lan.network.statistics.sent - before))
    lan.check("")
  }

  @Test(arguments: Seeds.some(20))
  func `both may say it at once`(seed: UInt64) throws {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(3)))
    let hosts = [lan.add(1), lan.add(2)]
    try lan.join(hosts[0], hosts[1])
    lan.network.impairment = Impairment(loss: 0.2, delay: .milliseconds(3))
    for host in hosts { lan.with(host) { endpoint, now in endpoint.close(at: now) } }
    lan.network.run(for: .seconds(3))
    for host in hosts {
      #expect(lan.events(at: host).suffix(2).last == .closed(.closedByUs), "\(replay(seed))")
      #expect(lan.leaves(at: host) == [.closedByUs], "\(replay(seed))")
      #expect(lan.identifiers(at: host).isEmpty)
      let deadline = lan.with(host) { endpoint, _ in endpoint.deadline }
      #expect(deadline == nil)
    }
    lan.check(replay(seed))
  }

  @Test(arguments: Seeds.some(10), [false, true])
  func `each message that was not acknowledged is given up`(seed: UInt64, byPeer: Bool) throws {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(loss: 0.2, delay: .milliseconds(20)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    var sent: Set<MessageID> = []
    for number in 0..<100 {
      let delivery: Delivery = number % 2 == 0 ? .ordered : .reliable
      sent.insert(try lan.send(Array(repeating: 1, count: 300), from: first, delivery).get().id)
      lan.send([1], from: first, .unreliable)
    }
    lan.network.run(for: .milliseconds(30 + Int64(seed % 10) * 4))
    lan.with(byPeer ? second : first) { endpoint, now in endpoint.close(at: now) }
    lan.network.run(for: .seconds(5))
    var settled: [MessageID] = []
    for event in lan.events(at: first) {
      switch event {
      case .acknowledged(let id, _), .givenUp(let id, _, .connectionEnded): settled.append(id)
      default: break
      }
    }
    #expect(settled.count == 100 && Set(settled) == sent, "\(replay(seed))")
    #expect(outcomes(lan.events(at: first)).givenUp > 0, "\(replay(seed))")
    lan.check(replay(seed))
  }

  @Test
  func `after the end nothing is sent, called or told`() throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(3)))
    let (first, second) = (lan.add(1), lan.add(2))
    let third = lan.add(3)
    try lan.join(first, second)
    lan.with(first) { endpoint, now in
      endpoint.close(at: now)
      endpoint.close(at: now)
    }
    func expectClosed() {
      for delivery in Delivery.allCases {
        #expect(lan.send([1], from: first, delivery) == .failure(.closed))
      }
    }
    expectClosed()
    lan.connect(first, to: third)
    lan.connect(third, to: first)
    lan.send([7], from: second)
    lan.network.run(for: .seconds(10))
    expectClosed()
    #expect(lan.events(at: first).count { $0 == .closed(.closedByUs) } == 1)
    #expect(lan.joins(at: third) == [])
    #expect(lan.payloads(at: first) == [])
    #expect(lan.with(first) { endpoint, _ in endpoint.deadline } == nil)
    lan.check("")
  }

  @Test
  func `one with nobody to say it to is closed at once`() {
    let lan = EndpointLAN(seed: 1)
    let host = lan.add(1)
    let stranger = lan.network.configuration(of: lan.addSilent(2)).address()
    // Not even somebody who never confirmed is waited for.
    lan.open(from: stranger, as: 9, into: host)
    lan.connect(host, to: host)
    lan.with(host) { endpoint, now in endpoint.close(at: now) }
    #expect(lan.events(at: host) == [.closed(.closedByUs)])
    #expect(lan.with(host) { endpoint, _ in endpoint.unconfirmedCount } == 0)
    #expect(lan.with(host) { endpoint, _ in endpoint.deadline } == nil)
  }

  @Test
  func `one peer may be left and the others stay`() throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(3)))
    let host = lan.add(1)
    let others = [lan.add(2), lan.add(3)]
    for other in others { lan.connect(other, to: host) }
    lan.network.run(for: .seconds(1))
    let peer = try #require(lan.joins(at: host).first)
    lan.with(host) { endpoint, now in
      endpoint.disconnect(peer, at: now)
      endpoint.disconnect(peer, at: now)
    }
    let refusal = lan.with(host) { endpoint, now in
      Result { () throws(SendError) in
        try endpoint.send([1].span, to: .peer(peer), SendOptions(), at: now)
      }
    }
    #expect(refusal == .failure(.noSuchPeer(peer)))
    lan.network.run(for: .milliseconds(200))
    #expect(lan.leaves(at: host) == [.closedByUs])
    #expect(
      others.map { lan.leaves(at: $0) }.sorted { $0.count < $1.count } == [[], [.closedByThem]])
    lan.check("")
  }
}
