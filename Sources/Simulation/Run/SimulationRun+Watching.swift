import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

extension SimulationRun {
  /// What the machine can do, whatever its configuration.
  static var capabilities: TransportCapabilities {
    DatagramEndpoint(
      configuration: DatagramConfiguration(),
      local: Incarnation(identity: Identity(high: 0, low: 1), epoch: 1), secret: Secret(seed: 0)
    ).capabilities
  }

  /// Lets all checkers see what happens.
  func watch() {
    network.onActivity = { [unowned self] host, machine, now in
      violations.now = now
      read(&machine, at: host.number)
    }
    network.tap = { [unowned self] datagram in
      violations.now = datagram.time
      amplification.observe(datagram)
      if !isHealed { attacker.observe(datagram) }
    }
  }

  func makeEndpoint(_ host: Int, seed: UInt64) -> SimulatedEndpoint {
    let endpoint = DatagramEndpoint(
      configuration: plan.endpoint, local: incarnation(of: host), secret: Secret(seed: seed))
    var machine = SimulatedEndpoint(
      endpoint, seed: seed, sabotage: saboteurs.isEmpty ? nil : saboteurs[host])
    machine.corruption = isDisturbed ? plan.corruption : 0
    return machine
  }

  /// Who a host is in its present life. Which of two identities is greater is drawn.
  func incarnation(of host: Int) -> Incarnation {
    Incarnation(
      identity: Identity(high: mix64(plan.seed &+ UInt64(host)), low: UInt64(host) + 1),
      epoch: UInt64(ledger.lives[host]) + 1)
  }

  private func life(of incarnation: Incarnation?) -> Ledger.Life? {
    guard let incarnation else { return nil }
    let host = (0..<plan.hostCount).first {
      self.incarnation(of: $0).identity == incarnation.identity
    }
    guard let host, (1...ledger.lives[host] + 1).contains(Int(incarnation.epoch)) else {
      return nil
    }
    return Ledger.Life(host: host, number: Int(incarnation.epoch) - 1)
  }

  /// Reads all events of a machine, unless its user does not.
  func read(_ machine: inout SimulatedEndpoint, at host: Int) {
    guard machine.isRead, !machine.isSuspended else { return }
    memory.beginReading(at: host)
    while let event = machine.nextEvent() { observe(event, at: host) }
  }

  func observe(_ event: TransportEvent, at host: Int) {
    trace.map { trace in
      let peer = event.peer.map { " \($0)" } ?? ""
      trace("\(violations.now.nanoseconds / 1_000)   host \(host): \(event.name)\(peer)")
    }
    lives.observe(event, at: host)
    memory.noteEvent(at: host, peerCount: ledger.open[host].count)
    switch event {
    case .peerJoined(let peer, let information):
      let remote = life(of: information.incarnation)
      if remote == nil { violations.add("host \(host): \(peer) is nobody") }
      ledger.join(host, peer, remote: remote)
    case .message(let message):
      messageCount += 1
      deliveries.observe(message, at: host)
    case .peerLeft(let peer, let reason):
      fates.observe(event, at: host)
      if plan.isMild, reason == .timedOut || reason == .refused {
        violations.add("host \(host): \(peer) left (\(reason)) and was there all the time")
      }
      if let end = ledger.end(at: host, peer) { ledger.leave(end) }
    default: fates.observe(event, at: host)
    }
  }

  /// What can be asked of machines from time to time.
  func checkMachines() {
    for host in hosts.indices {
      network.withMachine(hosts[host]) { machine, _ in
        work.check(
          staleDeadlines: machine.staleDeadlineCount,
          largestPullCount: machine.largestPullCount, at: host)
      }
      for end in ledger.open[host] {
        memory.check(
          sendQueueBytes: queueBytes(of: end, at: host), of: ledger.ends[end].peer, at: host)
      }
    }
  }

  /// Whose messages of whatever kind still wait to be sent, in words; `nil` where none do.
  func waitingWords() -> String? {
    for host in hosts.indices {
      for end in ledger.open[host] where queueBytes(of: end, at: host) > 0 {
        return "host \(host) has messages waiting for \(ledger.ends[end].peer)"
      }
    }
    return nil
  }

  func queueBytes(of end: Int, at host: Int) -> Int {
    let peer = ledger.ends[end].peer
    return network.withMachine(hosts[host]) { machine, _ in
      let bytes = machine.endpoint.statistics(of: peer)?.sendQueueBytes ?? 0
      return machine.sabotage?.kind == .overfillsQueue ? bytes + (2 << 20) : bytes
    }
  }

  var advanceCount: Int {
    hosts.map { network.withMachine($0) { machine, _ in machine.advanceCount } }.reduce(0, +)
  }
}
