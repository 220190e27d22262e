import ChatTransport
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

  /// Bytes of messages that wait to be sent or acknowledged, for each peer. A message that is
  /// larger than half of it is taken where the queue is at most half full.
  public var sendQueueLimit = 4 << 20
  /// Bytes of unreliable messages that wait to be sent, and how many, for each peer.
  public var unreliableQueueLimit = 1 << 20
  public var unreliableQueueCount = 8_192
  /// Bytes of reliable messages that a peer may send on one stream before its user has taken them;
  /// it begins with 256 KiB and grows to this while the peer makes use of it. One larger message
  /// may go beyond.
  public var maximumStreamWindow = 4 << 20
  /// The same for all streams of one peer together, beginning with 512 KiB; messages that have
  /// begun may go beyond, by at most three of the largest.
  public var maximumConnectionWindow = 8 << 20
  /// Memory for messages that came out of order or are not finished, in bytes, for all peers
  /// together. Beyond that only what is in order is taken in.
  public var receiveMemoryLimit = 256 << 20
  /// How long a message of a reliable kind may be unfinished without any progress, before its
  /// sender is taken for hostile.
  public var unfinishedTimeout = Interval.seconds(30)
  /// Bytes of messages that wait to be read by the user; while there are more, reliable messages
  /// stay in the windows of their streams, and others are dropped.
  public var maximumWaitingBytes = 4 << 20
  /// Messages and events that wait to be read by the user, likewise. Nobody new is taken in then.
  public var maximumWaitingEvents = 16_384

  /// How the sending rate is controlled.
  public var congestionControl = CongestionControl.cubic
  /// How often small reliable messages ride again before they are known to be lost.
  public var redundancy = Redundancy.standard
  /// Copies of a datagram with reliable messages that go a little later.
  public var earlyCopies = EarlyCopies.none
  /// The largest datagram that is tried, in bytes of UDP payload, where the path carries it: jumbo
  /// frames, and the loopback interface. What a datagram costs hardly depends on its size.
  public var maximumDatagramSize = 16_356 {
    didSet {
      precondition(
        (ProtocolLimits.baseDatagramSize...65_507).contains(maximumDatagramSize),
        "a datagram has 1,200 to 65,507 bytes")
    }
  }
  /// Answers to datagrams for connections that are not there, for each second.
  public var resetsPerSecond = 50

  /// How much later than its successor a datagram may come before its messages count as missing.
  public var reorderingTolerance = Interval.milliseconds(50)
  /// The round-trip time that is assumed before there is a measurement.
  public var initialRoundTripTime = Interval.milliseconds(100)
  /// The longest time between two probes of a peer that does not answer.
  public var maximumProbeInterval = Interval.seconds(1)

  /// Whether what happens is told by `nextTraceEvent`.
  public var isTracing = false
  /// Events that may wait there, each with its frames and ranges of packet numbers counted; more
  /// are left out.
  public var traceLimit = 65_536

  public init() {}
}

/// Limits that both sides have to agree on; Docs/WireFormat.md, "Limits".
enum ProtocolLimits {
  /// A datagram that fits every path: 1,280 bytes are enough for every IPv6 link (RFC 8200, section
  /// 5), and headers have room.
  static let baseDatagramSize = 1_200
  /// The window of a stream at its beginning, in bytes.
  static let streamWindow = 256 << 10
  /// The window of a connection at its beginning, in bytes.
  static let connectionWindow = 512 << 10
  /// The largest message of a reliable kind.
  static let reliableMessageSize = 16 << 20
  /// The largest message of the other kinds.
  static let unreliableMessageSize = 64 << 10

  static func messageSize(of delivery: Delivery) -> Int {
    delivery.isReliable ? reliableMessageSize : unreliableMessageSize
  }
}
