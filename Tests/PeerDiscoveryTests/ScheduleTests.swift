import PeerDiscovery
import Primitives
import Testing

private func milliseconds(_ sent: [Sent]) -> [Double] {
  sent.map { ($0.at - .zero).milliseconds }
}

struct ScheduleTests {
  @Test(arguments: UInt64(1)...10) func aBurstGoesOutInBothFamilies(seed: UInt64) {
    let station = Station(seed: seed)
    station.run(for: .milliseconds(2_130))
    for family in IPAddress.Family.allCases {
      let times = milliseconds(station.sent.filter { $0.path.remote.ip.family == family })
      try? #require(times.count == 6, "seed \(seed)")
      for (time, offset) in zip(times, [0.0, 100, 300, 700, 1_200, 2_000]) {
        #expect((offset...offset + 120).contains(time), "seed \(seed): \(time)")
      }
    }
  }

  @Test func aBeaconHasAddressIndexAndScope() {
    let station = Station(interfaces: [.loopback, .ethernet])
    station.run(for: .milliseconds(50))
    let ipv4 = SocketAddress(ip: LANDefaults.ipv4Group, port: 28_420)
    let ipv6 = SocketAddress(ip: LANDefaults.ipv6Group, port: 28_420, scope: 2)
    let expected: Set = [
      Path(remote: ipv4, local: IPAddress(127, 0, 0, 1), interface: 1),
      Path(remote: ipv4, local: .ours, interface: 2),
      Path(remote: ipv6, local: .ourLinkLocal, interface: 2),
    ]
    #expect(station.sent.count == 3)
    #expect(Set(station.sent.map(\.path)) == expected)
    #expect(station.sent.allSatisfy { $0.beacon?.kind == .query })
  }

  @Test(arguments: UInt64(1)...10) func afterwardsTheFamiliesTakeTurns(seed: UInt64) {
    let station = Station(seed: seed)
    station.run(for: .milliseconds(2_130))
    station.clear()
    station.run(for: .seconds(60))
    let times = milliseconds(station.sent)
    #expect((27...33).contains(times.count), "seed \(seed)")
    for (earlier, later) in zip(times, times.dropFirst()) {
      #expect((1_800...2_200).contains(later - earlier), "seed \(seed)")
    }
    let families = station.sent.map(\.path.remote.ip.family)
    #expect(zip(families, families.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed)")
    #expect(station.sent.allSatisfy { $0.beacon?.nextInMilliseconds == 4_000 })
  }

  /// Each sends less than one beacon a second, and all together no more than ten, beside chance.
  @Test(arguments: [0, 1, 19, 20, 49, 199, 599, 100_000])
  func theIntervalGrowsWithTheNumberOfPeers(peerCount: Int) {
    let station = Station()
    station.discovery.connected = .strangers(peerCount)
    station.run(for: .seconds(2) + .milliseconds(90))
    station.clear()
    station.run(for: .seconds(6_000))
    let perSecond = Double(station.sent.count) / 6_000
    let interval = min(max(2, Double(peerCount + 1) * 0.1), 60)
    #expect(abs(perSecond * interval - 1) < 0.05)
    if peerCount < 600 { #expect(perSecond * Double(peerCount + 1) < 10.5) }
  }

  @Test func whatIsAnnouncedFitsInItsField() {
    let station = Station()
    station.discovery.connected = .strangers(100_000)
    station.run(for: .milliseconds(50))
    #expect(station.sent.first?.beacon?.nextInMilliseconds == .max)
  }

  @Test(arguments: [Interval.milliseconds(50), .milliseconds(2_130)])
  func aSuspensionIsNotMadeUpFor(before: Interval) throws {
    let station = Station()
    station.run(for: before)
    station.clear()
    station.jump(by: .seconds(3_600))
    #expect((1...2).contains(station.sent.count))
    #expect(try #require(station.deadline) > station.now)
  }

  @Test func goodbyeIsSaidThreeTimesOnEachNetworkAndThenNothing() {
    let station = Station(interfaces: [.ethernet, .second])
    station.run(for: .seconds(5))
    station.receive(.from(), .multicast())
    station.clear()
    let start = station.now
    station.goodbye()
    #expect(!station.hasDeparted)
    station.run(for: .seconds(100))
    #expect(station.hasDeparted)
    #expect(station.sent.count == 9)
    #expect(station.sent.allSatisfy { $0.beacon?.kind == .goodbye })
    #expect(station.sent.map { ($0.at - start).milliseconds } == [0, 0, 0, 20, 20, 20, 40, 40, 40])
    #expect(station.deadline == nil)
    station.receive(.from(), .multicast())
    #expect(station.statistics[.notListening] == 1)
  }

  @Test func whereDiscoveryIsOffNothingIsJoinedSentOrHeard() {
    var configuration = DiscoveryConfiguration()
    configuration.isEnabled = false
    let station = Station(configuration: configuration)
    station.receive(.from(kind: .observerQuery), .unicast())
    station.receive(.from(), .multicast())
    station.run(for: .seconds(100))
    station.goodbye()
    #expect(station.sent.isEmpty)
    #expect(station.events.isEmpty)
    #expect(station.memberships.isEmpty)
    #expect(station.deadline == nil)
    #expect(station.statistics[.notListening] == 2)
  }

  @Test func theSameSeedGivesTheSameBytesAtTheSameTimes() {
    func run(seed: UInt64) -> [Sent] {
      let station = Station(seed: seed)
      for number in 0..<200 {
        let host = IPAddress(192, 168, 1, UInt8(20 + number))
        station.receive(.from(UInt64(200 + number)), .multicast(from: host))
        station.run(for: .milliseconds(37))
      }
      station.goodbye()
      station.run(for: .seconds(1))
      return station.sent
    }
    #expect(run(seed: 7) == run(seed: 7))
    #expect(run(seed: 7) != run(seed: 8))
  }
}
