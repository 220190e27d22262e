import ChatTransport
import PeerDiscovery
import Primitives
import Testing

struct SightingTests {
  @Test func aBeaconMakesACandidate() {
    let station = Station()
    station.receive(.from(), .multicast())
    let path = Path(remote: SocketAddress(ip: .theirs, port: 28_421), local: .ours, interface: 2)
    #expect(
      station.events == [
        .candidate(Candidate(incarnation: .number(200), name: "Leia", path: path, beaconSize: 160))
      ])
  }

  @Test func aCandidateIsToldSixTimesASecondForEachPath() {
    let station = Station()
    let start = station.now
    for step in 0..<30 {
      station.run(until: start + .milliseconds(Int64(step) * 100))
      station.receive(.from(), .multicast())
      station.receive(.from(), .multicast(from: .theirLinkLocal, hopLimit: 255))
    }
    #expect(station.candidates.count == 36)
    #expect(Set(station.candidates.map(\.path)).count == 2)
    #expect(station.statistics.candidatesWithheld == 0)
  }

  @Test func ourOwnBeaconsAreIgnored() {
    let station = Station()
    station.run(for: .milliseconds(50))
    for sent in station.sent {
      guard let source = sent.path.local else { continue }
      station.receive(sent.bytes, .multicast(from: source, hopLimit: 255))
    }
    #expect(station.events.isEmpty)
    #expect(station.statistics[.own] == 2)
  }

  @Test func anotherLifeOfOurIdentityIsSomebodyElse() {
    let station = Station(epoch: 5)
    station.receive(.from(100, epoch: 5), .multicast())
    #expect(station.candidates.isEmpty)
    station.receive(.from(100, epoch: 4), .multicast(port: 28_422))
    station.receive(.from(100, epoch: 6), .multicast(port: 28_423))
    #expect(
      station.candidates.map(\.incarnation) == [.number(100, epoch: 4), .number(100, epoch: 6)])
    station.run(for: .milliseconds(200))
    #expect(station.answers.map(\.path.remote.port) == [28_423])
  }

  @Test func onlyThoseWhoShareATopicAreSeen() {
    let topics = (1...3).map { Topic(hash: $0) }
    let station = Station(topics: [topics[0], topics[1]])
    station.receive(.from(201, topics: [topics[2]]), .multicast())
    station.receive(.from(202, topics: [topics[1], topics[2]]), .multicast())
    station.receive(.from(203, kind: .observerQuery, topics: [topics[2]]), .unicast(port: 5_000))
    station.run(for: .milliseconds(200))
    #expect(station.candidates.map(\.incarnation) == [.number(202)])
    #expect(station.sightings.map(\.incarnation) == [.number(202)])
    #expect(station.answers.map(\.path.remote.port) == [28_421])
    #expect(station.statistics[.otherTopic] == 2)
  }

  @Test func whatIsNoBeaconIsCounted() {
    let station = Station()
    station.receive([], .multicast())
    station.receive(Array("msg:hi".utf8), .multicast())
    var next = Beacon.from().bytes
    next[1] = 2
    station.receive(next, .multicast())
    #expect(station.statistics[.malformed] == 2)
    #expect(station.statistics[.unsupportedVersion] == 1)
    #expect(station.events.isEmpty)
  }

  @Test func aPeerIsGivenUpAfterThreeOfItsIntervals() {
    let station = Station()
    station.receive(.from(201, next: 4_000), .multicast())
    station.receive(.from(202, next: 0), .multicast(port: 28_422))
    station.run(until: .zero + .milliseconds(5_999))
    #expect(station.sightings.map(\.incarnation) == [.number(201), .number(202)])
    station.run(until: .zero + .milliseconds(6_000))
    #expect(station.sightings.map(\.incarnation) == [.number(201)])
    station.run(until: .zero + .milliseconds(11_999))
    #expect(station.sightings.map(\.incarnation) == [.number(201)])
    station.run(until: .zero + .milliseconds(12_000))
    #expect(station.sightings.isEmpty)
  }

  @Test func aPeerOnTwoPathsIsOneSighting() {
    let station = Station()
    station.receive(.from(), .multicast())
    station.run(for: .milliseconds(10))
    station.receive(.from(), .multicast(from: .theirLinkLocal, hopLimit: 255))
    #expect(station.sightings.count == 1)
    #expect(station.sightings.first?.paths.map(\.remote.ip) == [.theirs, .theirLinkLocal])
    #expect(station.sightings.first?.lastSeen == station.now)
  }

  @Test func aNameChangesOnlyFromAKnownPath() {
    let station = Station()
    station.receive(.from(name: "Leia"), .multicast())
    station.receive(.from(name: "Vader"), .multicast(port: 666))
    #expect(station.sightings.map(\.name) == ["Leia"])
    station.receive(.from(name: "General"), .multicast())
    #expect(station.sightings.map(\.name) == ["General"])
  }

  @Test func aGoodbyeCountsOnlyFromWhereThePeerWasSeen() {
    let station = Station()
    station.receive(.from(), .multicast())
    station.receive(.from(), .multicast(from: .theirLinkLocal, hopLimit: 255))
    station.clear()
    station.receive(.from(kind: .goodbye), .multicast(port: 666))
    station.receive(.from(kind: .goodbye), .multicast(from: IPAddress(192, 168, 1, 66)))
    station.receive(.from(epoch: 2, kind: .goodbye), .multicast())
    #expect(station.events.isEmpty)
    #expect(station.statistics[.unknownDeparture] == 3)

    station.receive(.from(kind: .goodbye), .multicast())
    let path = Path(remote: SocketAddress(ip: .theirs, port: 28_421), local: .ours, interface: 2)
    #expect(station.events == [.departed(.number(200), path)])
    #expect(station.sightings.first?.paths.map(\.remote.ip) == [.theirLinkLocal])
    station.receive(.from(kind: .goodbye), .multicast())
    #expect(station.events.count == 1)
    station.receive(.from(kind: .goodbye), .multicast(from: .theirLinkLocal, hopLimit: 255))
    #expect(station.sightings.isEmpty)
  }

  @Test(arguments: [201, 202, 203] as [UInt64])
  func whoLeavesTakesNobodyElseAlong(leaving: UInt64) {
    let station = Station()
    let everybody: [UInt64] = [201, 202, 203]
    for number in everybody { station.receive(.from(number), .multicast(port: UInt16(number))) }
    station.receive(.from(leaving, kind: .goodbye), .multicast(port: UInt16(leaving)))
    let rest = everybody.filter { $0 != leaving }
    #expect(station.sightings.map(\.incarnation) == rest.map { .number($0) })
    for number in rest {
      station.receive(.from(number, name: "still"), .multicast(port: UInt16(number)))
      #expect(station.sightings.count == 2)
      station.receive(.from(number, kind: .goodbye), .multicast(port: UInt16(number)))
      station.receive(.from(number), .multicast(port: UInt16(number)))
    }
    #expect(station.sightings.map(\.incarnation) == rest.map { .number($0) })
    #expect(station.statistics.dropped == 0)
  }

  @Test func eventsThatNobodyPullsAreBounded() {
    var configuration = DiscoveryConfiguration()
    configuration.limits.events = 5
    let station = Station(configuration: configuration)
    for number in 0..<8 {
      let bytes = Beacon.from(UInt64(200 + number)).bytes
      let arrival = Arrival.multicast(port: UInt16(5_000 + number))
      station.discovery.receive(bytes.span, arrival: arrival, at: station.now)
    }
    #expect(station.statistics.eventsLost == 3)
  }
}
