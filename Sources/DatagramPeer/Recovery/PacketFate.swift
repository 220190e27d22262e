import Primitives

/// What became of a packet that asked for an acknowledgement.
struct PacketFate: Equatable {
  var sentAt: Instant
  /// Bytes of the whole packet.
  var size: UInt16
  var isLost: Bool
}
