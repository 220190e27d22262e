import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

extension SimulationRun {
  func perform(_ action: Action) {
    switch action {
    case .send(let sending): send(sending)
    case .silence(let from, let to, let isOn): setSilence(from: from, to: to, isOn)
    case .partition(let island):
      for host in island { sides[host] += 1 }
      network.partition(island.map { hosts[$0] })
    case .heal:
      sides = sides.map { _ in 0 }
      network.heal()
    case .suspend(let host, let interval):
      network.withMachine(hosts[host]) { machine, now in machine.suspend(until: now + interval) }
    case .jumpClock(let host, let interval):
      network.withMachine(hosts[host]) { machine, _ in machine.jumpClock(by: interval) }
    case .restart(let host): restart(host)
    case .close(let host):
      guard !isClosing[host] else { return }
      isClosing[host] = true
      network.withMachine(hosts[host]) { machine, now in
        machine.endpoint.close(at: machine.local(now))
      }
    case .changePort(let host): changeAddress(of: host, isPortOnly: true)
    case .changeAddress(let host): changeAddress(of: host, isPortOnly: false)
    case .blackHole(let host, let size): network.setBlackHole(above: size, at: hosts[host])
    case .read(let host, let isOn):
      network.withMachine(hosts[host]) { machine, _ in machine.isRead = isOn }
    case .disconnect(let host, let draw): disconnect(host, draw)
    case .attack(let attack): perform(attack)
    case .flood(let host, let count, let draw): flood(hosts[host], count: count, draw: draw)
    }
  }

  // MARK: Programs

  func restart(_ host: Int) {
    ledger.restart(host)
    lives.restart(host)
    isClosing[host] = false
    network.restartHost(hosts[host]) { seed, _ in makeEndpoint(host, seed: seed) }
    nameAddresses(to: host)
  }

  private func disconnect(_ host: Int, _ draw: UInt64) {
    guard let end = choose(draw, at: host) else { return }
    let peer = ledger.ends[end].peer
    network.withMachine(hosts[host]) { machine, now in
      machine.endpoint.disconnect(peer, at: machine.local(now))
    }
  }

  func choose(_ draw: UInt64, at host: Int) -> Int? {
    let ends = ledger.open[host]
    return ends.isEmpty ? nil : ends[Int(draw % UInt64(ends.count))]
  }

  // MARK: The network

  /// Has everything from one host to another get lost, or ends that; `nil` ends all of it. Several
  /// faults may do it at once.
  func setSilence(from: Int, to: Int, _ isOn: Bool?) {
    let way = from * plan.hostCount + to
    silences[way, default: 0] += isOn == true ? 1 : -1
    if isOn == nil { silences[way] = 0 }
    let isSilent = silences[way, default: 0] > 0
    var impairment = plan.impairment
    impairment.loss = 1
    network.setImpairment(isSilent ? impairment : nil, from: hosts[from], to: hosts[to])
  }

  /// The old port and address are nobody's afterwards.
  private func changeAddress(of host: Int, isPortOnly: Bool) {
    changeCount += 1
    var configuration = network.configuration(of: hosts[host])
    if !isPortOnly {
      configuration = .numbered(
        1_000 + changeCount, port: configuration.port)
      // The interface itself is the same.
      let old = network.configuration(of: hosts[host]).attachments[0].interface
      configuration.attachments[0].interface.index = old.index
    } else {
      configuration.port = UInt16(40_000 + changeCount)
    }
    network.reconfigureHost(hosts[host], as: configuration)
    guard !isPortOnly else { return }
    let addresses = configuration.interfaces.flatMap { $0.addresses.map(\.ip) }
    network.withMachine(hosts[host]) { machine, _ in
      machine.endpoint.localAddressesChanged(addresses)
    }
  }

  // MARK: How hosts find each other

  /// The user of each host names the address of the next one.
  func nameAddresses() {
    for host in hosts.indices { nameAddresses(to: host) }
  }

  private func nameAddresses(to host: Int) {
    let other = (host + 1) % plan.hostCount
    guard plan.namesAddresses, other < hosts.count else { return }
    let path = network.path(from: hosts[host], to: hosts[other])
    network.withMachine(hosts[host]) { machine, now in
      machine.endpoint.connect(to: path, at: machine.local(now))
    }
  }

  /// Everybody hears everybody's beacon, unless it gets lost.
  func sendBeacons() {
    for sender in hosts.indices where !isClosing[sender] {
      guard network.withMachine(hosts[sender], { machine, _ in !machine.isSuspended }) else {
        continue
      }
      for host in hosts.indices where host != sender && sides[host] == sides[sender] {
        let isLost = isDisturbed && draw.chance(plan.impairment.loss)
        guard !isLost, silences[sender * plan.hostCount + host, default: 0] <= 0 else { continue }
        let isConnected = ledger.open[sender].contains {
          ledger.ends[$0].remote == ledger.life(of: host)
        }
        let incarnation = incarnation(of: sender)
        let path = network.path(from: hosts[host], to: hosts[sender])
        network.withMachine(hosts[host]) { machine, now in
          guard !machine.isSuspended else { return }
          machine.endpoint.noteCandidate(
            incarnation, on: path, beaconSize: 160, deniesConnection: !isConnected,
            at: machine.local(now))
        }
      }
    }
  }
}
