/// What a sent packet is, as far as its fate matters to somebody.
struct PacketContents: OptionSet {
  let rawValue: UInt8

  /// It asks for an acknowledgement, and counts as in flight until it has one or is lost.
  static var ackEliciting: PacketContents { PacketContents(rawValue: 1) }
  /// It carried windows of flow control, which are told again where it is lost.
  static var windows: PacketContents { PacketContents(rawValue: 2) }
  /// It asks whether the path carries packets of its size (RFC 8899); that it is lost says nothing
  /// about congestion (RFC 9000, section 14.4).
  static var probe: PacketContents { PacketContents(rawValue: 4) }
  /// It brings nothing that was not sent before, so that the peer may wait with its answer.
  static var copies: PacketContents { PacketContents(rawValue: 8) }
}
