import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

/// One run of the whole datagram machine in virtual time, with one seed for everything.
///
/// First things go wrong, and checkers watch what must never happen. Then the network heals, and
/// everything that was promised has to come true within a bounded time. Then there is silence,
/// which has to cost next to nothing, and at last all close.
public final class SimulationRun {
  let plan: SimulationPlan
  let network: VirtualNetwork<SimulatedEndpoint>
  private(set) var hosts: [HostID] = []

  let ledger: Ledger
  let violations = Violations()
  let lives: PeerLifeChecker
  let deliveries: DeliveryChecker
  let fates: FateChecker
  let amplification: AmplificationChecker
  let memory: MemoryChecker
  let work: WorkChecker
  let convergence: ConvergenceChecker
  let attacker = Attacker()
  let saboteurs: [Saboteur]
  let trace: ((String) -> Void)?

  /// What decides about beacons; the plan has the rest.
  var draw: Draw
  /// Which hosts do not hear which, by partitions and dead ways.
  var sides: [Int]
  var silences: [Int: Int] = [:]
  var isClosing: [Bool]
  /// Whether links do what was drawn; beacons get lost then, too.
  private(set) var isDisturbed = false
  var isHealed = false
  var messageCount = 0
  /// How often a host has got another address or port.
  var changeCount = 0
  private var nextBeacons = Instant.zero
  private var convergenceTime: Interval?

  /// - Parameters:
  ///   - sabotage: what is broken on purpose, to show that it is noticed.
  ///   - trace: is told in words what was drawn, what is done and what users are told.
  package init(seed: UInt64, sabotage: Sabotage?, trace: ((String) -> Void)? = nil) {
    plan = SimulationPlan(seed: seed, capabilities: Self.capabilities)
    network = VirtualNetwork(seed: seed, impairment: plan.healed)
    ledger = Ledger(hostCount: plan.hostCount)
    lives = PeerLifeChecker(ledger, violations, hostCount: plan.hostCount)
    deliveries = DeliveryChecker(ledger, violations)
    fates = FateChecker(ledger, violations)
    amplification = AmplificationChecker(violations)
    memory = MemoryChecker(
      violations, plan.endpoint, largestMessage: Self.capabilities.maximumMessageSize,
      hostCount: plan.hostCount)
    work = WorkChecker(violations)
    convergence = ConvergenceChecker(ledger, hostCount: plan.hostCount)
    saboteurs = (0..<plan.hostCount).compactMap { _ in sabotage.map(Saboteur.init) }
    draw = Draw(seed: seed, purpose: 4)
    sides = Array(repeating: 0, count: plan.hostCount)
    isClosing = Array(repeating: false, count: plan.hostCount)
    self.trace = trace
    network.mtu = plan.mtu
    watch()
    for host in 0..<plan.hostCount {
      hosts.append(
        network.addHost(.numbered(host + 1)) { seed, _ in makeEndpoint(host, seed: seed) })
    }
  }

  public convenience init(seed: UInt64, trace: ((String) -> Void)? = nil) {
    self.init(seed: seed, sabotage: nil, trace: trace)
  }

  /// Runs to the end, or to the first violation.
  public func run() -> SimulationOutcome {
    for line in plan.lines { trace?(line) }
    goWrong()
    if violations.isEmpty { heal() }
    if violations.isEmpty { converge() }
    if violations.isEmpty { keepSilent() }
    if violations.isEmpty { close() }
    checkMachines()
    return SimulationOutcome(
      seed: plan.seed, violations: violations.found, duration: network.now - .zero,
      convergence: convergenceTime, datagrams: network.statistics.sent, messages: messageCount)
  }

  // MARK: Phases

  private func goWrong() {
    nameAddresses()
    run(until: plan.beginning)
    isDisturbed = true
    network.impairment = plan.impairment
    for host in hosts {
      network.withMachine(host) { machine, _ in machine.corruption = plan.corruption }
    }
    for timed in plan.actions {
      run(until: timed.time)
      guard violations.isEmpty else { return }
      trace.map { $0("\(stamp) \(timed.action)") }
      perform(timed.action)
    }
    run(until: plan.end)
  }

