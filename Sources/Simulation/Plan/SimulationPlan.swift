import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

/// All of a run that is decided before it begins: nothing but the seed goes in.
struct SimulationPlan {
  let seed: UInt64
  var hostCount: Int
  var faults: Set<FaultKind>
  /// How long nothing goes wrong at first, so that there are connections to disturb.
  var warmUp: Interval
  /// How long things go wrong then.
  var duration: Interval
  /// What the links do in that time.
  var impairment: Impairment
  /// The probability that bits flip in a datagram.
  var corruption: Double
  /// The largest IP packet, in bytes.
  var mtu: Int
  var endpoint: DatagramConfiguration
  /// Whether hosts are told each other's address by their user, and not only by beacons.
  var namesAddresses: Bool
  /// In the order of their times.
  var actions: [TimedAction] = []

  /// The bytes of payload in all messages, for one peer each.
  var payloadBytes = 0

  /// When things begin to go wrong, and when the network heals.
  var beginning: Instant { .zero + warmUp }
  var end: Instant { beginning + duration }

  /// What the links do when nothing goes wrong, or not any more.
  var healed: Impairment { Impairment(delay: impairment.delay) }

  /// Whether nothing goes wrong by which a peer might be taken for gone.
  var isMild: Bool {
    let harmless: Set<FaultKind> = [.loss, .duplication, .reordering, .jitter, .corruption]
    return faults.isSubset(of: harmless) && impairment.loss + corruption <= 0.1
  }

  /// The plan as lines for a person.
  var lines: [String] {
    let names = FaultKind.allCases.filter { faults.contains($0) }.map(\.rawValue)
    return [
      "\(hostCount) hosts, \(warmUp.milliseconds) + \(duration.milliseconds) ms, MTU \(mtu), "
        + "\(actions.count) actions, \(payloadBytes) bytes of payload",
      "faults: \(names.isEmpty ? "none" : names.joined(separator: ", "))",
      "links: \(impairment), corruption \(corruption)",
      "queue limit \(endpoint.sendQueueLimit) bytes, events \(endpoint.maximumWaitingEvents)",
    ]
  }
}
