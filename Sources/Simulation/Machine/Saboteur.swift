import ChatTransport
import Primitives

/// Breaks one thing of one endpoint, once or all the time.
final class Saboteur {
  let kind: Sabotage
  /// Whether the network has healed.
  var isHealed = false
  private(set) var deadline: Instant?
  /// What is told before anything else.
  private var told: [TransportEvent] = []
  private var isDone = false
  private var latestPath: Path?
  private var extraDatagrams: [Path] = []
  private var seen = 0

  init(_ kind: Sabotage) {
    self.kind = kind
    if kind == .chatters { deadline = .zero + .milliseconds(10) }
  }

  // MARK: Events

  func nextEvent(_ next: () -> TransportEvent?) -> TransportEvent? {
    if let event = told.popLast() { return event }
    guard let event = next() else { return nil }
    switch (kind, event) {
    case (.deliversTwice, .message(let message)) where !isDone && message.payload.count >= 16:
      isDone = true
      told = [event]
    case (.deliversOutOfOrder, .message(let message))
    where !isDone && message.delivery == .ordered && message.payload.count >= 16:
      guard let other = next() else { return event }
      told = [event]
      if case .message(let second) = other, second.channel == message.channel,
        second.delivery == .ordered, second.peer == message.peer
      {
        isDone = true
        return other
      }
      told = [other]
    case (.losesMessage, .message(let message)) where !isDone && message.delivery == .reliable:
      isDone = true
      return nextEvent(next)
    case (.damagesPayload, .message(var message)) where !isDone && message.payload.count >= 16:
      isDone = true
      message.payload[15] ^= 1
      return .message(message)
    case (.acknowledgesTwice, .acknowledged) where !isDone:
      isDone = true
      told = [event]
    case (.forgetsFate, .acknowledged) where !isDone:
      isDone = true
      return nextEvent(next)
    case (.leavesTwice, .peerLeft) where !isDone:
      isDone = true
      told = [event]
    case (.tellsAfterLeaving, .peerLeft(let peer, _)) where !isDone:
      isDone = true
      told = [.relief(peer)]
    case (.floodsEvents, .peerJoined(let peer, _)) where !isDone:
      isDone = true
      told = (0..<300_000).map { $0 % 2 == 0 ? .relief(peer) : .pressure(peer) }
    case (.neverCloses, .closed): return nil
    default: break
    }
    return event
  }

  /// Claims that a message which was only just accepted has arrived.
  func didSend(_ id: MessageID, to peer: PeerID) {
    if kind == .acknowledgesAtOnce { told.append(.acknowledged(id, by: peer)) }
  }

  // MARK: Datagrams

  func hears(_ path: Path) -> Bool {
    if kind == .amplifies, AmplificationChecker.isVictim(path.remote.ip) {
      extraDatagrams = Array(repeating: path, count: 40)
    }
    return !(kind == .deafens && isHealed)
  }

  func note(_ path: Path) { latestPath = path }

  func advance(to now: Instant) {
    guard kind == .chatters else { return }
    deadline = now + .milliseconds(10)
    if let latestPath { extraDatagrams = [latestPath] }
  }

  func nextTransmit(into buffer: inout OutputSpan<UInt8>) -> Transmit? {
    guard let path = extraDatagrams.popLast() else { return nil }
    for _ in 0..<100 { buffer.append(0) }
    return Transmit(path: path)
  }
}
