import PeerDiscovery
import Primitives
import Testing

struct AnsweringTests {
  @Test(arguments: UInt64(1)...20) func anAnnouncementIsAnsweredUntilThereIsAConnection(
    seed: UInt64
  ) throws {
    let station = Station(seed: seed)
    for _ in 0..<20 {
      station.receive(.from(), .multicast())
      station.run(for: .milliseconds(400))
    }
    #expect(station.answers.count == 20, "seed \(seed)")
    let sender = try #require(station.candidates.first?.incarnation)
    station.discovery.connected = [sender]
    station.receive(.from(), .multicast())
    station.run(for: .milliseconds(400))
    #expect(station.answers.count == 20, "seed \(seed)")
    let answer = station.answers.first
    let path = Path(remote: SocketAddress(ip: .theirs, port: 28_421), local: .ours, interface: 2)
    #expect(answer?.path == path, "seed \(seed)")
    #expect(
      answer.map { (20...120).contains(($0.at - .zero).milliseconds) } == true, "seed \(seed)")
  }

  @Test func theGreaterOneDialsInsteadOfAnswering() {
    let station = Station()
    station.receive(.from(99), .multicast())
    station.receive(.from(98, kind: .query), .unicast(port: 5_000))
    station.run(for: .seconds(1))
    #expect(station.candidates.count == 2)
    #expect(station.answers.isEmpty)
  }

  @Test func anAnnouncementIsAnsweredOnlyWhereItCameByMulticast() {
    let station = Station()
    station.receive(.from(), .unicast())
    station.run(for: .seconds(1))
    #expect(station.candidates.count == 1)
    #expect(station.answers.isEmpty)
  }

  @Test func anAnswerIsNeverAnswered() {
    let station = Station()
    station.receive(.from(kind: .answer), .unicast())
    station.receive(.from(201, kind: .answer), .multicast(port: 5_000))
    station.run(for: .seconds(1))
    #expect(station.candidates.count == 2)
    #expect(station.answers.isEmpty)
  }

  @Test(arguments: [Beacon.Kind.query, .observerQuery])
  func aQueryIsAnsweredSixTimesASecond(kind: Beacon.Kind) {
    let station = Station()
    for _ in 0..<30 {
      station.receive(.from(kind: kind), .multicast())
      station.run(for: .milliseconds(100))
    }
    #expect(station.answers.count == 18)
    #expect(station.answers.first.map { ($0.at - .zero).milliseconds <= 100 } == true)
    #expect(station.statistics.answersWithheld == 12)
  }

  @Test func anObserverIsAnsweredButNeverSeen() {
    let station = Station()
    station.receive(.from(99, kind: .observerQuery), .multicast())
    station.run(for: .milliseconds(150))
    #expect(station.answers.count == 1)
    #expect(station.answers.first?.beacon?.name == "Luke")
    #expect(station.events.isEmpty)
    #expect(station.sightings.isEmpty)
  }

  @Test func anObserverAsksInABurstAndKeepsSilentAfterwards() {
    var configuration = DiscoveryConfiguration()
    configuration.isObserver = true
    let observer = Station(configuration: configuration)
    observer.run(for: .seconds(60))
    #expect(observer.sent.count == 12)
    #expect(observer.sent.allSatisfy { $0.beacon?.kind == .observerQuery })
    #expect(observer.deadline == nil)
    #expect(!observer.memberships.isEmpty)
    observer.goodbye()
    observer.run(for: .seconds(1))
    #expect(observer.sent.count == 12)
    #expect(observer.hasDeparted)
  }

  @Test func anObserverSeesAndDoesNotAnswer() {
    var configuration = DiscoveryConfiguration()
    configuration.isObserver = true
    let observer = Station(configuration: configuration)
    observer.receive(.from(kind: .answer), .unicast())
    observer.receive(.from(), .multicast())
    observer.receive(.from(201, kind: .observerQuery), .multicast(port: 5_000))
    observer.receive(.from(202, kind: .query), .multicast(port: 5_001))
    observer.run(for: .seconds(1))
    #expect(observer.answers.isEmpty)
    let sighted = observer.events.map { if case .sighted(let who) = $0 { who.name } else { "" } }
    #expect(sighted == ["Leia", "Leia"])
    #expect(observer.sightings.map(\.incarnation) == [.number(200), .number(202)])
    #expect(observer.statistics[.observer] == 1)
  }
}
