/// What a transport can do. A transport that is asked for more refuses; it never gives less in
/// silence.
public struct TransportCapabilities: Hashable, Sendable {
  /// The kinds of delivery it offers as they are; asking for another gives a stronger one.
  public var deliveries: Set<Delivery>
  /// The largest payload of a message of a reliable kind, in bytes.
  public var maximumMessageSize: Int
  /// The largest payload of a message of another kind, in bytes.
  public var maximumUnreliableMessageSize: Int
  /// How many channels there are, from 1 to 256.
  public var channelCount: Int
  /// Whether received messages carry a sequence number, so that gaps can be seen.
  public var numbersMessages: Bool
  /// Whether the sender hears that a peer holds a message.
  public var acknowledgesMessages: Bool
  /// Whether `SendOptions.maximumAge` may be set.
  public var supportsMaximumAge: Bool

  public init(
    deliveries: Set<Delivery>, maximumMessageSize: Int, maximumUnreliableMessageSize: Int? = nil,
    channelCount: Int, numbersMessages: Bool, acknowledgesMessages: Bool, supportsMaximumAge: Bool
  ) {
    precondition((1...256).contains(channelCount), "a transport has 1 to 256 channels")
    self.deliveries = deliveries
    self.maximumMessageSize = maximumMessageSize
    self.maximumUnreliableMessageSize = maximumUnreliableMessageSize ?? maximumMessageSize
    self.channelCount = channelCount
    self.numbersMessages = numbersMessages
    self.acknowledgesMessages = acknowledgesMessages
    self.supportsMaximumAge = supportsMaximumAge
  }

  /// The weakest kind on offer that satisfies what was asked for, or `nil` where there is none.
  public func granted(for asked: Delivery) -> Delivery? {
    if deliveries.contains(asked) { return asked }
    return Delivery.allCases.first { deliveries.contains($0) && $0.satisfies(asked) }
  }

  /// Checks all of a message that does not depend on its peer, and says what delivery it gets.
  public func check(payloadSize: Int, _ options: SendOptions) throws(SendError) -> Delivery {
    guard Int(options.channel) < channelCount else {
      throw .noSuchChannel(options.channel, count: channelCount)
    }
    guard options.maximumAge == nil || supportsMaximumAge else { throw .unsupportedMaximumAge }
    guard let delivery = granted(for: options.delivery) else {
      throw .unsupportedDelivery(options.delivery)
    }
    let limit = delivery.isReliable ? maximumMessageSize : maximumUnreliableMessageSize
    guard payloadSize <= limit else { throw .tooLarge(size: payloadSize, limit: limit) }
    return delivery
  }
}
