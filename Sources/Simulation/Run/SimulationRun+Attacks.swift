import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

extension SimulationRun {
  func perform(_ attack: Action.Attack) {
    var draw = Draw(seed: attack.draw, purpose: 5)
    let target = hosts[attack.host]
    for _ in 0..<attack.count {
      let victim = AmplificationChecker.victim(draw.integer(1...8))
      let peer = draw.element(of: hosts.filter { $0 != target })
      let remote =
        attack.isFromVictim ? victim : network.configuration(of: peer).address()
      if attack.kind == .beacon {
        forgeBeacon(naming: peer.number, at: victim, to: attack.host, &draw)
        continue
      }
      guard let (bytes, receiver) = attacker.datagram(attack.kind, &draw) else { return }
      let host = draw.chance(0.8) ? receiver ?? target : target
      network.inject(
        bytes, into: host, arrival: Arrival(path: path(to: host, from: remote)),
        after: draw.microseconds(1...200_000))
    }
  }

  /// Calls of somebody new each, from an address of his own, within a second.
  func flood(_ host: HostID, count: Int, draw bits: UInt64) {
    var draw = Draw(seed: bits, purpose: 6)
    for _ in 0..<count {
      guard let call = attacker.call(&draw) else { return }
      let caller = AmplificationChecker.victim(draw.integer(0...0x7F_FFFF))
      network.inject(
        call, into: host, arrival: Arrival(path: path(to: host, from: caller)),
        after: .microseconds(Int64(draw.integer(0...1_000_000))))
    }
  }

  private func path(to host: HostID, from remote: SocketAddress) -> Path {
    let configuration = network.configuration(of: host)
    return Path(
      remote: remote, local: configuration.address().ip,
      interface: configuration.interfaces[0].index)
  }

  /// Names a peer, a life of it that is yet to come, or nobody.
  private func forgeBeacon(
    naming peer: Int, at victim: SocketAddress, to host: Int, _ draw: inout Draw
  ) {
    var incarnation = incarnation(of: peer)
    if draw.chance(0.3) { incarnation.epoch += UInt64(draw.integer(1...1_000)) }
    if draw.chance(0.5) { incarnation.identity = Identity(high: draw.bits(), low: draw.bits()) }
    let size = draw.integer(40...200)
    let path = path(to: hosts[host], from: victim)
    amplification.noteBeacon(from: victim.ip, size: size)
    let denies = draw.chance(0.5)
    network.withMachine(hosts[host]) { machine, now in
      guard !machine.isSuspended else { return }
      machine.endpoint.noteCandidate(
        incarnation, on: path, beaconSize: size, deniesConnection: denies,
        at: machine.local(now))
    }
  }
}
