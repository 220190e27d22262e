public import Primitives

/// When beacons are sent.
public struct DiscoveryTiming: Hashable, Sendable {
  /// When the beacons of a burst go out, counted from its start: 0, 100, 300, 700, 1,200 and
  /// 2,000 ms. A burst goes out on every interface that is new or has changed; so many, because
  /// each leads to at most one small datagram that is not repeated, and with a fifth of all
  /// datagrams lost half of these attempts come to nothing.
  public var burst = [0, 100, 300, 700, 1_200, 2_000].map(Interval.milliseconds) {
    didSet { precondition(!burst.isEmpty && burst == burst.sorted(), "a burst is in order") }
  }

  /// How much longer than that the wait for each one may be, at random: 20 ms. It keeps apart those
  /// who were started, or saw the network come up, at the same moment.
  public var burstJitter = Interval.milliseconds(20)

  /// The shortest time between two beacons on an interface after the burst: 2 s.
  public var minimumInterval = Interval.seconds(2)

  /// The time between two beacons for each peer that there is: 100 ms, so that all peers together
  /// send ten beacons a second however many they are.
  public var intervalPerPeer = Interval.milliseconds(100)

  /// The longest time between two beacons: 60 s, so that what a beacon announces fits in it.
  public var maximumInterval = Interval.seconds(60)

  /// How far the interval strays at random, in per cent to either side: 10.
  public var intervalJitterPercent: Int64 = 10 {
    didSet { precondition((0...50).contains(intervalJitterPercent), "jitter is 0 to 50 %") }
  }

  /// How long to wait before answering the announcement of somebody who is not connected: 20 to
  /// 120 ms at random, as for shared records in RFC 6762, section 6: not all are to answer at once.
  public var announcementDelay = Interval.milliseconds(20)...Interval.milliseconds(120)

  /// How long to wait before answering a query: 0 to 100 ms at random.
  public var queryDelay = Interval.zero...Interval.milliseconds(100)

  /// How often a goodbye is said, because one may be lost: 3 times.
  public var goodbyeCount = 3 {
    didSet { precondition((1...10).contains(goodbyeCount), "a goodbye is said 1 to 10 times") }
  }

  /// The time between two goodbyes: 20 ms. A user waits for them.
  public var goodbyeSpacing = Interval.milliseconds(20)

  public init() {}

  /// The time between two beacons on an interface, before jitter, with `peerCount` others there.
  func steadyInterval(peerCount: Int) -> Interval {
    let everybody = intervalPerPeer * (Int64(peerCount) + 1)
    return min(max(minimumInterval, everybody), maximumInterval)
  }
}
