import ChatTransport

@testable import UDPTransport

extension TransportEvents {
  /// Hands over `events` as those of one wake.
  func append(_ events: [TransportEvent]) {
    var batch = EventBatch()
    for event in events { batch.append(event) }
    append(&batch)
  }
}
