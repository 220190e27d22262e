import ChatTransport
import Primitives

/// One end of a connection between two incarnations: packets in and out, over one or several paths.
///
/// A machine of its own, driven by the endpoint that holds it: after `receive`, `advance` and
/// `send` it is asked for datagrams while `wantsToTransmit`, and for its `deadline`.
struct Connection: ~Copyable {
  private let handling = HandledByAddress()
  enum Phase: Equatable {
    /// We answered a call and have not yet seen that the caller heard it.
    case unconfirmed
    case established
    /// We said goodbye and wait for the other side to have heard it.
    case closing(Closing)
    /// The other side said goodbye; its repetitions are still answered.
    case draining
    /// Nothing is left to do but to be forgotten.
    case ended
  }

  struct Closing: Equatable {
    var code: Frame.CloseCode
    var nextTry: Instant
    var interval: Interval
  }

  struct Doubt {
    var since: Instant
    var reason: LeaveReason
  }

  let identifiers: Identifiers
  let settings: Settings
  var phase: Phase
  /// When the phase ends by itself, for all phases but `established`.
  var phaseDeadline: Instant
  var paths: PathSet

  var recovery: LossRecovery
  var congestion: CongestionController
  var pacer: Pacer
  var received: ReceivedPackets
  var sending = SendStreams()
  var receiving: ReceiveStreams
  var unreliable: UnreliableSender
  var incoming: UnreliableReceiver
  var pathMTU: PathMTU
  var redundancy: RedundancyController
  var copies = CopySchedule()

  var lastHeard: Instant
  /// When the peer was last asked for a sign of life.
  var lastAsked: Instant
  /// When to look next for memory to give back, and for messages that are never finished.
  var nextTidying: Instant
  /// Whether and why the peer was asked whether it lives.
  var doubt: Doubt?
  /// When such a claim may lead to the next question; `nil` where there was none yet.
  var nextDoubt: Instant?
  var probesOwed = 0
  var owesPing = false
  var owesClose = false
  /// Whether unreliable messages have the first place in the next datagram.
  var unreliableGoFirst = false
  /// Whether there was more to send after the last datagrams than the window or the pacer allowed.
  var isLimited = false
  var isUnderPressure = false
  var counters = ConnectionCounters()

  /// Whether it stands in the endpoint's queue of those that want to transmit.
  var isQueued = false
  /// Whether it stands in the endpoint's list of those to which something was done.
  var isTouched = false
  /// Whether it stands in the endpoint's queue of those that hold messages back.
  var isHeldBack = false

  init(
    _ identifiers: Identifiers, path: Path, phase: Phase, phaseDeadline: Instant,
    handshakeRoundTrip: Interval?, settings: Settings, seed: UInt64, now: Instant
  ) {
    let configuration = settings.configuration
    self.identifiers = identifiers
    self.settings = settings
    self.phase = phase
    self.phaseDeadline = phaseDeadline
    paths = PathSet(active: path, limit: configuration.maximumPathsPerConnection, at: now)
    recovery = LossRecovery(
      assumedRoundTrip: configuration.initialRoundTripTime,
      maximumProbeInterval: configuration.maximumProbeInterval, seed: seed)
    if let handshakeRoundTrip { recovery.measureHandshake(handshakeRoundTrip) }
    congestion = CongestionController(
      configuration.congestionControl, datagramSize: ProtocolLimits.baseDatagramSize)
    pacer = Pacer(datagramSize: ProtocolLimits.baseDatagramSize)
    received = ReceivedPackets()
    receiving = ReceiveStreams(
      maximumStreamWindow: configuration.maximumStreamWindow,
      maximumWindow: configuration.maximumConnectionWindow)
    unreliable = UnreliableSender(
      byteLimit: configuration.unreliableQueueLimit,
      countLimit: configuration.unreliableQueueCount,
      packetRoom: ProtocolLimits.baseDatagramSize - PacketHeader.maximumSize)
    incoming = UnreliableReceiver(
      peer: identifiers.peer, reorderingTolerance: configuration.reorderingTolerance)
    pathMTU = PathMTU(maximum: configuration.maximumDatagramSize)
    redundancy = RedundancyController(
      configuration.redundancy, copies: configuration.earlyCopies)
    lastHeard = now
    lastAsked = now
    nextTidying = now + configuration.keepaliveInterval
  }

  var peer: PeerID { identifiers.peer }
  var configuration: DatagramConfiguration { _read { yield settings.configuration } }

  /// Whether messages can be given to it.
  var isOpen: Bool { phase == .established }
}

extension Connection {
  /// What is fixed for the life of a connection.
  struct Identifiers {
    var peer: PeerID
    var remote: Incarnation
    var localID: ConnectionID
    var remoteID: ConnectionID
    var isDialler: Bool

    /// The call that opened the connection, where it was the other side's.
    var call: Call? { isDialler ? nil : Call(dialler: remote, source: remoteID) }

    /// Both identifiers, the dialler's first: known to the two ends and to nobody else who has not
    /// seen their datagrams.
    var pathKey: Secret {
      isDialler
        ? Secret(localID.rawValue, remoteID.rawValue)
        : Secret(remoteID.rawValue, localID.rawValue)
    }
  }

  /// The configuration that all connections of an endpoint share, and not a copy for each.
  final class Settings: Sendable {
    let configuration: DatagramConfiguration

    init(_ configuration: DatagramConfiguration) {
      self.configuration = configuration
    }
  }
}

/// What tells one call for a connection from another.
struct Call: Hashable {
  var dialler: Incarnation
  /// The dialler's name for the connection.
  var source: ConnectionID
}
