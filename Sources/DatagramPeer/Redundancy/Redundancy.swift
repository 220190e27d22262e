public import Primitives

/// Whether reliable messages that are not acknowledged yet ride again in later datagrams that have
/// room, so that a loss costs one interval of sending instead of a retransmission.
///
/// It is for small messages that are sent steadily. Datagrams that are full anyhow, and those of a
/// connection that waits for its window, carry no rides whatever is chosen.
public enum Redundancy: Hashable, Sendable {
  /// Every message is sent once, and again when it is lost.
  case none
  /// Every message rides in so many further datagrams that carry new ones, until it is
  /// acknowledged. Early copies, where there are any, take the place of one of these rides.
  case upTo(Int)
  /// Every message rides in each datagram until it is acknowledged.
  case all
  /// As much of it as the loss that is seen asks for: none while there is hardly any. Rides take
  /// at most so many bytes in a datagram.
  case adaptive(byteBudget: Int)

  /// What is chosen where nothing is said: adaptive, with 1,050 bytes in a datagram at most:
  /// what has gathered at 60 small messages a second when a burst of losses of 200 ms is over.
  public static let standard = Redundancy.adaptive(byteBudget: 1_050)
}

/// Copies of new messages that follow in datagrams of their own within milliseconds: the quickest
/// cure for loss and the only one where no further message is to come soon, at the price of whole
/// datagrams.
public struct EarlyCopies: Hashable, Sendable {
  /// How many copies follow, 0 to 8.
  public var count: Int
  /// The time from one to the next. Longer than losses last in a row, or all share one fate.
  public var spacing: Interval

  public init(count: Int, spacing: Interval) {
    precondition((0...8).contains(count), "0 to 8 early copies")
    self.count = count
    self.spacing = spacing
  }

  /// No copies.
  public static let none = EarlyCopies(count: 0, spacing: .zero)
}
