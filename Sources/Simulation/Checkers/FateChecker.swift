import ChatTransport
import Primitives

/// Holds what a sender is told of its messages: of each reliable one exactly one last word, before
/// its connection ends; and that pressure and relief take turns.
final class FateChecker {
  private let ledger: Ledger
  private let violations: Violations

  init(_ ledger: Ledger, _ violations: Violations) {
    self.ledger = ledger
    self.violations = violations
  }

  func observe(_ event: TransportEvent, at host: Int) {
    switch event {
    case .acknowledged(let id, by: let peer): settle(id, peer, .acknowledged, at: host)
    case .givenUp(_, to: _, .queueFull): break
    case .givenUp(let id, to: let peer, let reason): settle(id, peer, .givenUp(reason), at: host)
    case .pressure(let peer): setPressure(true, peer, at: host)
    case .relief(let peer): setPressure(false, peer, at: host)
    case .gap(let gap): check(gap, at: host)
    case .peerLeft(let peer, _):
      guard let end = ledger.end(at: host, peer) else { return }
      let count = ledger.ends[end].awaited.count
      if count > 0 {
        violations.add("host \(host): \(peer) left, and \(count) messages have no last word")
      }
    case .waiting, .incompatible, .peerJoined, .message, .plain, .closed: break
    }
  }

  private func settle(_ id: MessageID, _ peer: PeerID, _ fate: Ledger.Fate, at host: Int) {
    guard let end = ledger.end(at: host, peer) else { return }
    guard let place = ledger.ends[end].awaited.removeValue(forKey: id) else {
      return violations.add(
        "host \(host): \(fate) of message \(id.rawValue) to \(peer), which does not wait for it")
    }
    ledger.ends[end].streams[place.stream].messages[place.index].fate = fate
  }

  private func setPressure(_ isOn: Bool, _ peer: PeerID, at host: Int) {
    guard let end = ledger.end(at: host, peer) else { return }
    if ledger.ends[end].isUnderPressure == isOn {
      violations.add("host \(host): \(isOn ? "pressure" : "relief") twice for \(peer)")
    }
    ledger.ends[end].isUnderPressure = isOn
  }

  /// A gap may only name what was sent.
  private func check(_ gap: Gap, at host: Int) {
    guard let end = ledger.end(at: host, gap.peer), let other = ledger.ends[end].other else {
      return
    }
    let key = Ledger.StreamKey(channel: gap.channel, delivery: gap.delivery)
    let count = UInt64(ledger.count(key, from: other))
    if gap.missing.isEmpty || gap.missing.upperBound > count {
      violations.add("host \(host): a gap of \(gap.missing), and \(count) were sent")
    }
  }
}
