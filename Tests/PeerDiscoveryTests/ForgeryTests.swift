import ChatTransport
import PeerDiscovery
import Primitives
import Testing

/// What forged beacons cost: each one at most one datagram, which is either an answer or what the
/// owner sends to a candidate that is less than itself, and never more bytes than came in.
struct ForgeryTests {
  private static let kinds: [Beacon.Kind] = [.announcement, .query, .observerQuery, .answer]

  /// The datagrams that `station` and its owner sent because of beacons, by destination.
  private func cost(_ station: Station) -> [SocketAddress: Int] {
    var cost: [SocketAddress: Int] = [:]
    for answer in station.answers { cost[answer.path.remote, default: 0] += 1 }
    for candidate in station.candidates where candidate.incarnation < .number(100) {
      cost[candidate.path.remote, default: 0] += 1
    }
    return cost
  }

  @Test(arguments: kinds, [50, 1_000_000] as [UInt64])
  func aSingleOneCostsAtMostOneDatagram(kind: Beacon.Kind, identity: UInt64) {
    let station = Station(name: String(repeating: "n", count: 64))
    let forged = Beacon.from(identity, kind: kind, name: "")
    station.receive(forged, .multicast())
    station.run(for: .seconds(1))
    #expect(cost(station).values.reduce(0, +) <= 1)
    #expect(station.answers.allSatisfy { $0.bytes.count <= forged.bytes.count })
  }

  /// 10,000 in one second, in the name of one address, from ever new incarnations.
  @Test(arguments: kinds) func manyFromOneAddress(kind: Beacon.Kind) {
    let station = Station()
    station.run(for: .milliseconds(2_090))
    station.clear()
    let before = station.now
    for number in 0..<10_000 {
      station.run(until: before + .microseconds(Int64(number) * 99))
      let identity: UInt64 = number.isMultiple(of: 2) ? 1_000 : 0
      station.receive(.from(identity, epoch: UInt64(number), kind: kind), .multicast())
    }
    station.run(for: .seconds(1))
    // Answers: one a second. Candidates: 32 a second, of which the owner dials the lesser half.
    #expect(station.answers.count <= 6)
    #expect(station.candidates.count <= 32)
    #expect(station.sightings.count <= 1_024)
  }

  /// The port does not multiply what one host can be made to receive.
  @Test(arguments: kinds) func manyFromOneHost(kind: Beacon.Kind) {
    let station = Station()
    for number in 0..<10_000 {
      let port = UInt16(10_000 + number)
      let identity = UInt64(number.isMultiple(of: 2) ? 1_000_000 + number : 1)
      let forged = Beacon.from(identity, epoch: UInt64(number), kind: kind)
      station.receive(forged, .multicast(port: port))
    }
    station.run(for: .milliseconds(999))
    #expect(cost(station).values.allSatisfy { $0 <= 1 })
    #expect(cost(station).count <= 64)
  }

  /// 10,000 at once, each in the name of another address.
  @Test(arguments: kinds) func manyFromManyAddresses(kind: Beacon.Kind) {
    let station = Station(interfaces: [.second])
    for number in 0..<10_000 {
      let host = IPAddress(10, 1, UInt8(100 + number / 200), UInt8(1 + number % 200))
      let identity = UInt64(number.isMultiple(of: 2) ? 1_000_000 + number : 1)
      let forged = Beacon.from(identity, epoch: UInt64(number), kind: kind, next: .max)
      station.receive(forged, .multicast(from: host, interface: 3))
    }
    station.run(for: .milliseconds(999))
    #expect(cost(station).values.allSatisfy { $0 <= 1 })
    #expect(station.answers.count <= 256)
    #expect(station.candidates.count <= 1_024)
    #expect(station.sightings.count <= 1_024)
    if kind != .observerQuery { #expect(station.statistics.sightingsEvicted == 10_000 - 1_024) }
  }

  /// Forged beacons that announce to stay for minutes do not keep out who comes after them.
  @Test func afterAFloodANewcomerIsSeen() {
    let station = Station(interfaces: [.second])
    for number in 0..<5_000 {
      let host = IPAddress(10, 1, UInt8(100 + number / 200), UInt8(1 + number % 200))
      station.receive(
        .from(UInt64(1_000 + number), next: .max), .multicast(from: host, interface: 3))
    }
    station.run(for: .milliseconds(1_001))
    station.clear()
    station.receive(.from(500), .multicast(from: IPAddress(10, 1, 7, 7), interface: 3))
    station.run(for: .milliseconds(200))
    #expect(station.candidates.map(\.incarnation) == [.number(500)])
    #expect(station.answers.map(\.path.remote.ip) == [IPAddress(10, 1, 7, 7)])
    #expect(station.sightings.contains { $0.incarnation == .number(500) })
  }

  /// Somebody's incarnation claimed from many places does not push out where it is really heard.
  @Test func thePathsOfOneIncarnationAreBounded() {
    let station = Station()
    for number in 0..<100 {
      station.receive(.from(), .multicast(port: UInt16(10_000 + number)))
      station.run(for: .milliseconds(1))
      station.receive(.from(), .multicast())
    }
    let paths = station.sightings.first?.paths ?? []
    #expect(paths.count == 8)
    #expect(paths.contains { $0.remote.port == 28_421 })
  }

  @Test(arguments: UInt64(1)...10) func hostileBytesNeitherTrapNorPassUncounted(seed: UInt64) {
    let station = Station(seed: seed)
    var generator = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      var bytes = Beacon.from(kind: .announcement, name: "Leia").bytes
      for _ in 0...(generator.next() % 3) {
        bytes[Int(generator.next() % 45)] ^= 1 << UInt8(generator.next() % 8)
      }
      bytes.removeLast(Int(generator.next() % 3) * 80)
      station.receive(bytes, .multicast(port: UInt16(generator.next() % 65_536)))
      station.run(for: .milliseconds(1))
    }
    let seen = station.statistics.beaconsReceived + station.statistics.dropped
    #expect(seen == 1_000, "seed \(seed)")
  }
}
