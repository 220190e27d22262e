import ChatTransport
import Primitives

/// Says whether everything that was promised has come true, once nothing goes wrong any more.
final class ConvergenceChecker {
  private let ledger: Ledger
  private let hostCount: Int

  init(_ ledger: Ledger, hostCount: Int) {
    self.ledger = ledger
    self.hostCount = hostCount
  }

  /// What is still missing, for a person; `nil` where nothing is.
  func missing() -> String? {
    for host in 0..<hostCount {
      for other in 0..<hostCount where other != host {
        if let words = missing(from: host, to: other) { return words }
      }
    }
    return nil
  }

  /// The end at `host` of its connection to `other`, where there is exactly one.
  func end(at host: Int, to other: Int) -> Int? {
    let ends = ledger.open[host].filter { ledger.ends[$0].remote == ledger.life(of: other) }
    return ends.count == 1 ? ends[0] : nil
  }

  private func missing(from host: Int, to other: Int) -> String? {
    guard let end = end(at: host, to: other) else {
      return "host \(host) has no connection to host \(other)"
    }
    guard ledger.open[host].count == hostCount - 1 else {
      return "host \(host) has \(ledger.open[host].count) connections"
    }
    if !ledger.ends[end].awaited.isEmpty {
      return "host \(host) awaits \(ledger.ends[end].awaited.count) acknowledgements of \(other)"
    }
    if ledger.ends[end].isUnderPressure { return "host \(host) was never relieved by \(other)" }
    return nil
  }

  /// Reliable messages that were acknowledged and have not arrived, over connections that live.
  func lost() -> [String] {
    var words: [String] = []
    for host in 0..<hostCount {
      for end in ledger.open[host] {
        for stream in ledger.ends[end].streams where stream.key.isReliable {
          let index = stream.messages.firstIndex { $0.fate == .acknowledged && !$0.hasArrived }
          guard let index else { continue }
          words.append(
            "\(stream.key.delivery) \(index) of channel \(stream.key.channel) from host \(host) "
              + "to \(ledger.ends[end].peer) was acknowledged and never arrived")
        }
      }
    }
    return words
  }
}
