public import NetworkEmulator
public import SocketDriver

/// What a driver and its sockets have done, and what went wrong without ending anything. All counts
/// begin with the driver.
public struct UDPDriverStatistics: Hashable, Sendable {
  /// All sockets together, those that are closed by now among them. `sendErrors` holds, by errno,
  /// the datagrams that could not be sent.
  public var sockets = UDPSocketStatistics()
  /// Datagrams that were not sent because there is no socket of their family.
  public var unsendable: UInt64 = 0
  /// Groups that could not be joined, by reason. Each is tried again when an interface changes.
  public var membershipErrors: [MembershipError: UInt64] = [:]
  /// Descriptors that could not be read any more, by errno, and are not listened to since.
  public var deafDescriptors: [Int32: UInt64] = [:]
  /// How often an interface or one of its addresses was said to have changed.
  public var interfaceChanges: UInt64 = 0
  /// How often the interfaces could not be read, by errno; those known before were kept.
  public var interfaceErrors: [Int32: UInt64] = [:]
  /// What the impairment did; `nil` for a direction that has none.
  public var outgoingLink: LinkStatistics?
  public var incomingLink: LinkStatistics?

  public init() {}
}
