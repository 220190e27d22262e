import ChatTransport
import Primitives

/// All streams of messages from one peer.
struct IncomingMessages {
  private var streams: [IncomingStream] = []
  /// Where each stream stands in `streams`; at most 4 x 256.
  private var indices: [StreamKey: Int] = [:]
  private var heldBytes = 0
  private let peer: PeerID
  private let bufferLimit: Int
  private let tolerance: Interval

  init(peer: PeerID, bufferLimit: Int, reorderingTolerance: Interval) {
    self.peer = peer
    self.bufferLimit = bufferLimit
    tolerance = reorderingTolerance
  }

  /// Whether the packet with this message may be accepted at all.
  func accepts(_ frame: MessageFrame) -> Bool {
    let stream = streamIfAny(frame) ?? IncomingStream(key: frame.key)
    // Room for a whole datagram is kept, so that all messages of an accepted packet find a place.
    let room = bufferLimit - heldBytes - ProtocolLimits.datagramSize
    return stream.verdict(on: frame.sequence, size: frame.payload.count, bufferRoom: room)
      != .refuse
  }

  /// Takes in a message of an accepted packet, and tells what may now be delivered, in order.
  /// Returns how many messages that were, or `nil` where this one had come before.
  mutating func take(
    _ frame: MessageFrame, in packet: Span<UInt8>, at now: Instant,
    events: inout Queue<TransportEvent>
  ) -> Int? {
    let index = index(of: frame.key)
    let verdict = streams[index].verdict(
      on: frame.sequence, size: frame.payload.count, bufferRoom: bufferLimit - heldBytes)
    switch verdict {
    // `accepts` was asked first, so `refuse` does not come up.
    case .drop, .refuse: return nil
    case .hold:
      heldBytes += frame.payload.count
      streams[index].hold(packet.copy(frame.payload), at: frame.sequence)
      return 0
    case .deliver:
      tell(packet.copy(frame.payload), frame.key, frame.sequence, &events)
      streams[index].noteDelivery(of: frame.sequence, at: now)
      var count = 1
      while let (sequence, payload) = streams[index].nextHeld() {
        heldBytes -= payload.count
        tell(payload, frame.key, sequence, &events)
        count += 1
      }
      return count
    }
  }

  private func tell(
    _ payload: [UInt8], _ stream: StreamKey, _ sequence: UInt64,
    _ events: inout Queue<TransportEvent>
  ) {
    events.append(
      .message(
        ReceivedMessage(
          peer: peer, channel: stream.channel, delivery: stream.delivery, sequence: sequence,
          payload: payload)))
  }

  /// The next gap that is due; all that are open where `all` is set.
  mutating func nextGap(at now: Instant, all: Bool = false) -> (StreamKey, Range<UInt64>)? {
    for index in streams.indices {
      if let range = streams[index].nextGap(at: now, tolerance: tolerance, all: all) {
        return (streams[index].key, range)
      }
    }
    return nil
  }

  /// When `nextGap` will have something to say.
  var gapDeadline: Instant? {
    streams.reduce(nil) { Instant.earlier($0, $1.gapDeadline(tolerance: tolerance)) }
  }

  private func streamIfAny(_ frame: MessageFrame) -> IncomingStream? {
    indices[frame.key].map { streams[$0] }
  }

  private mutating func index(of key: StreamKey) -> Int {
    if let index = indices[key] { return index }
    streams.append(IncomingStream(key: key))
    indices[key] = streams.count - 1
    return streams.count - 1
  }
}

extension MessageFrame {
  var key: StreamKey { StreamKey(channel: channel, delivery: delivery) }
}
