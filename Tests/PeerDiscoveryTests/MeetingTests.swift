import ChatTransport
import PeerDiscovery
import Primitives
import Testing

/// Several machines on one network of hosts 192.168.1.1 and on, each with both families.
private final class Network {
  private(set) var stations: [Station] = []
  private var loss: SplitMix64
  private let lossPercent: UInt64
  private var taken: [Int] = []

  init(lossPercent: UInt64, seed: UInt64) {
    self.lossPercent = lossPercent
    loss = SplitMix64(seed: seed)
  }

  func add(_ configuration: DiscoveryConfiguration = DiscoveryConfiguration(), at now: Instant) {
    let number = UInt64(stations.count + 1)
    let interface = NetworkInterface(
      index: 2, name: "eth0",
      addresses: [
        .init(ip: IPAddress(192, 168, 1, UInt8(number)), prefixLength: 24),
        .init(ip: IPAddress(ipv6High: 0xFE80 << 48, low: number), prefixLength: 64),
      ])
    let station = Station(
      identity: mix64(number), name: "\(number)", seed: number, configuration: configuration,
      interfaces: [])
    station.run(until: now)
    station.change([interface])
    stations.append(station)
    taken.append(0)
  }

  /// Lets time pass in steps of a millisecond, which is also how long a datagram takes.
  func run(for interval: Interval) {
    for _ in 0..<(interval.nanoseconds / 1_000_000) {
      for station in stations { station.run(for: .milliseconds(1)) }
      for (index, station) in stations.enumerated() {
        let sent = station.sent[taken[index]...]
        taken[index] = station.sent.count
        for datagram in sent { deliver(datagram) }
      }
    }
  }

  private func deliver(_ sent: Sent) {
    guard let source = sent.path.local else { return }
    for station in stations {
      let isReceiver =
        sent.path.remote.ip.isMulticast
        || station.discovery.memberships.contains { $0.local == sent.path.remote.ip }
      guard isReceiver, loss.next() % 100 >= lossPercent else { continue }
      let path = Path(
        remote: SocketAddress(ip: source, port: 28_421), local: sent.path.remote.ip, interface: 2)
      station.receive(sent.bytes, Arrival(path: path, hopLimit: 255))
    }
  }
}

struct MeetingTests {
  /// Two have met when the greater of them, who dials, knows of the lesser. Without loss that takes
  /// one beacon or answer, and with 20 % of them lost all but never more than a burst.
  @Test(arguments: [(0, 250), (20, 2_250)] as [(UInt64, Int64)], UInt64(1)...5)
  func twentyPeersAllMeet(network condition: (lossPercent: UInt64, within: Int64), seed: UInt64) {
    let network = Network(lossPercent: condition.lossPercent, seed: seed)
    for _ in 0..<20 { network.add(at: .zero) }
    network.run(for: .milliseconds(condition.within))
    let stations = network.stations.sorted { $0.local < $1.local }
    for (rank, station) in stations.enumerated() {
      let lesser = Set(station.candidates.map(\.incarnation)).filter { $0 < station.local }
      #expect(lesser.count == rank, "seed \(seed)")
    }
  }

  @Test func aLatecomerMeetsThoseWhoAreThereWithoutWaitingForTheirBeacons() {
    let network = Network(lossPercent: 0, seed: 1)
    for _ in 0..<10 {
      network.add(at: .zero)
      network.stations.last?.discovery.connected = .strangers(199)
    }
    network.run(for: .seconds(5))
    network.add(at: .zero + .seconds(5))
    network.run(for: .milliseconds(200))
    let newcomer = network.stations[10]
    for station in network.stations.dropLast() {
      let (lesser, greater) =
        station.local < newcomer.local ? (station, newcomer) : (newcomer, station)
      #expect(greater.candidates.contains { $0.incarnation == lesser.local })
    }
  }

  @Test(arguments: UInt64(1)...5) func anObserverSeesAllAndNobodySeesIt(seed: UInt64) {
    let network = Network(lossPercent: 20, seed: seed)
    for _ in 0..<20 {
      network.add(at: .zero)
      network.stations.last?.discovery.connected = .strangers(19)
    }
    network.run(for: .seconds(4))
    var configuration = DiscoveryConfiguration()
    configuration.isObserver = true
    network.add(configuration, at: .zero + .seconds(4))
    network.run(for: .seconds(3))
    #expect(network.stations[20].sightings.count == 20, "seed \(seed)")
    #expect(network.stations[20].candidates.isEmpty)
    for station in network.stations.dropLast() {
      #expect(station.sightings.count == 19, "seed \(seed)")
    }
  }
}
