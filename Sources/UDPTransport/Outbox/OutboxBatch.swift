import ChatTransport
import Primitives

/// The header of messages that wait in an outbox one behind the other, for one peer and in one way.
struct OutboxBatch {
  let peer: PeerID
  let options: SendOptions
  var count: Int
  var byteCount: Int

  /// How many bytes one batch has at most, unless it is a single message: so much a machine takes
  /// at once or in parts.
  static let limit = 1 << 16
}

/// Finding the borders of messages where a run has to be cut.
enum RunCutting {
  /// The longest part at the front of `run`, from `offset` on, that is whole messages, at most
  /// `maximumCount` of them, and at most `maximumBytes` long.
  static func prefix(
    of run: Span<UInt8>, from offset: Int, maximumCount: Int, maximumBytes: Int
  ) -> (count: Int, byteCount: Int) {
    var end = offset
    for count in 0..<maximumCount {
      var next = end
      guard let length = run.variableLength(at: &next).flatMap({ Int(exactly: $0) }),
        run.bytes(length, at: &next) != nil
      else { preconditionFailure("a run that ends inside of a message") }
      if next - offset > maximumBytes { return (count, end - offset) }
      end = next
    }
    return (maximumCount, end - offset)
  }
}
