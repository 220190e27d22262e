public import ChatTransport
public import Primitives

extension ChatRoom {
  /// What a room can be told. The limits are what a stranger can make it keep.
  public struct Configuration: Hashable, Sendable {
    /// The room one is in without asking for another, and the only one that hears plain datagrams.
    public static let defaultRoom = "lan"

    /// The name of the room; peers in other rooms are ignored.
    public var room: String
    /// How lines are sent: `.reliable`, and every line arrives once and in order; or
    /// `.unreliable`, and lines may be lost, of which the receivers are told.
    public var delivery: Delivery {
      didSet { Self.check(delivery) }
    }

    /// How large a line may be together with what goes with it, in bytes. It fits into one
    /// datagram: what people type does, and nobody should have to wait for somebody's file.
    public var recordSizeLimit = 1_175

    /// For how long a line is also sent to whoever appears. What is typed in the first moments,
    /// before others are found, is not lost by that.
    public var recentInterval = Interval.seconds(3)
    /// How many lines may be recent; of more the oldest are not.
    public var recentLineLimit = 256
    /// How many bytes the recent lines may take.
    public var recentByteLimit = 262_144

    /// How long an unreliable line may be overtaken by later ones before it counts as lost.
    public var gapDelay = Interval.milliseconds(100)
    /// How long somebody who said goodbye stays while reliable lines of his are missing and his
    /// connection has not ended.
    public var farewellDelay = Interval.seconds(1)
    /// How long our own goodbye may take to reach everybody before the transport is closed.
    public var leaveDelay = Interval.milliseconds(500)

    /// How many members there may be; more are ignored.
    public var memberLimit = 512
    /// How many members may share one peer, as they do behind a relay.
    public var memberLimitPerPeer = 64
    /// How many who have left are remembered, so that no line of theirs shows twice.
    public var absentLimit = 256

    /// How many lines of one author may wait for one that is missing. Beyond this the missing one
    /// is told as a gap.
    public var heldLineLimit = 1_024
    /// How many bytes the waiting lines of one author may take, each with 64 for itself.
    public var heldByteLimit = 1 << 20
    /// How many bytes the waiting lines of all authors may take.
    public var totalHeldByteLimit = 16 << 20
    /// How many separate ranges of lines of one author may be missing.
    public var holeLimit = 1_024

    /// How many records of one peer may wait for the greeting of their author. Beyond this the
    /// earliest are dropped, and told as a gap when the greeting comes.
    public var waitingLineLimit = 1_024
    /// How many bytes those records may take, each with 64 for itself.
    public var waitingByteLimit = 1 << 20
    /// How many authors may be waited for at one peer.
    public var waitingAuthorLimit = 64

    /// How many ranges of lines that a peer will not get may wait to be told to it. Beyond this two
    /// ranges become one with what is between them.
    public var withheldLimit = 64
    /// How many addresses are remembered by the name that a plain `iam:` gave them.
    public var plainNameLimit = 64

    public init(room: String = defaultRoom, delivery: Delivery = .reliable) {
      Self.check(delivery)
      self.room = room
      self.delivery = delivery
    }

    private static func check(_ delivery: Delivery) {
      precondition(
        delivery == .reliable || delivery == .unreliable,
        "a room sends reliable or unreliable, and orders the lines itself")
    }
  }
}

extension ChatRoom.Configuration {
  var waitingLimits: WaitingLimits {
    WaitingLimits(
      authors: waitingAuthorLimit, lines: waitingLineLimit, cost: waitingByteLimit,
      withheld: withheldLimit)
  }

  /// What one author's stream may keep waiting while all the others keep `otherCost`.
  func streamLimits(otherCost: Int) -> AuthorStreamLimits {
    AuthorStreamLimits(
      lines: heldLineLimit, cost: min(heldByteLimit, max(0, totalHeldByteLimit - otherCost)),
      holes: holeLimit)
  }
}
