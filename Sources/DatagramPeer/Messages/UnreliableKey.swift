import ChatTransport

/// One sequence of numbers of the unreliable kinds: a channel and whether it is `sequenced`.
struct UnreliableKey: Hashable, Comparable {
  /// The channel in the upper bits, `sequenced` in the lowest.
  private let rawValue: UInt16

  init(channel: UInt8, isSequenced: Bool) {
    rawValue = UInt16(channel) << 1 | (isSequenced ? 1 : 0)
  }

  var channel: UInt8 { UInt8(rawValue >> 1) }
  var isSequenced: Bool { rawValue & 1 == 1 }
  var delivery: Delivery { isSequenced ? .sequenced : .unreliable }

  static func < (left: UnreliableKey, right: UnreliableKey) -> Bool {
    left.rawValue < right.rawValue
  }
}
