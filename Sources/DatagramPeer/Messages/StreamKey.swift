import ChatTransport

/// One sequence of numbers: a channel and a kind of delivery.
struct StreamKey: Hashable {
  var channel: UInt8
  var delivery: Delivery
}
