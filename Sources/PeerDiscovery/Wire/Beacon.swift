public import ChatTransport

/// "I am here": the datagram by which peers find each other.
///
/// Numbers are big-endian. There is no address in it, and none would be believed: a peer is where
/// its datagrams come from. So a beacon is sent from the socket at which its sender wants to be
/// reached.
///
///     offset  size  field
///          0     1  0xD0
///          1     1  version: 1
///          2     1  flags: 1 query, 2 goodbye, 4 observer, 8 answer
///          3     1  number of topics: T, 1 to 8
///          4    16  identity
///         20     8  epoch
///         28     2  milliseconds within which the next beacon on this path is due; 0 for none
///         30   8*T  topics, strictly ascending
///     30+8*T     1  length of the name: L, 0 to 64
///     31+8*T     L  name, UTF-8
///     31+8*T+L      zeros up to 160 bytes, in what may be answered; nothing in the rest
///
/// What may be answered is always 160 bytes and an answer never more than 159, so that answering
/// never amplifies. Each beacon has one encoding only; anything else is refused.
public struct Beacon: Hashable, Sendable {
  /// The flags that occur together; the raw value is the byte on the wire.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Sent to the group, by itself.
    case announcement = 0
    /// An announcement that asks those who hear it to answer.
    case query = 1
    /// The sender is about to leave.
    case goodbye = 2
    /// A query of somebody who only looks who is here, and is never to be dialled.
    case observerQuery = 5
    /// Sent to one peer, because of what it sent; never answered itself.
    case answer = 8

    /// Whether a peer may send a datagram because of it.
    public var isAnswerable: Bool { self != .goodbye && self != .answer }
  }

  /// The byte that all beacons begin with, and no other datagram.
  public static let firstByte: UInt8 = 0xD0
  /// The version described here.
  public static let version: UInt8 = 1
  /// The size in bytes of each beacon that may be answered.
  public static let answerableSize = 160
  /// The most topics in a beacon.
  public static let topicLimit = 8
  /// The most bytes in a name.
  public static let nameLimit = 64

  public var kind: Kind
  /// Who sent it.
  public var incarnation: Incarnation
  /// The milliseconds within which the next beacon on the same path is due; 0 for none.
  public var nextInMilliseconds: UInt16
  /// One to eight topics, strictly ascending.
  public var topics: [Topic]
  /// What its sender wants to be called, at most 64 bytes; a label that anybody can choose, not
  /// cleaned of anything that a terminal would obey.
  public var name: String

  public init(
    kind: Kind, incarnation: Incarnation, nextInMilliseconds: UInt16, topics: [Topic], name: String
  ) {
    self.kind = kind
    self.incarnation = incarnation
    self.nextInMilliseconds = nextInMilliseconds
    self.topics = topics
    self.name = name
  }
}
