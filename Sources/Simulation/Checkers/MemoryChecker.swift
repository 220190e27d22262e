import ChatTransport
import DatagramPeer

/// Holds the bounds of what waits: to be sent, and to be read.
final class MemoryChecker {
  private let violations: Violations
  private let configuration: DatagramConfiguration
  private let largestMessage: Int
  /// Events at one reading, for each host.
  private var readCounts: [Int]

  init(
    _ violations: Violations, _ configuration: DatagramConfiguration, largestMessage: Int,
    hostCount: Int
  ) {
    self.violations = violations
    self.largestMessage = largestMessage
    self.configuration = configuration
    readCounts = Array(repeating: 0, count: hostCount)
  }

  func beginReading(at host: Int) { readCounts[host] = 0 }

  /// Counts an event that waited to be read. What peers send is bounded by the configuration; the
  /// rest by what the user has sent himself, of which each message costs some of the queue.
  func noteEvent(at host: Int, peerCount: Int) {
    readCounts[host] += 1
    let own = (configuration.sendQueueLimit / 32 + 16) * (peerCount + 8)
    if readCounts[host] == configuration.maximumWaitingEvents + own {
      violations.add("host \(host): more than \(readCounts[host]) events waited to be read")
    }
  }

  func check(sendQueueBytes: Int, of peer: PeerID, at host: Int) {
    // A message that is large by itself is taken while the queue is half empty; holding it costs a
    // little more than its bytes.
    let half = configuration.sendQueueLimit / 2
    let limit = max(configuration.sendQueueLimit, half + largestMessage) + 65_536
    if sendQueueBytes > limit {
      violations.add(
        "host \(host): the queue to \(peer) has \(sendQueueBytes) bytes, and \(limit) are allowed")
    }
  }
}
