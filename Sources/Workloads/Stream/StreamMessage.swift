public import Primitives

/// What every message of a stream begins with: which it is, and when it was to be sent. The rest
/// of it is padding.
///
/// The layout is that of other programs which measure the same: flow and sequence in four bytes
/// each, then the instant in eight, all little-endian.
public struct StreamMessage: Hashable, Sendable {
  /// The fewest bytes that a message can have.
  public static let minimumSize = 16

  public var flow: UInt32
  /// Its number within the flow, from 0.
  public var sequence: UInt32
  /// When it was to be sent by the schedule, whenever it really was: so that a sender that is late
  /// does not make itself look fast.
  public var scheduled: Instant

  public init(flow: UInt32, sequence: UInt32, scheduled: Instant) {
    self.flow = flow
    self.sequence = sequence
    self.scheduled = scheduled
  }

  /// Reads the beginning of a message; `nil` where it is too short.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= Self.minimumSize else { return nil }
    flow = UInt32(truncatingIfNeeded: littleEndian(bytes, at: 0, width: 4))
    sequence = UInt32(truncatingIfNeeded: littleEndian(bytes, at: 4, width: 4))
    scheduled = Instant(
      nanoseconds: Int64(truncatingIfNeeded: littleEndian(bytes, at: 8, width: 8)))
  }

  /// Writes it over the first bytes of `payload`, which has at least `minimumSize`.
  public func write(over payload: inout MutableSpan<UInt8>) {
    put(UInt64(flow), into: &payload, at: 0, width: 4)
    put(UInt64(sequence), into: &payload, at: 4, width: 4)
    put(UInt64(bitPattern: scheduled.nanoseconds), into: &payload, at: 8, width: 8)
  }
}

func littleEndian(_ bytes: Span<UInt8>, at offset: Int, width: Int) -> UInt64 {
  var value: UInt64 = 0
  for index in (0..<width).reversed() { value = value << 8 | UInt64(bytes[offset + index]) }
  return value
}

func put(_ value: UInt64, into bytes: inout MutableSpan<UInt8>, at offset: Int, width: Int) {
  for index in 0..<width {
    bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (UInt64(index) * 8))
  }
}
