public import Primitives

/// One thing that happened to one datagram, as the tap of a ``VirtualNetwork`` sees it.
public struct CapturedDatagram: Hashable, Sendable {
  /// Why a datagram went no further; ``NetworkStatistics`` explains each.
  public enum DropReason: Hashable, Sendable, CaseIterable {
    case lost, unroutable, unreachable, unheard, tooLarge, partitioned, receiverGone
    case queueFull, overflowed
  }

  public enum Event: Hashable, Sendable {
    /// A host sent it, or it was injected. Once for a datagram to a group.
    case sent
    /// The receiver's machine is handed it, or would be if the receiver had one.
    case delivered
    case dropped(DropReason)
  }

  public var time: Instant
  public var event: Event
  /// The sender's address; for a datagram that was not sent the family's unspecified address.
  public var source: SocketAddress
  /// Where it was sent to, which may be a group.
  public var destination: SocketAddress
  /// `nil` for a datagram that was injected.
  public var sender: HostID?
  /// `nil` as long as it is not known or there are several.
  public var receiver: HostID?
  public var bytes: [UInt8]
}
