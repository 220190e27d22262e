import ChatTransport
import Primitives

/// What is known once the room has been entered and the sockets are open.
struct ReadyInformation: Hashable, Sendable {
  /// Who we are.
  var incarnation: Incarnation
  /// The name that others see.
  var name: String
  var room: String
  /// Where we receive unicast, for each interface in use.
  var addresses: [InterfaceAddress]
  /// The port of our own, to which others send.
  var port: UInt16
  /// The port of the beacons, shared with others on this host.
  var sharedPort: UInt16
  /// The groups that were joined; none without discovery.
  var groups: [IPAddress]
}
