public import Primitives

/// What a datagram endpoint may use and how long it waits. Every bound on what a stranger can make
/// us hold or do has its name here.
public struct DatagramConfiguration: Sendable {
  /// What is spoken about, each a hash of a room's name: 1 to 8 of them. Peers with none in common
  /// do not connect.
  public var topics: [UInt64] = [0] {
    didSet {
      precondition((1...HandshakePacket.maximumTopicCount).contains(topics.count), "1 to 8 topics")
    }
  }

  /// Connections held at once; further ones are not accepted.
  public var maximumConnections = 1_024
  /// Calls of ours that have not been answered, and connections of others that have not shown that
  /// they heard us, each. Beyond that the oldest make room.
  public var maximumHalfOpen = 64
  /// Paths remembered for one peer: so many that have answered, and so many that have not yet.
  public var maximumPathsPerConnection = 4

  /// Silence after which a peer is taken for gone.
  public var idleTimeout = Interval.seconds(12)
  /// Silence after which a peer is asked for a sign of life. Well below the idle timeout, so that
  /// several signs can be lost.
  public var keepaliveInterval = Interval.seconds(4)
  /// How long an opening handshake may take once the other side has answered.
  public var handshakeTimeout = Interval.seconds(5)
  /// How long a closing side waits for the other to have heard it.
  public var closeTimeout = Interval.seconds(1)
  /// When somebody else claims a peer's identity: the silence of the old connection, asked twenty
  /// times a second, after which the newcomer is believed.
  public var replacementSilence = Interval.seconds(1)
  /// The shortest time between two such doubts about one peer.
  public var replacementPause = Interval.seconds(3)
  /// How long a cookie is good for.
  public var cookieLifetime = Interval.seconds(10)
  /// The longest time between two calls to an address that the user named.
  public var maximumRedialInterval = Interval.seconds(5)

  /// Bytes of messages that wait to be sent or acknowledged, for each peer.
  public var sendQueueLimit = 1 << 20
  /// Bytes of `ordered` messages that wait for an earlier one, for each peer.
  public var receiveBufferLimit = 4 << 20
  /// Events that wait to be read by the user; while there are more, messages are not accepted, and
  /// so not acknowledged, and nobody new is taken in.
  public var maximumWaitingEvents = 16_384
  /// Datagrams under way to one peer that ask for an acknowledgement. A fixed window: congestion
  /// control takes its place.
  public var maximumPacketsInFlight = 128

  /// How much later than its successor a datagram may come before its messages count as missing.
  public var reorderingTolerance = Interval.milliseconds(50)
  /// The round-trip time that is assumed before there is a measurement.
  public var initialRoundTripTime = Interval.milliseconds(100)
  /// The longest time between two probes of a peer that does not answer.
  public var maximumProbeInterval = Interval.seconds(1)

  public init() {}
}

/// Limits that both sides have to agree on; Docs/WireFormat.md, "Limits".
enum ProtocolLimits {
  /// The largest datagram: fits every IPv6 path (RFC 8200, section 5) with room for headers.
  static let datagramSize = 1_200
  /// How far a sequence number may be above the lowest one that is missing, for reliable kinds.
  static let messageWindow = 1_024
  /// The largest payload of a message that fits one datagram.
  static let messageSize = datagramSize - PacketHeader.maximumSize - MessageFrame.maximumOverhead
}
