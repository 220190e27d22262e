public import Primitives

/// A peer as one transport knows it, from its joining to its leaving. A peer that comes back, even
/// the same program at the same address, is a new `PeerID`.
public struct PeerID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public static func < (left: PeerID, right: PeerID) -> Bool { left.rawValue < right.rawValue }

  public var description: String { "peer \(rawValue)" }
}

/// A message that was accepted for sending, in the sender's own count.
public struct MessageID: Hashable, Comparable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public static func < (left: MessageID, right: MessageID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Whom a message is for.
public enum Destination: Hashable, Sendable {
  case peer(PeerID)
  /// Every peer that has joined by now: one message id, an outcome for each peer.
  case everyone
}

/// How a message is to be sent.
public struct SendOptions: Hashable, Sendable {
  /// The channel; each has an order of its own. The first is 0.
  public var channel: UInt8
  public var delivery: Delivery
  /// After this time without an acknowledgement a reliable message is given up; `nil` for never.
  public var maximumAge: Interval?
  /// Whether `acknowledged` and `givenUp` are told of it, where it is of a reliable kind.
  public var reportsAcknowledgement: Bool

  public init(
    channel: UInt8 = 0, delivery: Delivery = .ordered, maximumAge: Interval? = nil,
    reportsAcknowledgement: Bool = true
  ) {
    self.channel = channel
    self.delivery = delivery
    self.maximumAge = maximumAge
    self.reportsAcknowledgement = reportsAcknowledgement
  }
}

/// What became of a call to send.
public struct SendReceipt: Hashable, Sendable {
  /// The name under which acknowledgement or loss will be told.
  public var id: MessageID
  /// The delivery that is given: what was asked for, or more.
  public var granted: Delivery
  /// To how many peers it is on its way.
  public var recipients: Int

  public init(id: MessageID, granted: Delivery, recipients: Int) {
    self.id = id
    self.granted = granted
    self.recipients = recipients
  }
}

/// Why a message was not accepted for sending. Nothing of it was sent.
public enum SendError: Error, Hashable, Sendable {
  /// There is no such peer, or it has left.
  case noSuchPeer(PeerID)
  /// The payload has `size` bytes, and at most `limit` can be carried.
  case tooLarge(size: Int, limit: Int)
  /// The queue to this peer is full; try again after `TransportEvent.relief`.
  case wouldBlock(PeerID)
  /// The transport cannot give what was asked for, nor anything stronger.
  case unsupportedDelivery(Delivery)
  /// The transport has only `count` channels.
  case noSuchChannel(UInt8, count: Int)
  /// The transport cannot give up a message after a time.
  case unsupportedMaximumAge
  /// The transport has been closed.
  case closed
}

extension SendError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noSuchPeer(let peer): "\(peer) is not there"
    case .tooLarge(let size, let limit):
      "the message has \(size) bytes, and at most \(limit) can be sent"
    case .wouldBlock(let peer): "the queue to \(peer) is full"
    case .unsupportedDelivery(let delivery): "this transport cannot send \(delivery) messages"
    case .noSuchChannel(let channel, let count):
      "there is no channel \(channel): the channels are 0 to \(count - 1)"
    case .unsupportedMaximumAge: "this transport cannot give up a message after a time"
    case .closed: "the transport is closed"
    }
  }
}
