import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// An attacker who has recorded everything, and plays it again: later, and from elsewhere.
struct ReplaySimulationTests {
  private func replay(_ seed: UInt64) -> String { Seeds.replay(seed, "ReplaySimulationTests") }

  /// A conversation over two paths, and all that arrived in it. (What was lost on the way would be
  /// as good as new.)
  private static func record(
    seed: UInt64
  ) throws -> (lan: EndpointLAN, first: HostID, second: HostID, record: [CapturedDatagram]) {
    let lan = EndpointLAN(
      seed: seed, impairment: Impairment(loss: 0.1, delay: .milliseconds(5), reorder: 0.1))
    let (first, second) = (lan.add(5, segments: [0, 1]), lan.add(3, segments: [0, 1]))
    lan.isCapturing = true
    try lan.join(first, second)
    for number in UInt8(0)..<40 {
      let path = lan.network.path(from: first, to: second, on: 1)
      lan.noteCandidate(Pair.incarnation(3), on: path, at: first)
      for delivery in Delivery.allCases {
        for host in [first, second] { lan.send([number], from: host, delivery) }
      }
      lan.network.run(for: .milliseconds(100))
    }
    lan.network.run(for: .seconds(1))
    return (lan, first, second, lan.stopCapturing().filter { $0.event == .delivered })
  }

  @Test(
    "Played again it changes nothing, and brings nobody more than three times its bytes",
    arguments: Seeds.some(3), [0, 4, 15])
  func later(seed: UInt64, pause: Int64) throws {
    let (lan, first, second, record) = try Self.record(seed: seed)
    let stranger = lan.network.configuration(of: lan.addSilent(7)).address()
    lan.network.impairment = Impairment(delay: .milliseconds(5))
    lan.network.run(for: .seconds(pause))
    let told = [first, second].map { lan.events(at: $0).count }
    let statistics = lan.network.statistics
    var injectedBytes = 0
    for datagram in record {
      for host in [first, second] {
        for source in [datagram.source, stranger] {
          injectedBytes += datagram.bytes.count
          lan.forge(datagram.bytes, into: host, from: source)
        }
      }
      lan.network.run(for: .milliseconds(1))
    }
    lan.network.run(for: .seconds(10))
    #expect([first, second].map { lan.events(at: $0).count } == told, "\(replay(seed))")
    #expect(lan.isSingle(first, second), "\(replay(seed))")
    let answered = lan.network.statistics.sentBytes - statistics.sentBytes
    #expect(answered < injectedBytes, "\(answered) for \(injectedBytes) bytes; \(replay(seed))")
    let before = lan.payloads(at: second).count
    for number in UInt8(0)..<20 { lan.send([number], from: first) }
    lan.network.run(for: .seconds(3))
    #expect(lan.payloads(at: second).dropFirst(before) == (0..<20).map { [$0] }[...])
    lan.check(replay(seed))
  }

  @Test("Played to one who has left the conversation it does nothing", arguments: Seeds.some(3))
  func afterTheEnd(seed: UInt64) throws {
    let (lan, first, second, record) = try Self.record(seed: seed)
    let peer = try #require(lan.joins(at: first).first)
    lan.with(first) { endpoint, now in endpoint.disconnect(peer, at: now) }
    lan.network.run(for: .milliseconds(100))
    lan.network.removeHost(second)
    let told = lan.events(at: first).count
    for pause in [Int64(0), 5, 20] {
      lan.network.run(for: .seconds(pause))
      for datagram in record {
        lan.forge(datagram.bytes, into: first, from: datagram.source)
        lan.network.run(for: .milliseconds(1))
      }
    }
    lan.network.run(for: .seconds(10))
    // Calls to the named address go on, and there is nobody; nothing else is told.
    let later = lan.events(at: first).dropFirst(told).filter { event in
      if case .waiting = event { false } else { true }
    }
    #expect(later == [], "\(replay(seed))")
    #expect(lan.identifiers(at: first).isEmpty, "\(replay(seed))")
    lan.check(replay(seed))
  }
}
