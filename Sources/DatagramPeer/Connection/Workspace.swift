import ChatTransport
import Primitives

/// What all connections of an endpoint share while they work: where they put what they have to
/// tell, and memory that is used over and over.
struct Workspace {
  private let handling = HandledByAddress()
  /// What waits to be read by the user.
  var inbox = EventBatch()
  /// What an acknowledgement said last.
  var outcome = RecoveryOutcome()
  /// The pieces of streams in the datagram that is being written.
  var chunks: [SentChunk] = []
  /// Names of messages that were acknowledged or given up.
  var messages: [MessageID] = []
  /// What waits to be pulled of what is written down.
  var trace = TraceBuffer()
  /// Memory that all connections together hold for what is out of order, in bytes.
  var bufferedBytes = 0
  /// Beyond this nothing more is taken in out of order.
  var bufferLimit = Int.max
  /// Beyond so much that waits to be read, nothing more is put there.
  var inboxLimit = Int.max
  var inboxEventLimit = Int.max

  /// Whether messages may be handed over: the user reads what came before.
  var mayDeliver: Bool {
    inbox.byteCount < inboxLimit && inbox.count < inboxEventLimit
  }

  var mayBuffer: Bool { bufferedBytes < bufferLimit }
}
