public import ChatTransport
public import Primitives

/// Something that happened inside an endpoint, told for people who look at a connection afterwards:
/// nothing in the program depends on it.
public struct TraceEvent: Hashable, Sendable {
  public var time: Instant
  /// The connection that it concerns; `nil` for the endpoint as a whole.
  public var connection: TraceName?
  public var fact: Fact

  public init(time: Instant, connection: TraceName?, fact: Fact) {
    self.time = time
    self.connection = connection
    self.fact = fact
  }

  public enum Fact: Hashable, Sendable {
    /// A connection has come to be; `isDialler` where the call was ours.
    case started(path: Path, isDialler: Bool)
    case stateChanged(from: TraceState?, to: TraceState)
    /// The user was told that the peer has left.
    case left(LeaveReason)
    case pathChanged(Path)
    /// The largest datagram that is sent, in bytes.
    case datagramSizeChanged(from: Int, to: Int)
    case sent(TracePacket)
    case received(TracePacket)
    /// A datagram of so many bytes was not taken in.
    case dropped(size: Int, reason: DropCounters.Reason)
    case lost(number: UInt64, size: Int, cause: TraceLossCause)
    /// A packet that was declared lost has arrived.
    case spuriousLoss(number: UInt64)
    case metrics(TraceMetrics)
    case congestionChanged(from: TraceCongestion?, to: TraceCongestion)
    case redundancyChanged(TraceRedundancy)
    /// So many events found no place, and are missing here.
    case leftOut(UInt64)
  }

  /// What it takes of the room there is for events.
  var weight: Int {
    switch fact {
    case .sent(let packet), .received(let packet): 1 + packet.weight
    default: 1
    }
  }
}

/// Names a connection in traces: the same at both ends, and of no use for anything else, so that a
/// trace can be shown around.
public struct TraceName: Hashable, Sendable {
  public var rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// Where a connection is in its life.
public enum TraceState: String, Hashable, Sendable {
  /// It was opened by the other side, of which nothing has come since.
  case unconfirmed
  case established
  /// We said goodbye.
  case closing
  /// The other side said goodbye.
  case draining
  case ended
}

/// Why a packet was declared lost.
public enum TraceLossCause: Hashable, Sendable {
  /// Enough packets that were sent later have arrived.
  case packetThreshold
  /// One that was sent later has arrived, and it is long ago.
  case timeThreshold
  /// More packets would have to be remembered than are.
  case memory
}

public enum TraceCongestion: Hashable, Sendable {
  case slowStart
  case congestionAvoidance
  case recovery
}

/// What is done against losses before anybody knows of them.
public struct TraceRedundancy: Hashable, Sendable {
  /// In how many further packets messages ride; `Int.max` for all until they are acknowledged.
  public var rides: Int
  /// How many copies follow each packet, and at what distance.
  public var copies: Int
  public var spacing: Interval

  public init(rides: Int, copies: Int, spacing: Interval) {
    self.rides = rides
    self.copies = copies
    self.spacing = spacing
  }
}
