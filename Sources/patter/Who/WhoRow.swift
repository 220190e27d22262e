import ChatTransport

/// Somebody who was found in a room.
struct WhoRow: Hashable, Sendable {
  var incarnation: Incarnation
  var name: String
  /// Where it was heard from, at least once.
  var addresses: [InterfaceAddress]
}
