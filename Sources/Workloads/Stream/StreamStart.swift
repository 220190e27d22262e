public import Primitives

/// When the flows of one stream begin: together, once every one of them has its connection. Shared
/// by the senders of one loop.
public final class StreamStart {
  private var waiting: Int
  /// Between the last connection and the first message.
  private static let pause = Interval.milliseconds(50)

  /// `nil` until all flows have joined.
  public private(set) var instant: Instant?

  public init(flows: Int) {
    waiting = flows
  }

  /// One more flow has its connection.
  public func join(at now: Instant) {
    waiting -= 1
    if waiting == 0 { instant = now + Self.pause }
  }
}
