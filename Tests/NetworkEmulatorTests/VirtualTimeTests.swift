import NetworkEmulator
import Primitives
import Testing

/// How a virtual network moves time, and that its runs repeat.
struct VirtualTimeTests {
  @Test func stepMovesTimeToTheNextEvent() {
    let network = ToyNetwork(seed: 1, impairment: Impairment(delay: .milliseconds(7)))
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.withMachine(b) { machine, now in machine.deadline = now + .milliseconds(9) }
    network.send([1], from: a, to: b)
    #expect(network.nextEvent == .zero + .milliseconds(7))
    #expect(network.step())
    #expect(network.now == .zero + .milliseconds(7))
    #expect(network.step())
    #expect(network.now == .zero + .milliseconds(9))
    #expect(!network.step())
    #expect(network.now == .zero + .milliseconds(9))
  }

  @Test func runIncludesItsEndAndLeavesTimeThere() {
    let network = ToyNetwork(seed: 1)
    let a = network.addToy(1)
    network.withMachine(a) { machine, now in
      machine.period = .milliseconds(10)
      machine.deadline = now + .milliseconds(10)
    }
    #expect(network.run(until: .zero + .milliseconds(20)) == 2)
    #expect(network.run(for: .milliseconds(9)) == 0)
    #expect(network.now == .zero + .milliseconds(29))
  }

  @Test func runStopsAtItsLimitOfSteps() {
    let network = ToyNetwork(seed: 1)
    let a = network.addToy(1)
    network.withMachine(a) { machine, now in
      machine.period = .milliseconds(10)
      machine.deadline = now
    }
    #expect(network.run(until: .zero + .seconds(1), limit: 3) == 3)
    #expect(network.now == .zero + .milliseconds(20))
  }

  @Test func runStopsWhereItsConditionHolds() {
    let network = ToyNetwork(seed: 1, impairment: Impairment(delay: .milliseconds(7)))
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.send([1], from: a, to: b)
    let end = Instant.zero + .seconds(1)
    let condition = { !network.heard(by: b).isEmpty }
    #expect(network.run(until: end, stoppingWhen: condition))
    #expect(network.now == .zero + .milliseconds(7))
    #expect(!network.run(until: end, stoppingWhen: { false }))
    #expect(network.now == end)
  }

  @Test func deadlineInThePastIsDueNow() {
    let network = ToyNetwork(seed: 1, startingAt: .zero + .seconds(100))
    let a = network.addToy(1)
    network.withMachine(a) { machine, _ in machine.deadline = .zero + .seconds(1) }
    #expect(network.nextEvent == .zero + .seconds(100))
    network.step()
    #expect(network.withMachine(a) { machine, _ in machine.advances } == [.zero + .seconds(100)])
  }

  @Test func datagramsGoBeforeDeadlinesOfTheSameInstant() {
    let network = ToyNetwork(seed: 1, impairment: Impairment(delay: .milliseconds(7)))
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.withMachine(a) { machine, now in machine.deadline = now + .milliseconds(7) }
    network.send([1], from: a, to: b)
    network.step()
    #expect(network.heard(by: b).count == 1)
    #expect(network.withMachine(a) { machine, _ in machine.advances.isEmpty })
  }

  @Test func activityIsSeenBeforeWhatIsToBeSentIsPulled() {
    let network = ToyNetwork(seed: 1)
    let a = network.addToy(1)
    let b = network.addToy(2)
    let answer = network.path(from: b, to: a)
    network.onActivity = { host, machine, _ in
      guard host == b, machine.heard.count == 1 else { return }
      machine.heard = []
      machine.send([2], on: answer)
    }
    network.send([1], from: a, to: b)
    network.run(for: .seconds(1))
    #expect(network.heard(by: a).map(\.bytes) == [[2]])
  }

  @Test func errorOfABodyIsPassedOnAndItsDatagramsAreSent() {
    struct Failure: Error, Equatable {}
    let network = ToyNetwork(seed: 1)
    let a = network.addToy(1)
    let b = network.addToy(2)
    let path = network.path(from: a, to: b)
    #expect(throws: Failure()) {
      try network.withMachine(a) { machine, _ throws(Failure) in
        machine.send([1], on: path)
        throw Failure()
      }
    }
    #expect(network.countUnderWay == 1)
  }

  @Test(arguments: 0..<5)
  func sameSeedGivesTheSameRunBitForBit(seed: UInt64) {
    let first = Self.chatter(seed: seed)
    let second = Self.chatter(seed: seed)
    #expect(first.count > 1_000)
    #expect(first == second, "seed \(seed)")
    #expect(first != Self.chatter(seed: seed + 1), "seed \(seed)")
  }

  @Test func fatesDoNotDependOnOtherHostsAndGroups() {
    #expect(Self.heardOnOneLink(amongOthers: false) == Self.heardOnOneLink(amongOthers: true))
  }

  @Test func machineWhoseDeadlineStandsStillIsReported() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let network = ToyNetwork(seed: 77)
      network.maximumStepsAtOneInstant = 1_000
      let a = network.addToy(1)
      network.withMachine(a) { machine, now in
        machine.deadline = now
        machine.period = .zero
      }
      network.run(for: .seconds(1))
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("seed 77, 0 ns: 1000 steps without time moving on"))
    #expect(message.contains("advanced host 0"))
  }

  @Test func hostsThatAnswerEachOtherForEverAreReported() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let network = ToyNetwork(seed: 77)
      network.maximumStepsAtOneInstant = 1_000
      let hosts = [network.addToy(1), network.addToy(2)]
      for host in hosts { network.withMachine(host) { machine, _ in machine.echoes = true } }
      network.send([1], from: hosts[0], to: hosts[1])
      network.run(for: .seconds(1))
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("delivered 1 bytes to host"))
  }

  /// Everything that happens between five hosts which chatter and echo over a bad network.
  private static func chatter(seed: UInt64) -> [CapturedDatagram] {
    let group = SocketAddress(ip: IPAddress(239, 1, 2, 3), port: 5_000)
    let network = ToyNetwork(
      seed: seed,
      impairment: Impairment(
        loss: 0.2, delay: .milliseconds(20), jitter: .milliseconds(5), duplicate: 0.1,
        reorder: 0.1))
    var captured: [CapturedDatagram] = []
    network.tap = { captured.append($0) }
    let hosts = (1...5).map { network.addToy($0, groups: [group]) }
    for host in hosts {
      let friends = hosts.filter { $0 != host }.map { network.path(from: host, to: $0) }
      network.withMachine(host) { machine, now in
        machine.friends = friends + [Path(remote: group)]
        machine.period = .milliseconds(10)
        machine.deadline = now
        machine.echoes = host.number == 0
      }
    }
    network.run(for: .seconds(1))
    return captured
  }

  private static func heardOnOneLink(amongOthers: Bool) -> [ToyMachine.Heard] {
    let group = SocketAddress(ip: IPAddress(239, 1, 2, 3), port: 5_000)
    let network = ToyNetwork(
      seed: 3, impairment: Impairment(loss: 0.3, delay: .milliseconds(9), jitter: .milliseconds(4)))
    let a = network.addToy(1)
    let b = network.addToy(2, groups: [group])
    let c = amongOthers ? network.addToy(3, groups: [group]) : nil
    for number in 0..<100 {
      if let c {
        network.send([0], from: a, on: Path(remote: group))
        network.send([0], from: a, to: c)
      }
      network.send([UInt8(number)], from: a, to: b)
      network.run(for: .milliseconds(1))
    }
    network.run(for: .seconds(1))
    return network.heard(by: b).filter { $0.arrival.path.local != group.ip }
  }
}
