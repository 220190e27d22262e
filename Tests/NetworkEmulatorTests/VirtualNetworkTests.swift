import NetworkEmulator
import Primitives
import Testing

/// Links, partitions, crashes and counters of a virtual network.
struct VirtualNetworkTests {
  let network = ToyNetwork(seed: 1)
  static let group = SocketAddress(ip: IPAddress(239, 1, 2, 3), port: 5_000)

  @Test func receiversOfAGroupHaveFatesOfTheirOwn() {
    network.impairment = Impairment(loss: 0.5)
    let a = network.addToy(1, groups: [Self.group])
    let others = (2...4).map { network.addToy($0, groups: [Self.group]) }
    for number in 0..<200 {
      network.send([UInt8(number)], from: a, on: Path(remote: Self.group))
      network.run(for: .milliseconds(1))
    }
    let heard = others.map { network.heard(by: $0).map(\.bytes) }
    #expect(Set(heard).count == 3)
    #expect(heard.allSatisfy { isPlausible($0.count, of: 200, probability: 0.5) })
    #expect(network.heard(by: a).count == 200)
  }

  @Test func settingOfADirectionGoesBeforeTheCommonOne() {
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.impairment = Impairment(delay: .milliseconds(10))
    network.setImpairment(Impairment(delay: .milliseconds(3)), from: a, to: b)
    network.send([1], from: a, to: b)
    network.send([2], from: b, to: a)
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.time) == [.zero + .milliseconds(3)])
    #expect(network.heard(by: a).map(\.time) == [.zero + .milliseconds(10)])
  }

  @Test func settingOfASegmentGoesBeforeThatOfAll() {
    let a = network.addToy(1, on: [0, 1])
    let b = network.addToy(2, on: [0, 1])
    network.setImpairment(Impairment(loss: 1), between: a, and: b, on: 1)
    network.setImpairment(Impairment(delay: .milliseconds(1)), between: a, and: b)
    for segment in [0, 1] {
      network.send([UInt8(segment)], from: a, on: network.path(from: a, to: b, on: segment))
    }
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.bytes) == [[0]])
  }

  @Test func impairmentsCanBeChangedDuringTheRun() {
    let a = network.addToy(1)
    let b = network.addToy(2)
    func pass() -> Int {
      let before = network.heard(by: b).count
      for _ in 0..<10 { network.send([1], from: a, to: b) }
      network.run(for: .seconds(1))
      return network.heard(by: b).count - before
    }
    #expect(pass() == 10)
    network.impairment = Impairment(loss: 1)
    #expect(pass() == 0)
    network.setImpairment(Impairment(duplicate: 1), from: a, to: b)
    #expect(pass() == 20)
    network.setImpairment(nil, from: a, to: b)
    #expect(pass() == 0)
  }

  @Test func partitionCutsBothWaysAndEndsWithHealing() {
    let hosts = (1...4).map { network.addToy($0) }
    func reached(from sender: HostID) -> [HostID] {
      let before = hosts.map { network.heard(by: $0).count }
      for host in hosts where host != sender { network.send([1], from: sender, to: host) }
      network.run(for: .seconds(1))
      return zip(hosts, before).filter { network.heard(by: $0).count > $1 }.map(\.0)
    }
    network.partition([hosts[0], hosts[1]])
    network.partition([hosts[3]])
    #expect(reached(from: hosts[0]) == [hosts[1]])
    #expect(reached(from: hosts[2]) == [])
    #expect(reached(from: hosts[3]) == [])
    #expect(network.statistics.partitioned == 8)
    network.heal()
    #expect(reached(from: hosts[3]) == [hosts[0], hosts[1], hosts[2]])
  }

  @Test func partitionStopsWhatIsUnderWay() {
    network.impairment = Impairment(delay: .milliseconds(10))
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.send([1], from: a, to: b)
    network.partition([a])
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).isEmpty)
    #expect(network.statistics.partitioned == 1)
  }

  @Test func healingDoesNotBringBackWhatWasSentBefore() {
    network.impairment = Impairment(delay: .milliseconds(10))
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.partition([a])
    network.send([1], from: a, to: b)
    network.heal()
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).isEmpty)
    #expect(network.statistics.partitioned == 1)
  }

  @Test func removedHostHearsAndSendsNothing() {
    network.impairment = Impairment(delay: .milliseconds(10))
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.withMachine(b) { machine, now in
      machine.period = .milliseconds(1)
      machine.deadline = now
    }
    network.send([1], from: a, to: b)
    network.send([2], from: b, to: a)
    network.removeHost(b)
    network.run(for: .seconds(1))
    #expect(network.statistics.receiverGone == 1)
    #expect(network.heard(by: a).map(\.bytes) == [[2]])
    network.send([3], from: a, on: Path(remote: HostConfiguration.numbered(2).address()))
    #expect(network.statistics.unreachable == 1)
    #expect(network.hosts == [a])
  }

  @Test func addressOfARemovedHostCanBeTakenAgain() {
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.send([1], from: a, to: b)
    network.run(for: .seconds(1))
    network.removeHost(b)
    let c = network.addToy(2)
    #expect(c != b)
    network.send([1], from: a, to: c)
    network.run(for: .seconds(1))
    #expect(network.heard(by: c).count == 1)
  }

  @Test func restartedHostHasANewMachineWithAnotherSeed() {
    var seeds: [UInt64] = []
    let a = network.addToy(1)
    let b = network.addHost(.numbered(2)) { seed, _ in
      seeds.append(seed)
      return ToyMachine()
    }
    network.impairment = Impairment(delay: .milliseconds(10))
    network.send([1], from: a, to: b)
    network.restartHost(b) { seed, _ in
      seeds.append(seed)
      return ToyMachine()
    }
    network.run(for: .seconds(1))
    #expect(seeds.count == 2 && seeds[0] != seeds[1])
    #expect(network.heard(by: b).map(\.bytes) == [[1]])
  }

  @Test func interfaceThatIsDownNeitherSendsNorHears() {
    let a = network.addToy(1, groups: [Self.group])
    let b = network.addToy(2, groups: [Self.group])
    network.impairment = Impairment(delay: .milliseconds(10))
    network.send([1], from: a, to: b)
    network.setInterface(21, of: b, isUp: false)
    network.send([2], from: b, to: a)
    network.send([3], from: a, to: b)
    network.send([4], from: a, on: Path(remote: Self.group))
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).isEmpty)
    #expect(network.heard(by: a).map(\.bytes) == [[4]])
    let statistics = network.statistics
    #expect([statistics.receiverGone, statistics.unroutable, statistics.unreachable] == [1, 1, 1])
    network.setInterface(21, of: b, isUp: true)
    network.send([5], from: a, to: b)
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.bytes) == [[5]])
  }

  @Test func trafficCountsWhatWasSentToAnAddressEvenIfLost() {
    network.impairment = Impairment(loss: 1)
    let a = network.addToy(1)
    let victim = network.addSilentHost(.numbered(2))
    let address = network.configuration(of: victim).address()
    network.send([1, 2, 3], from: a, on: network.path(from: a, to: victim))
    network.send([1, 2], from: a, on: Path(remote: address))
    #expect(network.traffic(from: a, to: address) == (datagrams: 2, bytes: 5))
    let other = SocketAddress(ip: address.ip, port: 1)
    #expect(network.traffic(from: a, to: other) == (datagrams: 0, bytes: 0))
    #expect(network.statistics(from: a, to: victim).lost == 2)
  }

  @Test func injectedDatagramArrivesAsItIsForged() {
    network.impairment = Impairment(loss: 1)
    let a = network.addToy(1)
    let arrival = Arrival(
      path: Path(
        remote: SocketAddress(ip: IPAddress(203, 0, 113, 9), port: 99), local: Self.group.ip,
        interface: 11),
      hopLimit: 3)
    network.inject([7], into: a, arrival: arrival, after: .milliseconds(5))
    network.run(for: .seconds(1))
    #expect(
      network.heard(by: a)
        == [ToyMachine.Heard(bytes: [7], arrival: arrival, time: .zero + .milliseconds(5))])
    #expect(network.statistics.injected == 1)
    #expect(network.statistics.sent == 0)
  }

  @Test func whatExceedsTheCapacityIsDroppedAndCounted() {
    network.impairment = Impairment(delay: .milliseconds(10))
    network.capacity = 2
    let a = network.addToy(1)
    let b = network.addToy(2)
    for number in 0..<5 { network.send([UInt8(number)], from: a, to: b) }
    #expect(network.countUnderWay == 2)
    #expect(network.statistics.overflowed == 3)
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.bytes) == [[0], [1]])
  }

  @Test func statisticsAddUp() {
    network.impairment = Impairment(
      loss: 0.2, delay: .milliseconds(20), jitter: .milliseconds(5), duplicate: 0.1, reorder: 0.1)
    let a = network.addToy(1)
    let b = network.addToy(2)
    for number in 0..<500 {
      network.send([UInt8(number & 0xFF)], from: a, to: b)
      network.run(for: .milliseconds(1))
    }
    network.run(for: .seconds(1))
    let statistics = network.statistics
    #expect(statistics.sent == 500)
    #expect(statistics.lost > 0 && statistics.duplicated > 0 && statistics.reordered > 0)
    #expect(statistics.sent + statistics.duplicated == statistics.lost + statistics.delivered)
    #expect(statistics.delivered == network.heard(by: b).count)
    let link = network.statistics(from: a, to: b)
    #expect(link.offered == 500)
    #expect(link.reordered == statistics.reordered)
    #expect(link.delivered == statistics.delivered)
  }
}
