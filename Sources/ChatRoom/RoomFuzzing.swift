import Primitives

/// The decoders of this module for a fuzzer: they may refuse any bytes, and trap on none.
package enum RoomFuzzing {
  /// A message on the room's channel.
  package static func conversation(_ bytes: Span<UInt8>) {
    guard let message = ConversationMessage(decoding: bytes) else { return }
    precondition(message.encoded() == bytes.copy(0..<bytes.count), "one encoding for each message")
  }

  /// A record alone.
  package static func record(_ bytes: Span<UInt8>) {
    guard let record = try? Record(decoding: bytes) else { return }
    let encoded = [UInt8](capacity: record.encodedByteCount) { record.encode(into: &$0) }
    precondition(encoded == bytes.copy(0..<bytes.count), "one encoding for each record")
  }
}
