import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// What a connection costs while nothing is said, and how its end is seen.
struct IdleSimulationTests {
  private func replay(_ seed: UInt64) -> String { Seeds.replay(seed, "IdleSimulationTests") }

  /// 1,800 datagrams: every four seconds and a round trip either side asks once.
  @Test("An idle hour costs a ping and an answer every four seconds", arguments: [0, 5, 50, 150])
  func hour(delay: Int64) throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(delay)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    let before = lan.network.statistics
    let advances = lan.network.withMachine(first) { machine, _ in machine.advanceCount }
    lan.network.run(for: .seconds(3_600))
    let datagrams = lan.network.statistics.sent - before.sent
    #expect((1_700...1_802).contains(datagrams), "\(datagrams) datagrams")
    // Some numbers are skipped on purpose, which costs a range in the acknowledgements.
    #expect(lan.network.statistics.sentBytes - before.sentBytes < 33_000)
    let after = lan.network.withMachine(first) { machine, _ in machine.advanceCount }
    #expect(after - advances <= 902)
    for host in [first, second] { #expect(lan.leaves(at: host) == []) }
    lan.check("")
  }

  @Test(arguments: Seeds.some(5))
  func `an idle hour with a fifth of all datagrams lost ends nothing`(seed: UInt64) throws {
    let lan = EndpointLAN(
      seed: seed,
      impairment: Impairment(
        loss: 0.2, delay: .milliseconds(20), jitter: .milliseconds(20), duplicate: 0.05))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    let before = lan.network.statistics.sent
    lan.network.run(for: .seconds(3_600))
    for host in [first, second] { #expect(lan.leaves(at: host) == [], "\(replay(seed))") }
    let datagrams = lan.network.statistics.sent - before
    #expect(datagrams < 4_500, "\(datagrams) datagrams; \(replay(seed))")
    lan.check(replay(seed))
  }

  @Test(arguments: Seeds.some(10), [false, true])
  func `a peer that has fallen silent is gone within 15 seconds, once`(
    seed: UInt64, isTalkedTo: Bool
  ) throws {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(loss: 0.1, delay: .milliseconds(5)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    lan.network.run(for: .milliseconds(Int64(seed) * 777))
    lan.network.removeHost(second)
    let start = lan.network.now
    let before = lan.network.statistics.sent
    var isGone = false
    while !isGone && lan.network.now - start < .seconds(20) {
      if isTalkedTo { lan.send([1], from: first) }
      isGone = lan.network.run(until: lan.network.now + .milliseconds(100)) {
        lan.leaves(at: first) == [.timedOut]
      }
    }
    #expect(isGone && lan.network.now - start <= .seconds(15), "\(replay(seed))")
    // Whoever is talked to is sent what is said, and a probe a second; not more because of silence.
    let sent = lan.network.statistics.sent - before
    #expect(sent < (isTalkedTo ? 190 : 30), "\(sent) datagrams; \(replay(seed))")
    lan.network.run(for: .seconds(60))
    #expect(lan.leaves(at: first) == [.timedOut], "\(replay(seed))")
    #expect(lan.identifiers(at: first).isEmpty)
    lan.check(replay(seed))
  }
}
