import DatagramPeer
import Primitives

extension TracePacket {
  func write(into json: inout JSONBytes) {
    json.header(number)
    json.object("raw") { json in json.field("length", size) }
    json.array("frames") { json in
      for frame in frames {
        json.object { json in frame.write(into: &json) }
      }
    }
    if framesLeftOut > 0 { json.field("patter_frames_left_out", framesLeftOut) }
    if retransmittedBytes > 0 { json.field("patter_retransmitted", retransmittedBytes) }
    if redundantBytes > 0 { json.field("patter_redundant", redundantBytes) }
    if hasCopies { json.field("patter_copies", true) }
    if isSizeProbe { json.field("is_mtu_probe_packet", true) }
  }
}

extension TraceFrame {
  fileprivate func write(into json: inout JSONBytes) {
    switch self {
    case .padding(let length):
      json.field("frame_type", "padding")
      json.field("length", length)
    case .ping: json.field("frame_type", "ping")
    case .acknowledgement(let delay, let ranges):
      json.field("frame_type", "ack")
      json.field("ack_delay", milliseconds: delay)
      json.array("acked_ranges") { json in
        // The schema has no order; viewers go upwards.
        for range in ranges.reversed() {
          json.array { json in
            json.element(range.lowerBound)
            if range.count > 1 { json.element(range.upperBound) }
          }
        }
      }
    case .close(let code):
      json.field("frame_type", "connection_close")
      json.field("error_space", "application")
      json.field("error_code", code)
    case .message(
      let channel, let isSequenced, let sequence, let totalSize, let offset, let length):
      json.field("frame_type", "datagram")
      json.field("length", length)
      json.field("patter_channel", channel)
      json.field("patter_delivery", isSequenced ? "sequenced" : "unreliable")
      json.field("patter_sequence", sequence)
      if length < totalSize {
        json.field("patter_offset", offset)
        json.field("patter_size", totalSize)
      }
    case .chunk(let channel, let isOrdered, let offset, let length):
      json.field("frame_type", "stream")
      json.stream(channel, isOrdered)
      json.field("offset", offset)
      json.field("length", length)
    case .skip(let channel, let isOrdered, let offset, let length, let messages):
      json.field("frame_type", "patter_skip")
      json.stream(channel, isOrdered)
      json.field("offset", offset)
      json.field("length", length)
      json.field("patter_messages", messages)
    case .window(let limit):
      json.field("frame_type", "max_data")
      json.field("maximum", limit)
    case .streamWindow(let channel, let isOrdered, let limit):
      json.field("frame_type", "max_stream_data")
      json.stream(channel, isOrdered)
      json.field("maximum", limit)
    }
  }
}

extension JSONBytes {
  /// A stream of one channel and one of the reliable kinds goes both ways, so its number is one
  /// that QUIC gives to such streams: a multiple of 4 (RFC 9000, section 2.1).
  fileprivate mutating func stream(_ channel: UInt8, _ isOrdered: Bool) {
    field("stream_id", (Int(channel) * 2 + (isOrdered ? 1 : 0)) * 4)
    field("patter_channel", channel)
    field("patter_delivery", isOrdered ? "ordered" : "reliable")
  }
}
