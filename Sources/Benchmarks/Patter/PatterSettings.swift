public import ChatTransport
import DatagramPeer
public import Primitives

/// How the datagram protocol is set up for a measurement.
public struct PatterSettings: Hashable, Sendable {
  /// How messages that are not acknowledged yet ride again in later datagrams.
  public enum Redundancy: Hashable, Sendable {
    case none
    /// In so many datagrams after the first.
    case upTo(Int)
    case all
    /// As the loss asks for, with so many more bytes at most, in percent.
    case adaptive(percent: Int)
  }

  public var delivery = Delivery.ordered
  /// `nil` for what the protocol does by itself.
  public var redundancy: Redundancy?
  /// How many early copies each datagram has, and by how much they are spaced.
  public var copies = 0
  public var spacing = Interval.milliseconds(5)
  /// How long the loop spins before it sleeps.
  public var busyPolling = Interval.zero

  public init() {}

  public var options: SendOptions { SendOptions(delivery: delivery) }

  /// What of it this machine can do; `nil` where that is all.
  var refusal: String? {
    if redundancy != nil || copies > 0 { return "redundancy is not part of the protocol yet" }
    return nil
  }

  /// The protocol's own configuration.
  var configuration: DatagramConfiguration { DatagramConfiguration() }
}
