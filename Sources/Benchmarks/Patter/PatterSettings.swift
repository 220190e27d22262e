public import ChatTransport
public import DatagramPeer
public import Primitives

/// How the datagram protocol is set up for a measurement.
public struct PatterSettings: Hashable, Sendable {
  public var delivery = Delivery.ordered
  /// `nil` for what the protocol does by itself.
  public var redundancy: Redundancy?
  /// How many early copies each datagram has, and by how much they are spaced.
  public var copies = 0
  public var spacing = Interval.milliseconds(5)
  /// The largest datagram that is tried, in bytes; `nil` for the protocol's own limit.
  public var maximumDatagramSize: Int?
  /// How long the loop spins before it sleeps.
  public var busyPolling = Interval.zero

  private static let connectionLimit = 16_384

  /// The file to which a trace is written.
  public var traceFile: String?

  public init() {}

  /// Nobody asks when a message was acknowledged, as nobody can with TCP.
  public var options: SendOptions {
    SendOptions(delivery: delivery, reportsAcknowledgement: false)
  }

  /// The protocol's own configuration.
  var configuration: DatagramConfiguration {
    var configuration = DatagramConfiguration()
    if let redundancy { configuration.redundancy = redundancy }
    configuration.earlyCopies = EarlyCopies(count: copies, spacing: spacing)
    if let maximumDatagramSize { configuration.maximumDatagramSize = maximumDatagramSize }
    configuration.isTracing = traceFile != nil
    // All flows call at once.
    configuration.maximumConnections = Self.connectionLimit
    configuration.maximumHalfOpen = Self.connectionLimit
    return configuration
  }
}
