public import Primitives

/// A data packet in a trace.
public struct TracePacket: Hashable, Sendable {
  public var number: UInt64
  /// Bytes of the datagram.
  public var size: Int
  /// What is in it, in order.
  public var frames: [TraceFrame]
  /// How many more frames there are.
  public var framesLeftOut: Int
  /// Bytes that were sent again because they were lost; of packets that were sent.
  public var retransmittedBytes: UInt64 = 0
  /// Bytes that went again before they were known to be lost; of packets that were sent.
  public var redundantBytes: UInt64 = 0
  /// Whether it asks how large datagrams may be.
  public var isSizeProbe = false
  /// Whether it was sent to carry copies.
  public var hasCopies = false

  public init(number: UInt64, size: Int, frames: [TraceFrame], framesLeftOut: Int = 0) {
    self.number = number
    self.size = size
    self.frames = frames
    self.framesLeftOut = framesLeftOut
  }

  /// Frames of one packet beyond this are only counted.
  static let maximumFrameCount = 64

  var weight: Int {
    var sum = frames.count
    for case .acknowledgement(_, let ranges) in frames { sum += ranges.count }
    return sum
  }

  /// Reads the frames of a packet that is known to be well-formed.
  init(number: UInt64, packet: Span<UInt8>, framesAt start: Int) {
    self.init(number: number, size: packet.count, frames: [])
    var offset = start
    while offset < packet.count {
      let before = offset
      guard let frame = Frame(parsing: packet, at: &offset) else { return }
      if frames.count < Self.maximumFrameCount {
        frames.append(TraceFrame(frame, size: offset - before))
      } else {
        framesLeftOut += 1
      }
    }
  }
}

/// A frame in a trace: all but the bytes of messages. Lengths and offsets are in bytes.
public enum TraceFrame: Hashable, Sendable {
  case padding(length: Int)
  case ping
  /// Descending ranges of packet numbers.
  case acknowledgement(delay: Interval, ranges: [ClosedRange<UInt64>])
  case close(code: UInt8)
  /// A message of an unreliable kind, or `length` bytes of one from `offset` on.
  case message(
    channel: UInt8, isSequenced: Bool, sequence: UInt64, totalSize: Int, offset: Int, length: Int)
  case chunk(channel: UInt8, isOrdered: Bool, offset: UInt64, length: Int)
  /// Whole messages that were given up.
  case skip(channel: UInt8, isOrdered: Bool, offset: UInt64, length: UInt64, messages: UInt64)
  case window(limit: UInt64)
  case streamWindow(channel: UInt8, isOrdered: Bool, limit: UInt64)

  init(_ frame: Frame, size: Int) {
    switch frame {
    case .padding: self = .padding(length: size)
    case .ping: self = .ping
    case .acknowledgement(let frame):
      self = .acknowledgement(delay: frame.delay, ranges: frame.ranges)
    case .close(let code): self = .close(code: code.rawValue)
    case .message(let frame):
      self = .message(
        channel: frame.key.channel, isSequenced: frame.key.isSequenced, sequence: frame.sequence,
        totalSize: frame.totalSize, offset: frame.offset, length: frame.bytes.count)
    case .chunk(let frame):
      self = .chunk(
        channel: frame.channel, isOrdered: frame.isOrdered, offset: frame.offset,
        length: frame.payload.count)
    case .skip(let frame):
      self = .skip(
        channel: frame.channel, isOrdered: frame.isOrdered, offset: frame.range.lowerBound,
        length: frame.range.upperBound - frame.range.lowerBound, messages: frame.count)
    case .window(let frame): self = .window(limit: frame.limit)
    case .streamWindow(let frame):
      self = .streamWindow(
        channel: frame.channel, isOrdered: frame.isOrdered, limit: frame.limit)
    }
  }
}
