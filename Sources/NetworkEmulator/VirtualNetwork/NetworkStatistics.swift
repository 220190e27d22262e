/// What became of all datagrams of a ``VirtualNetwork``. All but the bytes count datagrams.
///
/// A datagram to a group is sent once, and delivered, lost or dropped once for each receiver.
public struct NetworkStatistics: Hashable, Sendable {
  /// Sent by the hosts, whatever became of them.
  public var sent = 0
  public var sentBytes = 0
  /// Handed to machines, copies and injected datagrams included.
  public var delivered = 0
  public var deliveredBytes = 0
  /// Copies that links made.
  public var duplicated = 0
  /// Sent out of turn by links.
  public var reordered = 0
  /// Brought in from outside by `inject`.
  public var injected = 0

  /// Lost by the impairment of a link.
  public var lost = 0
  /// Not sent: the path has no such interface or source address, or leaves open which is meant.
  public var unroutable = 0
  /// Sent to an address that no host has on that segment.
  public var unreachable = 0
  /// Sent to a port on which the host does not listen, or to a group that nobody has joined.
  public var unheard = 0
  /// Not sent: larger than the MTU allows; or lost in a black hole.
  public var tooLarge = 0
  /// Stopped between two sides of a partition.
  public var partitioned = 0
  /// Under way to a host that was removed, or to an interface that went down.
  public var receiverGone = 0
  /// Dropped in front of the bottleneck of a link, since too much waited there.
  public var queueFull = 0
  /// Dropped because too much was under way: a limit of the emulator, not of the network.
  public var overflowed = 0

  public init() {}

  mutating func count(_ reason: CapturedDatagram.DropReason) {
    switch reason {
    case .lost: lost += 1
    case .unroutable: unroutable += 1
    case .unreachable: unreachable += 1
    case .unheard: unheard += 1
    case .tooLarge: tooLarge += 1
    case .partitioned: partitioned += 1
    case .receiverGone: receiverGone += 1
    case .queueFull: queueFull += 1
    case .overflowed: overflowed += 1
    }
  }
}
