import ChatTransport
import Primitives

/// Holds the order of events: a peer joins once, leaves at most once, and nothing is told of it
/// before or after; `closed` is the last word.
final class PeerLifeChecker {
  private let ledger: Ledger
  private let violations: Violations
  private(set) var hasClosed: [Bool]

  init(_ ledger: Ledger, _ violations: Violations, hostCount: Int) {
    self.ledger = ledger
    self.violations = violations
    hasClosed = Array(repeating: false, count: hostCount)
  }

  func restart(_ host: Int) { hasClosed[host] = false }

  /// To be asked before the ledger takes the event in.
  func observe(_ event: TransportEvent, at host: Int) {
    if hasClosed[host] { violations.add("host \(host): \(event) after the end") }
    switch event {
    case .peerJoined(let peer, _):
      if ledger.end(at: host, peer) != nil {
        violations.add("host \(host): \(peer) joined twice")
      }
    case .closed:
      hasClosed[host] = true
      if !ledger.open[host].isEmpty { violations.add("host \(host) closed with peers") }
    default:
      guard let peer = event.peer else { return }
      let isThere = ledger.end(at: host, peer).map { !ledger.ends[$0].hasLeft } ?? false
      if !isThere { violations.add("host \(host): \(event.name) of \(peer), who is not there") }
    }
  }
}

extension TransportEvent {
  /// The peer that an event is about.
  var peer: PeerID? {
    switch self {
    case .peerJoined(let peer, _), .peerLeft(let peer, _), .pressure(let peer),
      .relief(let peer), .acknowledged(_, by: let peer), .givenUp(_, to: let peer, _):
      peer
    case .message(let message): message.peer
    case .gap(let gap): gap.peer
    case .waiting, .incompatible, .plain, .closed: nil
    }
  }

  /// The kind of event, for a person.
  var name: String {
    switch self {
    case .peerJoined: "joining"
    case .peerLeft(_, let reason): "leaving (\(reason))"
    case .pressure: "pressure"
    case .relief: "relief"
    case .acknowledged(let id, _): "acknowledgement of \(id.rawValue)"
    case .givenUp(let id, _, let reason): "giving up \(id.rawValue) (\(reason))"
    case .message(let message): "message of \(message.payload.count) bytes"
    case .gap: "gap"
    case .waiting: "waiting"
    case .incompatible: "incompatible"
    case .plain: "plain message"
    case .closed: "closing"
    }
  }
}
