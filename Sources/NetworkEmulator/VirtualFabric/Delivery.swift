import Primitives

/// A datagram under way to one receiver of a virtual network.
struct Delivery {
  let bytes: [UInt8]
  /// `nil` for a datagram that was injected.
  let sender: Int?
  let receiver: Int
  /// The place of the link in the network's array; `nil` for a datagram that was injected.
  let link: Int?
  let arrival: Arrival
  /// The port it was sent to.
  let port: UInt16
}
