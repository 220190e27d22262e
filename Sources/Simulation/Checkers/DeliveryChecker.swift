import ChatTransport
import Primitives

/// Holds what each kind of delivery promises: nothing arrives that was not sent, nothing twice,
/// nothing damaged, nothing by another connection, and in order what has an order.
final class DeliveryChecker {
  private let ledger: Ledger
  private let violations: Violations

  init(_ ledger: Ledger, _ violations: Violations) {
    self.ledger = ledger
    self.violations = violations
  }

  func observe(_ message: ReceivedMessage, at host: Int) {
    // Whether it comes from a peer at all is another checker's question.
    guard let end = ledger.end(at: host, message.peer) else { return }
    let key = Ledger.StreamKey(channel: message.channel, delivery: message.delivery)
    if message.payload.count >= Payload.numberedSize {
      observe(message, key, at: end, host: host)
    } else if let sequence = message.sequence {
      let expected = Payload.bytes(
        channel: message.channel, delivery: message.delivery, sequence: sequence,
        size: message.payload.count)
      guard message.payload == expected else {
        return violations.add("host \(host): \(name(message)) is damaged")
      }
      guard let index = Int(exactly: sequence) else { return }
      if let other = ledger.ends[end].other {
        arrive(key, index, from: other, at: host)
      } else {
        ledger.ends[end].early.append((key, index))
      }
    }
  }

  private func observe(
    _ message: ReceivedMessage, _ key: Ledger.StreamKey, at end: Int, host: Int
  ) {
    let number = Payload.number(in: message.payload)
    guard ledger.numbered.indices.contains(number),
      message.payload == Payload.bytes(number: number, size: message.payload.count),
      ledger.numbered[number].size == message.payload.count, ledger.numbered[number].key == key
    else {
      return violations.add("host \(host): \(name(message)) is damaged")
    }
    let place = ledger.numbered[number].places.first { place in
      ledger.ends[place.end].life == ledger.ends[end].remote
        && ledger.ends[place.end].remote == ledger.ends[end].life
        && (ledger.ends[end].other ?? place.end) == place.end
        && (ledger.ends[place.end].other ?? end) == end
    }
    guard let place else {
      return violations.add("host \(host): \(name(message)) was not sent over this connection")
    }
    if let sequence = message.sequence, sequence != UInt64(place.index) {
      violations.add("host \(host): \(name(message)) was sent as number \(place.index)")
    }
    if ledger.ends[end].other == nil { pair(end, place.end, at: host) }
    arrive(key, place.index, from: place.end, at: host)
  }

  /// Notes that two ends are those of one connection.
  func pair(_ end: Int, _ other: Int, at host: Int) {
    ledger.ends[end].other = other
    ledger.ends[other].other = end
    let early = ledger.ends[end].early
    ledger.ends[end].early = []
    for (key, index) in early { arrive(key, index, from: other, at: host) }
    let others = ledger.ends[other].early
    ledger.ends[other].early = []
    let otherHost = ledger.ends[other].life.host
    for (key, index) in others { arrive(key, index, from: end, at: otherHost) }
  }

  private func arrive(_ key: Ledger.StreamKey, _ index: Int, from end: Int, at host: Int) {
    let name = "\(key.delivery) \(index) of channel \(key.channel)"
    guard let place = ledger.ends[end].places[key],
      ledger.ends[end].streams[place].messages.indices.contains(index)
    else {
      return violations.add("host \(host): \(name) was never sent")
    }
    guard !ledger.ends[end].streams[place].messages[index].hasArrived else {
      return violations.add("host \(host): \(name) arrived twice")
    }
    ledger.ends[end].streams[place].messages[index].hasArrived = true
    let next = ledger.ends[end].streams[place].arrivedEnd
    switch key.delivery {
    case .ordered:
      if index < next {
        violations.add("host \(host): \(name) arrived after \(next - 1)")
      } else if !mayBeMissing(next..<index, end, place) {
        violations.add("host \(host): \(name) arrived before \(next)")
      }
    case .sequenced:
      if index < next { violations.add("host \(host): \(name) arrived after \(next - 1)") }
    case .reliable, .unreliable: break
    }
    ledger.ends[end].streams[place].arrivedEnd = max(next, index + 1)
  }

  /// Whether the sender may have given up every one of these messages for their age. That he says
  /// so may be waiting to be read.
  private func mayBeMissing(_ range: Range<Int>, _ end: Int, _ place: Int) -> Bool {
    range.allSatisfy { index in
      let message = ledger.ends[end].streams[place].messages[index]
      return message.fate == .givenUp(.tooOld) || message.hasAge && message.fate == .open
    }
  }

  private func name(_ message: ReceivedMessage) -> String {
    "\(message.delivery) \(message.sequence.map(String.init) ?? "?") of channel "
      + "\(message.channel), \(message.payload.count) bytes, from \(message.peer)"
  }
}
