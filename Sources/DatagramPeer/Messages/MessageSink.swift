import ChatTransport
import Primitives

/// What whole messages are handed to, one by one, each as bytes that are lent for the call.
protocol MessageSink {
  mutating func append(
    _ payload: Span<UInt8>, peer: PeerID, channel: UInt8, delivery: Delivery, sequence: UInt64?)
}

extension EventBatch: MessageSink {}
