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
  /// The size of the largest payload of a run, which has to consist of `count` whole messages.
  static func largestPayload(of run: Span<UInt8>, count: Int) -> Int {
    var (place, largest) = (0, 0)
    var stride = MessageStride()
    for _ in 0..<count {
      if stride.fits(run, at: place) {
        place += stride.size
        continue
      }
      let start = place
      guard let length = run.messageLength(at: &place), run.bytes(length, at: &place) != nil
      else { preconditionFailure("a run that ends inside of a message") }
      largest = max(largest, length)
      stride.note(run, from: start, to: place)
    }
    precondition(place == run.count, "a run of more messages than was said")
    return largest
  }

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
