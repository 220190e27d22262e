import ChatTransport
import Primitives

@testable import DatagramPeer

/// All streams of a sender, packet by packet, as a connection writes them.
final class SendStreamsDriver {
  private var streams = SendStreams()
  private var nextMessage: UInt64 = 0

  func append(size: Int, channel: UInt8, isOrdered: Bool = true, expires: Instant? = nil) {
    let payload = [UInt8](repeating: channel, count: size)
    streams.append(
      payload.span, to: StreamID(channel: channel, isOrdered: isOrdered),
      message: MessageID(rawValue: nextMessage), reports: true, expires: expires)
    nextMessage += 1
  }

  /// The next packet: what was lost, then what is new.
  func packet(room: Int = 1_200) -> (chunks: [SentChunk], frames: [StreamFrame]) {
    var chunks: [SentChunk] = []
    streams.beginPacket()
    let bytes = [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
      streams.writeLost(upTo: room, into: &output, chunks: &chunks)
      streams.writeFresh(upTo: room, into: &output, chunks: &chunks)
    }
    streams.takeTurns()
    return (chunks, streamFrames(in: bytes) ?? [])
  }

  // An expectation can only look into what can be copied.
  var hasWork: Bool { streams.hasWork }
  var hasLost: Bool { streams.hasLost }
  var credit: UInt64 { streams.credit }
  var heldBytes: Int { streams.heldBytes }
  var expiry: Instant? { streams.expiry }
  /// What the streams hold, one by one.
  var heldByEach: [Int] { streams.streams.slots.map { streams.streams[$0].heldBytes } }
  /// Up to where each was sent.
  var sentEnds: [UInt64] { streams.streams.slots.map { streams.streams[$0].sentEnd } }

  func markLost(_ chunk: SentChunk) { streams.markLost(chunk) }
  func raiseLimit(to limit: UInt64) { streams.raiseLimit(to: limit) }
  func raiseLimit(of id: StreamID, to limit: UInt64) { streams.raiseLimit(of: id, to: limit) }

  /// The messages that were not acknowledged when all ended.
  func removeAll() -> [UInt64] {
    var ids: [MessageID] = []
    streams.removeAll(ids: &ids)
    return ids.map(\.rawValue)
  }

  /// The channels in the next packet, in their order.
  func channels() -> [UInt8] { packet().frames.map(\.channel) }

  func acknowledged(_ chunks: [SentChunk]) -> [UInt64] {
    var ids: [MessageID] = []
    for chunk in chunks { streams.acknowledge(chunk, ids: &ids) }
    streams.dropSettled()
    return ids.map(\.rawValue)
  }

  func givenUp(at now: Instant) -> [UInt64] {
    var ids: [MessageID] = []
    streams.giveUpExpired(at: now, ids: &ids)
    return ids.map(\.rawValue)
  }
}

extension StreamFrame {
  var channel: UInt8 {
    switch self {
    case .chunk(let chunk, _): chunk.channel
    case .skip(let skip): skip.channel
    }
  }
}