  private func heal() {
    trace.map { $0("\(stamp) the network heals") }
    isHealed = true
    isDisturbed = false
    for saboteur in saboteurs { saboteur.isHealed = true }
    network.impairment = plan.healed
    network.heal()
    sides = sides.map { _ in 0 }
    for host in hosts.indices {
      for other in hosts.indices where other != host { setSilence(from: host, to: other, nil) }
      network.setBlackHole(above: nil, at: hosts[host])
      if isClosing[host] { restart(host) }
      network.withMachine(hosts[host]) { machine, now in
        machine.corruption = 0
        machine.isRead = true
        machine.resume(at: now)
      }
    }
  }

  /// What is granted besides round trips: a peer that is gone is noticed after 12 seconds, and
  /// named addresses are called every 5.
  private static let convergenceAllowance = Interval.seconds(20)

  private func converge() {
    let start = network.now
    let roundTrips = Interval.nanoseconds(plan.healed.delay.nanoseconds * 2 * 100)
    let transfer = Interval.milliseconds(Int64(plan.payloadBytes / 20))
    let end = start + Self.convergenceAllowance + roundTrips + transfer
    while let missing = convergence.missing() ?? waitingWords() {
      guard network.now < end else {
        return violations.add("\((end - start).milliseconds) ms after the healing: \(missing)")
      }
      run(until: network.now + .milliseconds(20))
      guard violations.isEmpty else { return }
    }
    convergenceTime = network.now - start
    trace.map { $0("\(stamp) all has come true") }
    for host in hosts.indices {
      for end in ledger.open[host] where ledger.ends[end].other == nil {
        let other = ledger.ends[end].remote.flatMap { convergence.end(at: $0.host, to: host) }
        if let other { deliveries.pair(end, other, at: host) }
      }
    }
    for words in convergence.lost() { violations.add(words) }
  }

  private func keepSilent() {
    run(until: network.now + .seconds(5))
    let (sent, advances) = (network.statistics.sent, advanceCount)
    let seconds = 10
    run(until: network.now + .seconds(Int64(seconds)))
    work.checkIdle(
      datagrams: network.statistics.sent - sent, advances: advanceCount - advances,
      seconds: seconds, hostCount: plan.hostCount)
    for host in hosts.indices {
      for end in ledger.open[host] {
        let bytes = queueBytes(of: end, at: host)
        if bytes > 0 { violations.add("host \(host): \(bytes) bytes are queued in the silence") }
      }
    }
  }

  private func close() {
    let roundTrip = plan.healed.delay * 2
    for host in hosts.indices {
      perform(.close(host))
      if draw.chance(0.5) { run(until: network.now + draw.microseconds(1...300_000)) }
    }
    run(until: network.now + plan.endpoint.closeTimeout + roundTrip * 4 + .seconds(2))
    for host in hosts.indices where !lives.hasClosed[host] {
      violations.add("host \(host) has not closed")
    }
    run(until: network.now + .seconds(10))
    for host in hosts.indices {
      let deadline = network.withMachine(hosts[host]) { machine, _ in machine.deadline }
      if deadline != nil { violations.add("host \(host) has timers after its end") }
    }
  }

  // MARK: Time

  /// Lets time pass, with a beacon of everybody every half a second.
  private func run(until end: Instant) {
    while nextBeacons <= end {
      step(until: nextBeacons)
      guard violations.isEmpty else { return }
      sendBeacons()
      checkMachines()
      nextBeacons = nextBeacons + .milliseconds(500)
    }
    step(until: end)
  }

  private func step(until end: Instant) {
    _ = network.run(until: end) { !violations.isEmpty }
    violations.now = network.now
  }

  var stamp: String { "\(network.now.nanoseconds / 1_000)" }
}
