import ChatTransport
import Primitives

@testable import DatagramPeer

/// A frame of a stream as a test looks at it.
enum StreamFrame: Equatable {
  case chunk(StreamChunkFrame, bytes: [UInt8])
  case skip(SkipFrame)
}

/// All chunks and skips in a packet without header; `nil` where it is not well-formed.
func streamFrames(in packet: [UInt8]) -> [StreamFrame]? {
  let span = packet.span
  var frames: [StreamFrame] = []
  var position = 0
  while position < span.count {
    guard let kind = span.uint8(at: &position) else { return nil }
    if kind == 0 { continue }
    if StreamFrameKind.chunks.contains(kind) {
      guard let frame = StreamChunkFrame(kind: kind, parsing: span, at: &position)
      else { return nil }
      frames.append(.chunk(frame, bytes: span.copy(frame.payload)))
    } else if StreamFrameKind.skips.contains(kind) {
      guard let frame = SkipFrame(kind: kind, parsing: span, at: &position) else { return nil }
      frames.append(.skip(frame))
    } else {
      return nil
    }
  }
  return frames
}

extension SendStream {
  /// Writes `part` into a packet of its own.
  mutating func packet(_ part: Part, room: Int = 1_200) -> (range: Range<UInt64>, bytes: [UInt8])? {
    var range: Range<UInt64>?
    let bytes = [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
      range = write(part, room: room, into: &output)
    }
    return range.map { ($0, bytes) }
  }

  mutating func append(size: Int, id: UInt64, reports: Bool = true, expires: Instant? = nil) {
    let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: size)
    append(payload.span, id: MessageID(rawValue: id), reports: reports, expires: expires)
  }

  /// The identifiers that the acknowledgement of `range` tells.
  mutating func acknowledged(_ range: Range<UInt64>) -> [UInt64] {
    var ids: [MessageID] = []
    acknowledge(range, ids: &ids)
    return ids.map(\.rawValue)
  }
}
