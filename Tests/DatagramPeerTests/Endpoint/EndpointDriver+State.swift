@testable import DatagramPeer

// An expectation can only look into what can be copied.
extension EndpointDriver {
  var hasEvents: Bool { endpoint.hasEvents }
  var peerCount: Int { endpoint.peerCount }
  func dropped(_ reason: DropCounters.Reason) -> UInt64 { endpoint.drops[reason] }
}
