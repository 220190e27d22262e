import Primitives

/// The kinds of the frames that speak of streams; Docs/WireFormat.md, "Stream frames".
enum StreamFrameKind {
  /// With bits: 0 for ordered, 1 for a length, 2 for a start at the start of a message.
  static let chunk: UInt8 = 0x20
  static let chunks = chunk...(chunk | 0b111)
  /// With bit 0 for ordered.
  static let skip: UInt8 = 0x28
  static let skips = skip...(skip | 1)
  static let window: UInt8 = 0x2A
  /// With bit 0 for ordered.
  static let streamWindow: UInt8 = 0x2C
  static let streamWindows = streamWindow...(streamWindow | 1)

  static let orderedBit: UInt8 = 0b001
  static let lengthBit: UInt8 = 0b010
  static let startsMessageBit: UInt8 = 0b100
}

/// Some bytes of a stream. They start at the start of a message, and then any number of messages
/// and the beginning of another may follow; or inside a message, and then all are of this message.
struct StreamChunkFrame: Equatable {
  var isOrdered: Bool
  var startsMessage: Bool
  var channel: UInt8
  /// Where the bytes stand in the stream.
  var offset: UInt64
  /// Where the bytes stand in the packet; never empty.
  var payload: Range<Int>

  /// Reads what stands behind the frame's kind, which is one of `StreamFrameKind.chunks`.
  init?(kind: UInt8, parsing packet: Span<UInt8>, at position: inout Int) {
    guard let channel = packet.uint8(at: &position),
      let offset = packet.variableLength(at: &position)
    else { return nil }
    var length = packet.count - position
    if kind & StreamFrameKind.lengthBit != 0 {
      guard let told = packet.variableLength(at: &position) else { return nil }
      length = Int(told)
    }
    guard length > 0, let payload = packet.bytes(length, at: &position),
      UInt64(length) <= variableLengthMaximum - offset
    else { return nil }
    isOrdered = kind & StreamFrameKind.orderedBit != 0
    startsMessage = kind & StreamFrameKind.startsMessageBit != 0
    self.channel = channel
    self.offset = offset
    self.payload = payload
  }

  /// The size in bytes of what stands before the payload; without a length, `length` is `nil`.
  static func headerSize(offset: UInt64, length: Int?) -> Int {
    2 + variableLengthWidth(offset) + (length.map { variableLengthWidth(UInt64($0)) } ?? 0)
  }

  /// Writes what stands before the payload; without a length the payload ends with the packet.
  static func emitHeader(
    isOrdered: Bool, startsMessage: Bool, channel: UInt8, offset: UInt64, length: Int?,
    into output: inout OutputSpan<UInt8>
  ) {
    output.append(
      StreamFrameKind.chunk | (isOrdered ? StreamFrameKind.orderedBit : 0)
        | (length != nil ? StreamFrameKind.lengthBit : 0)
        | (startsMessage ? StreamFrameKind.startsMessageBit : 0))
    output.append(channel)
    output.append(variableLength: offset)
    if let length { output.append(variableLength: UInt64(length)) }
  }
}

/// Some whole messages that the sender gave up: their bytes will never be sent.
struct SkipFrame: Equatable {
  var isOrdered: Bool
  var channel: UInt8
  /// Where the messages stand in the stream; never empty.
  var range: Range<UInt64>
  /// The sequence number of the first of them.
  var firstSequence: UInt64
  /// How many there are; at least one.
  var count: UInt64

  init(
    isOrdered: Bool, channel: UInt8, range: Range<UInt64>, firstSequence: UInt64, count: UInt64
  ) {
    self.isOrdered = isOrdered
    self.channel = channel
    self.range = range
    self.firstSequence = firstSequence
    self.count = count
  }

  /// Reads what stands behind the frame's kind, which is one of `StreamFrameKind.skips`.
  init?(kind: UInt8, parsing packet: Span<UInt8>, at position: inout Int) {
    guard let channel = packet.uint8(at: &position),
      let offset = packet.variableLength(at: &position),
      let length = packet.variableLength(at: &position),
      let firstSequence = packet.variableLength(at: &position),
      let count = packet.variableLength(at: &position),
      // A message takes at least the byte of its length.
      count > 0, count <= length, length <= variableLengthMaximum - offset,
      count <= variableLengthMaximum - firstSequence
    else { return nil }
    isOrdered = kind & StreamFrameKind.orderedBit != 0
    self.channel = channel
    range = offset..<(offset + length)
    self.firstSequence = firstSequence
    self.count = count
  }

  /// The size of the whole frame in bytes.
  var size: Int {
    2 + variableLengthWidth(range.lowerBound)
      + variableLengthWidth(range.upperBound - range.lowerBound)
      + variableLengthWidth(firstSequence) + variableLengthWidth(count)
  }

  func emit(into output: inout OutputSpan<UInt8>) {
    output.append(StreamFrameKind.skip | (isOrdered ? StreamFrameKind.orderedBit : 0))
    output.append(channel)
    output.append(variableLength: range.lowerBound)
    output.append(variableLength: range.upperBound - range.lowerBound)
    output.append(variableLength: firstSequence)
    output.append(variableLength: count)
  }
}

/// How much may be sent over all streams together: the sum of the highest offsets.
struct WindowFrame: Equatable {
  var limit: UInt64

  init(limit: UInt64) {
    self.limit = limit
  }

  /// Reads what stands behind the frame's kind.
  init?(parsing packet: Span<UInt8>, at position: inout Int) {
    guard let limit = packet.variableLength(at: &position) else { return nil }
    self.limit = limit
  }

  /// The size of the whole frame in bytes.
  var size: Int { 1 + variableLengthWidth(limit) }

  func emit(into output: inout OutputSpan<UInt8>) {
    output.append(StreamFrameKind.window)
    output.append(variableLength: limit)
  }
}

/// How much may be sent on one stream: all below offset `limit`.
struct StreamWindowFrame: Equatable {
  var isOrdered: Bool
  var channel: UInt8
  var limit: UInt64

  init(isOrdered: Bool, channel: UInt8, limit: UInt64) {
    self.isOrdered = isOrdered
    self.channel = channel
    self.limit = limit
  }

  /// Reads what stands behind the frame's kind, which is one of `StreamFrameKind.streamWindows`.
  init?(kind: UInt8, parsing packet: Span<UInt8>, at position: inout Int) {
    guard let channel = packet.uint8(at: &position),
      let limit = packet.variableLength(at: &position)
    else { return nil }
    isOrdered = kind & StreamFrameKind.orderedBit != 0
    self.channel = channel
    self.limit = limit
  }

  /// The size of the whole frame in bytes.
  var size: Int { 2 + variableLengthWidth(limit) }

  func emit(into output: inout OutputSpan<UInt8>) {
    output.append(StreamFrameKind.streamWindow | (isOrdered ? StreamFrameKind.orderedBit : 0))
    output.append(channel)
    output.append(variableLength: limit)
  }
}
